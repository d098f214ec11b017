function y = fir_slices(x, h)
n = numel(x); t = numel(h);
y = zeros(n - t + 1, 1);
for k = 1:t
  y = y + h(k) * x(t-k+1:n-k+1);
end
end
