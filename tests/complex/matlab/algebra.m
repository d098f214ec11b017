function [P, H, x, y, l, k, D] = algebra(A, B, b)
% megha: fn algebra(A: c64[n, n], B: f64[n, n], b: f64[n, 1]) -> (P, H, x, y, l, k, D)
% products, systems, blocks
P = [A*A, A*B, B*A, A^3];
H = A'*A - A.'*conj(A);
x = A \ b;
y = b.' / A;
l = A(:, 1:2) \ b;
k = kron([1, 2i], A);
D = [diff(A); repmat([A(1, :); 1:size(A, 2)], 2, 1); flipud(A(1:2, :))];
end
