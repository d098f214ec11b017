function y = fir_loops(x, h)
n = numel(x); t = numel(h);
y = zeros(n - t + 1, 1);
for i = 1:n - t + 1
  s = 0;
  for k = 1:t
    s = s + h(k) * x(i + t - k);
  end
  y(i) = s;
end
end
