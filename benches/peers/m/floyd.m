function d = floyd(d)
for k = 1:size(d, 1)
  d = min(d, d(:, k) + d(k, :));
end
end
