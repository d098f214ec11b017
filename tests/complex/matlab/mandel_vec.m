function [iters, zz] = mandel_vec(n, maxit)
% megha: fn mandel_vec(n: usize, maxit: usize) -> (iters: f64[n, n], zz: c64[n, n])
[X, Y] = meshgrid(linspace(-2, 0.5, n), linspace(-1.2, 1.2, n));
C = X + i*Y;
Z = zeros(n, n);
iters = zeros(n, n);
for k = 1:maxit
    mask = abs(Z) <= 2;
    Z = mask .* (Z.^2 + C) + (1 - mask) .* Z;
    iters = iters + mask;
end
zz = Z;
end
