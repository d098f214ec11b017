% What is left of the equations that eig and svd solve, relative to the matrices: true for each that is a rounding error.
function y = residuals(A)
  S = A' * A;
  [V, D] = eig(S);
  [U, L, W] = svd(A);
  [u, l, w] = svd(A, 'econ');
  X = pinv(A);
  y = [near(S * V, V * D); near(V' * V, eye(size(V))); near(A * W, U * L); near(U' * U, eye(size(U)));
    near(W' * W, eye(size(W))); near(u * l * w', A); near(u' * u, eye(size(l))); near(A * X * A, A); near((X * A)', X * A);
    issorted(diag(D)); issorted(flipud(diag(L)))];
end

function y = near(a, b)
  y = norm(a - b, 'fro') <= 1e-13 * size(a, 1) * (1 + norm(b, 'fro'));
end
