% A mask counts elements columns first and is never expanded.
A = reshape(1:6, 2, 3);
A([1 0 1] > 0) = 50;
A
A([0; 1] > 0) = 70;
A
v = 1:6;
v(reshape([1 0 0 1 0 1], 2, 3) > 0) = -1;
v
x = int8([1 2 3]);
y = exp(x) - 1;
y
s = sqrt(x);
s
h = hypot(x, x);
h
w = [4 5 6];
w([single(2) 1])
w(single(3)) = 7;
w
true(3 < 4)
function [x, r] = marked_by_another(x, y)
  x(y > 1) = 0.5;
  r = x(y > 1);
end
[x, r] = marked_by_another((1:4)', 2); disp(x'); disp(r);
[x, r] = marked_by_another((1:4)', 0); disp(x'); disp(size(r));
[x, r] = marked_by_another(1:4, [0 2]); disp(x); disp(r);
[x, r] = marked_by_another((1:3)', [2 2 0 0 0]); disp(x'); disp(r);
