1;
% Arrays that grow are displayed as they are, not as they will be.
y = [];
for k = 1:3
  y(k) = k;
  y(k) = y(k) + k
end
z = [];
for k = 1:3
  [z(k), w] = deal(k, 2)
end
u = [];
for k = 1:2
  u(k) = k;
  u(1) += 1
end
% A single number by a mask.
x = 5; x(x == 7) = []
x = 5; x(x == 5) = []
x = 3; x(x > 2, :) = []
x = 3; x(:, x > 2) = []
x = 3; x(false) = []
n = numel(find([1 0 1]));
x = 3; x(x == n) = []
x = 3; x(x ~= n) = []; y = sum(x), z = isempty(x), w = [x 4]
% Limits of random numbers in a variable.
v = [1 10];
disp(size(randi(v, 4, n)))
v = [3 3];
disp(randi(v, 2, n))
% What `complex` makes is complex until something is computed with it.
z = complex(1, 0);
disp(isreal(complex(1, 0))), disp(isreal(z)), disp(iscomplex(z)), disp(isreal(z + 0)), disp(isreal(complex([1 2], 0)))
y = z; disp(isreal(y)), disp(isreal(-z)), disp(isreal(z.')), disp(isreal(z')), disp(isreal([z z])), disp(isreal(z * 1i))
disp(isreal(sum(z))), disp(isreal(reshape(complex([1 2], 0), 2, 1))), disp(isreal(z(1))), disp(isreal(double(z)))
a = prod(z), b = z.', c = z
y = complex([1 2], 0); disp(isreal(y(1))), y(2) = 3; disp(isreal(y))
% Shifts by more than there are bits.
disp(bitshift(1, 100)), disp(bitshift(1, -100)), disp(bitshift([3 3 3], [1 -1 70]))
disp(bitshift(uint8(3), 100)), disp(bitshift(int16(-4), 2)), disp(bitshift(uint64(3), 70)), disp(bitshift(1, 52))
