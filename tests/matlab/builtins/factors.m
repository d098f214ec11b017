% Factors by eig and svd: products, orthogonality and order; signs are not compared.
function y = factors(A, B)
  S = A + A';
  [V, D] = eig(S);
  [U, L, W] = svd(B);
  [u, l, w] = svd(B', 'econ');
  [p, k, q] = svd([1 2; 2 4; 3 6]);
  y = [diag(D); reshape(V * D * V', [], 1); reshape(V' * V, [], 1); diag(L); reshape(U * L * W', [], 1);
    reshape(U' * U, [], 1); size(U)'; size(L)'; size(W)'; diag(l); reshape(u * l * w', [], 1); size(u)'; size(l)'; size(w)';
    k(:); reshape(p * k * q', [], 1); reshape(p' * p, [], 1); abs(null([1 2; 2 4])); abs(orth([1 2; 2 4]))];
end
