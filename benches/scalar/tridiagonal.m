function x = tridiagonal(a, b, c, d)
% Thomas's algorithm: a below, b on and c above the diagonal.
n = length(d);
x = zeros(n, 1);
for i = 2:n
    w = a(i) / b(i - 1);
    b(i) = b(i) - w * c(i - 1);
    d(i) = d(i) - w * d(i - 1);
end
x(n) = d(n) / b(n);
for i = n - 1:-1:1
    x(i) = (d(i) - c(i) * x(i + 1)) / b(i);
end
end
