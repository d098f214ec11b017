% Signs of zeros, as infinities, the order of short sums and products, and complex numbers by real ones.
function y = signs(z, M, s, p)
  w = 1i * 1i;
  t = complex(1, 2) * (s - 1);
  a = 1 ./ [sum(z, 1), sum(s), sum(s, 2), max(s, 0), max(0, s), min(s, 0), max(s, z), max(z, s), min(s, z)];
  b = 1 ./ [max(M)'; min(M, [], 2); sum(M, 1)'; sum(M, 2); sum(M, 3)(:); max(M, -M)(:); unique(M); mean(z, 1)'];
  c = [prod(p), prod(p'), sum(p), sum([p; -p], 2)', prod([p; p]), prod([p' p']), mean(p), dot(p, p)];
  d = [w * Inf, w * s, t * Inf, t / 0, (w * p(2)) / (w * s), complex(p(2) * p(4) * p(2), 2) / (w * 2)];
  y = [a'; b; c'; real(d)'; imag(d)'; setxor(z, [1 NaN])'];
end
