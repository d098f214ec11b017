1;
% variables that are rows while elements are stored and columns afterwards
function [x, rest] = shares(total, parts)
  count = numel(parts);
  rest = total;
  x(1:count) = 0;
  for k = 1:count - 1
    x(k) = floor(rest * parts(k));
    rest = rest - x(k);
    if rest <= 1
      x = x';
      return
    end
  end
  x(count) = rest;
  x = x';
end
function z = crossings(y, x)
  k = find(y(1:end-1) .* y(2:end) < 0);
  z = [];
  exact = find(y == 0);
  if ~isempty(exact)
    z = x(exact);
  end
  z = [z, (x(k) + x(k+1)) / 2];
  if y(end) > 0
    z(end+1) = x(end);
  end
end
function s = stacked(n)
  s = [];
  for k = 1:n
    s(end+1) = k;
    if mod(k, 2) == 0
      s = s';
    end
  end
end
disp(shares(20, [0.5 0.25 0.25]));
[x, rest] = shares(5, [0.9 0.25 0.25]);
disp(x'); disp(rest);
disp(crossings([1 -1 0 2], 1:4));
disp(crossings([1 2 -1 -2], 1:4));
disp(crossings([1 2 1 2], 1:4));
disp(stacked(1)); disp(stacked(2)); disp(stacked(5)); disp(stacked(6)');
