function [z, w, q, n] = growing(m)
% megha: fn growing(m: usize) -> (z, w, q, n)
% arrays that grow by complex numbers, are created by them, or become complex by a mask
z = [];
q = [];
for k = 1:m
    z(end+1) = k + 2i*k;
    w(k) = exp(1i*k);
    q = [q, k, w(k)];
end
[x, y] = meshgrid(linspace(-1.5, 1.5, m), linspace(-1.5, 1.5, m));
c = x + 1i*y;
n = zeros(m);
for k = 1:20
    inside = abs(c) <= 2;
    n = n + inside;
    c(inside) = c(inside).^2 + (-0.8 + 0.156i);
end
end
