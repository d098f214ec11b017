1;
% what stands beside an array without elements; functions that append
function r = chosen(table, least)
  r = [];
  for i = 1:size(table, 1)
    if table(i, 1) >= least
      r = cat(1, r, table(i, :));
    end
  end
end
function [a, b] = split(x)
  a = [];
  b = [];
  for k = 1:numel(x)
    if x(k) > 0
      a = horzcat(a, x(k));
    else
      b = vertcat(b, [k, x(k)]);
    end
  end
end
function y = weights(m)
  y = [1; 1 - sum(m(1:end-1, :) == m(2:end, :), 2)];
end
disp(chosen([1 10; 3 30; 2 20], 2));
[a, b] = split([1 -2 3 -4]);
disp(a); disp(b);
disp(weights([1 2 3]));
disp(weights([1 2; 1 3; 1 3])');
disp([zeros(1, 0); 5 6]);
disp([[1; 2], zeros(0, 1)]);
disp(size([zeros(1, 0); zeros(1, 0)]));
% `[]` that meets other empty arrays and columns where only the run knows which it is.
never = numel(find([1 2] > 5)) > 0;
e = []; if never, e = zeros(0, 1); end
disp(size(e)), disp(sum(e)), disp(any(e)), disp(prod(e))
e = zeros(1, 0); if ~never, e = []; end
disp(size(e)), disp(sum(e))
e = []; if never, e = [1; 2; 3]; end
disp(size(e)), disp(size(e(:)))
e = zeros(1, 0); if ~never, e = zeros(2, 0); end
disp(size(e))
