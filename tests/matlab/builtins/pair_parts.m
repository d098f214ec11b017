% Generalised eigenvalues and eigenvectors that may be complex, by their parts.
function [re, im, x, y] = pair_parts(A, B)
  [V, D] = eig(complex(A) + 0, B);
  re = real(diag(D));
  im = imag(diag(D));
  x = real(V);
  y = imag(V);
end
