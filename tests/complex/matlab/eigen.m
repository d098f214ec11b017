function [r, s, e, w, h, g, fits] = eigen(p, q, A, Z)
% megha: fn eigen(p: f64[1, n], q: c64[1, k], A: f64[m, m], Z: c64[j, j]) -> (r: c64[:, 1], s: c64[:, 1], e: c64[m, 1], w: c64[m, 1], h: f64[j, 1], g: c64[1, k], fits: f64[1, 3])
r = roots(p);
s = sort(roots(q));
% A result that is declared complex: complex eigenvalues are meant.
e = eig(A);
[V, D] = eig(A);
w = diag(D);
[U, H] = eig(Z + Z');
h = real(diag(H));
g = sort(q, 'descend');
[X, Y] = eig(Z);
B = A' * A + eye(size(A, 1));
[P, Q] = eig(A, B);
fits = double([norm(A * V - V * D) < 1e-12, norm((Z + Z') * U - U * H) < 1e-12, norm(Z * X - X * Y) < 1e-12 && norm(A * P - B * P * Q) < 1e-12]);
end
