% Singular values and vectors on all ways: of square, tall, wide and long matrices, small ones and larger ones. Of each column of U and V
% a sum tells.
function y = decompositions(A, B)
  y = [parts(A); parts(B); parts(B'); parts(A(:, 1)); parts(A(1, :)); parts([1 2; 2 4; 3 6]); parts(eye(3))];
  C = cos((1:40)' .^ 2 * (1:30));
  y = [y; parts(C); parts(C'); parts(C(:, 1:20)); parts(C(1:20, :)); parts(C(1:10, 1:25)); norm(C); cond(A); rank(C); svd(C)];
end

function y = parts(A)
  [U, S, V] = svd(A);
  [u, s, v] = svd(A, 'econ');
  [p, q, r] = svd(A, 0);
  y = [told(U); told(S); told(V); told(u); told(s); told(v); told(p); told(q); told(r); told(null(A)); told(orth(A))];
end

function y = told(A)
  y = [sum(A .* cos(1:size(A, 1))', 1)'; size(A)'];
end
