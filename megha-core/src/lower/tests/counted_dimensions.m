1;
% the dimension to work along is counted, chosen or passed
function [s, w] = total_without_nan(x, dim)
  if nargin < 2
    dim = find(size(x) ~= 1, 1);
  end
  w = ~isnan(x);
  x(~w) = 0;
  s = sum(x, dim);
  w = sum(w, dim);
end
function d = longest(x)
  d = 0;
  for k = 1:ndims(x)
    d = max(d, size(x, k));
  end
end
a = [1 NaN 3; 4 5 NaN];
[s, w] = total_without_nan(a);
disp(s); disp(w);
for dim = 2:-1:1
  disp(total_without_nan(a, dim));
  disp(max(a, [], dim));
  disp(mean([1 2 4; 8 16 32], dim));
  disp(sort([3 1 2; 1 3 2], dim));
  disp(cumsum([1 2 4; 8 16 32], dim));
  [m, at] = min([3 1 2; 1 3 2], [], dim);
  disp(m); disp(at);
  disp(median([3 1 2; 1 3 5], dim));
  disp(std([3 1 2; 1 3 5], 0, dim));
end
disp(longest(zeros(2, 5)));
disp(longest(zeros(2, 3, 4)));
disp(total_without_nan(a, 3));
disp(total_without_nan(a, 7));
