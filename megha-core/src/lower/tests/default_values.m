1;
function [a, b] = scaled(x, n = 2, m = n + 1)
  a = x * n;
  b = [m nargin];
end
function y = row_of(x, from = 1, to = numel(x))
  y = x(from:
        to);
end
[a, b] = scaled(3)
[a, b] = scaled(3, 5)
[a, b] = scaled([1 2], 5, 7)
row_of(4:9)
row_of(4:9, 3)
row_of(4:9, 3, 4)
c = (1 + 2   % a comment
  + 4) * 2
fprintf("%d %d\n",
   3,

   4);
