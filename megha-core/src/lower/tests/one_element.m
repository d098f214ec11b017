x = [3 1 2 5 4];
i = find(x == 5);
y(1) = i;
y(2) = x(find(x == 2))
z = zeros(2, 3);
z(1, find(x == 1)) = 7;
z(find(x == 1), 3) = x(i)
if x(i) > 3, disp('yes'), end
w = x(i) + 1
q = zeros(i, 1)';
for k = 1:i, q(k) = k^2; end
q
m = reshape(1:6, find(x == 2), find(x == 1))
[v, k] = max(x .* (x < 5));
x(k) = x(find(x == v)) - find(x == v, 1)
