% Linear algebra.
function y = solved(P, B)
  r = chol(P);
  [l, u, p] = lu(P);
  [q, t] = qr(B');
  i = inv(P);
  v = pinv(B);
  y = [r(:); l(:); u(:); p(:); q(:); t(:); i(:); v(:); svd(B); eig(P); det(P); rank(B); cond(P); norm(B); norm(P, 1)];
end
