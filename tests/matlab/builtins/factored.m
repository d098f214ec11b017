% What the factors of a matrix make of a vector each: numbers that no other factors give, the solutions of least squares, and of systems
% the shortest.
function y = factored(A)
  m = size(A, 1);
  n = size(A, 2);
  [L, U, P] = lu(A);
  [Q, R] = qr(A);
  [q, r] = qr(A, 0);
  a = cos((1:m)');
  b = sin((1:n)');
  y = [L * sin((1:min(m, n))'); U * b; P * a; Q' * a; R * b; q' * a; r * b; A \ a];
end
