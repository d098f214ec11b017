% Middles, places, running extremes and counts of short arrays and of some longer than a run of a scan; products with transposed factors.
function y = chosen(r, c, A, B)
  x = mod((1:2503) * 617, 1009)';
  x(5) = NaN;
  m = [median(r), median(c), median(c(1:5)), median(A), median(A, 2)', median(B), median(B, 2)', median(x), median(x(6:2503))];
  [p, i] = max(B);
  [q, j] = min(A, [], 2);
  [s, k] = max(x);
  [t, l] = cummax(x);
  [u, n] = cummin(B);
  v = cummin(r);
  [d, e] = histc(x, 0:100:1000);
  f = lookup([0 10 200 500], x);
  g = circshift(B, [1 -1]);
  h = accumarray(e(6:1000) + 1, x(6:1000));
  o = [B' * B, B' * A(:, 1)];
  w = B * B';
  z = kron(A, B);
  y = [m'; p'; i'; q; j; s; k; t(5:2503); l; u(:); n(:); v'; d(:); e; f(:); g(:); h; o(:); w(:); z(:); repmat(r', 2, 1)];
end
