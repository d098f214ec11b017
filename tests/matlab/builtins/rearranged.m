% Elements in other places.
function y = rearranged(r, c, B, T)
  d = diag(c);
  e = diag(B, 1);
  u = triu(B) - tril(B, -1);
  s = circshift(B, [1 -1]);
  t = circshift(r, 2);
  o = rot90(B);
  p = permute(T, [3 1 2]);
  z = toeplitz(r);
  k = kron(r, c);
  m = repmat(B, 2, 2);
  h = cat(3, B, T(1) + B);
  x = cross(r(1:3), r(4:6));
  y = [d(:); e(:); u(:); s(:); t(:); o(:); p(:); z(:); k(:); m(:); x(:); trace(z); h(:)];
end
