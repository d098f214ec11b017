% Statistics and counts.
function y = samples(r, c, A)
  h = histc(r, -2:2:8);
  [n, x] = hist(c, 3);
  a = accumarray(c(c > 0), 1);
  s = cumsum(A, 2);
  y = [s(:); std(r); var(A)'; median(r); median(A, 2); mode(c); cov(r, c'); h(:); n(:); x(:); a(:); mean(A, 2); std(A, 1, 2); norm(r * 1e200) * 1e-200; norm(A * 1e-200, 'fro') * 1e200; norm(r)];
end
