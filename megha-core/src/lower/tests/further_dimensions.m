% Subscripts behind the last dimension of an array: 1, or a dimension that the store makes.
n = 3;
y = zeros(3, n, 1);
k = 1;
y(2, 1, k) = 5;
for k = 1:1
  y(:, 2, k) = [1; 2; 3];
end
y
for k = 1:size(y, 3), y(1, :, k) = -k; end
y
z = zeros(2, 2);
for k = 1:3
  z(:, :, k) = [1 2; 3 4] * k;
end
z
size(z)
v = zeros(2, 1);
v(1, 1, 2) = 4;
size(v), v(:)'
s = 1;
s(1, 1, 3) = 7;
size(s), s(:)'
a = permute(reshape(1:9, 3, 1, 3), [1 3 2])
b = permute(reshape(1:9, 3, 1, 3), [3 1 2])
c = permute(reshape(1:9, 1, 3, 3), [2 3 1])
d = ipermute(reshape(1:6, 1, 2, 3), [3 1 2]);
size(d), d(:)'
% Deletion of elements of a matrix by one subscript.
M = magic(3);
x = M; x(2) = []
x = M; x([1 5 9]) = []
x = M; x(1:2) = []
x = M; x(:, :) = [];
size(x)
x = M; x(:) = [];
size(x)
