% What is deleted where one logical number says so, and of a scalar.
function y = one_goes(r, c, A)
  a = r;
  a(r(1) > 0) = [];
  b = c;
  b(c(1) < 0) = [];
  d = A;
  d(A(1) > 0, :) = [];
  e = A;
  e(:, A(1) < 0) = [];
  f = r;
  f(2:1, :) = [];
  g = A(1);
  g(1, :) = [];
  h = A(1);
  h(:, 1) = [];
  y = [a(:); b(:); d(:); e(:); f(:); size(a)'; size(b)'; size(d)'; size(e)'; size(g)'; size(h)'];
end
