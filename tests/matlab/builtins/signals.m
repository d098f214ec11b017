% Sampled functions.
function y = signals(r, e, A)
  a = conv(r, e);
  b = conv2(A, [1 2; 0 1], 'same');
  f = filter([1 2 3], [2 1 0.5], r);
  i = interp1(e, r, [0.5 2.5 7 9]);
  i(isnan(i)) = -1;
  p = polyfit(e, r, 2);
  g = gradient(r);
  d = diff(A, 1, 2);
  h = arrayfun(@(t) t^2 - 1, r);
  y = [a(:); b(:); f(:); i(:); p(:); polyval(p, r(:)); g(:); d(:); h(:); trapz(e, r); cumtrapz(r)'];
end
