% A mask need not have the array's shape, a matrix may be one subscript of several, the bound of a range may be an array.
% megha: fn trap_subscripts(A: f64[m, n], rows: f64[k, 1]) -> (marked, first, stored, others)
function [marked, first, stored, others] = trap_subscripts(A, rows)
  marked = A;
  marked(rows > 0) = -1;
  first = A;
  first(A(1, :) > 2) = 0;
  which = [1 2; 2 1];
  part = A(which, which(1, :));
  stored = A;
  stored(1, which(:, 1)) = 9;
  stored(which(1:2), 3) = 7;
  total = 0;
  for i = 2:size(A)
    total = total + A(i, 1);
  end
  centred = bsxfun(@minus, A, mean(A));
  vectors = [isvector(A), isvector(rows), isvector(A(1, :)), isvector(total)];
  others = [part(:); total; centred(:); double(vectors)'];
end
