% arrays that grow in loops that are tested behind the body
c = 1; d = [];
do
  c = c * 2;
  d(end + 1, 1) = c;
until c > 10
disp(d')
n = 0;
do
  n = n + 1;
  e(n, :) = [n, n^2];
until n > 2
disp(e)
x = 7; s = [];
do
  s = [s, x];
  if mod(x, 2) == 0, x = x / 2; else x = 3 * x + 1; end
until x == 1 || numel(s) > 100
disp(numel(s)), disp(s(end))
