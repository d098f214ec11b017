% What the inverse, the Cholesky factor and the solutions for a square matrix make of a vector.
function y = inverses(A)
  n = size(A, 1);
  b = sin((1:n)');
  y = [inv(A) * b; chol(A' * A + eye(n)) * b; A \ b; (A \ cos((1:n)' * (1:9))) * (1:9)'; log(abs(det(A))); sign(det(A))];
end
