function y = convolution_loops(a, h)
[n, m] = size(a); [p, q] = size(h);
y = zeros(n - p + 1, m - q + 1);
for j = 1:m - q + 1
  for i = 1:n - p + 1
    s = 0;
    for l = 1:q
      for k = 1:p
        s = s + h(p + 1 - k, q + 1 - l) * a(i + k - 1, j + l - 1);
      end
    end
    y(i, j) = s;
  end
end
end
