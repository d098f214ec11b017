1;
function Q = outer_products(X)
    Q = 0;
    for i = 1:size(X, 1)
        Q = Q + X(i, :)' * X(i, :);
    end
end
function y = multiples(n, v)
    y = 0;
    for k = 1:n
        y = y + v * k;
    end
end
A = outer_products([1 2; 3 4; 5 6])
B = outer_products(zeros(0, 2))
sizes = [size(A) size(B)]
a = multiples(0, [1 2 3])
b = multiples(3, [1 2 3])
c = a + b
d = b .* a - a ./ b
e = [a b]
column = multiples(2, [1; 2])
table = b + column
xold = 2; x = [1; 2; 3]; it = 0;
while norm(x - xold) > 1e-3
    xold = x; x = x / 2; it = it + 1;
end
it, xold
M = magic(5); best = 0; bv = -1; s = 0; t = 0;
for i = 1:4
    if M(i, 2) > bv, best = M(i, :); bv = M(i, 2); end
    s = s + M(i, :);
    t = t + M(:, i);
end
best, s, t'
steps = zeros(3, 2); prev = 0;
for i = 1:3
    cur = [i i^2];
    steps(i, :) = cur - prev;
    prev = cur;
end
steps
if any(s > 1000), w = 3; else w = s; end
larger = max(w, 70), both = w >= 70 & M(1, :) > 10
