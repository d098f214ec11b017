function y = softmax_rows(a)
y = zeros(size(a));
for i = 1:size(a, 1)
  e = exp(a(i, :) - max(a(i, :)));
  y(i, :) = e / sum(e);
end
end
