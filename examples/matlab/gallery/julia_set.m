function n = julia_set(m, cr, ci, maxit)
% Julia set with complex arrays and a mask
% megha: fn julia_set(m: usize, cr: f64, ci: f64, maxit: usize) -> n
c = cr + 1i*ci;
[x, y] = meshgrid(linspace(-1.5, 1.5, m), linspace(-1.5, 1.5, m));
z = x + 1i*y;
n = zeros(m);
for k = 1:maxit
    inside = abs(z) <= 2;
    n = n + inside;
    z(inside) = z(inside).^2 + c;
end
