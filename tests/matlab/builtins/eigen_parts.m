% Eigenvalues and eigenvectors of a real matrix that may be complex, by their parts. What is added makes Octave take the matrix for real.
function [re, im, x, y] = eigen_parts(A)
  [V, D] = eig(complex(A) + 0);
  re = real(diag(D));
  im = imag(diag(D));
  x = real(V);
  y = imag(V);
end
