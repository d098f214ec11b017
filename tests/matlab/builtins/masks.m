% Masks as subscripts, for reading and for storing.
function y = masks(r, c, A)
  a = r;
  a(a < 0) = 0;
  b = A;
  b(b > 4) = -b(b > 4);
  d = c;
  d(r > 2) = 7;
  e = A;
  e(:, A(1, :) > 2) = 1;
  f = A;
  f(logical(eye(3))) = [1 2 3];
  g = zeros(size(r));
  g(r > 0) = r(r > 0) + 1;
  p = find(r > 0);
  h = 0;
  for k = p
    h = h + r(k) * k;
  end
  if any(r > 100)
    h = -1;
  end
  n = numel(find(A > 4));
  y = [a(:); b(:); d(:); e(:); f(:); g(:); h; n; nnz(r > 0)];
end
