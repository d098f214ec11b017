% A row stored at a remainder that can only be one: the vector stays one row and meets matrices as such.
v = [3 1 2];
A = reshape(1:9, 3, 3);
x = sum(v) * 1.5;
for k = 1:2
  v(mod(floor(x), 1) + 1, :) = sum(mod(A, 11) .* mod(v, 13));
end
disp(v)
w = [1 2 3];
for k = 1:3
  w(min(floor(x / k), 1), :) = w + k;
  disp(A .* w)
end
