function [label, c] = kmeans(x, c)
% One step: the nearest centre of each point, and the mean of the points of each centre.
d = zeros(size(x, 1), size(c, 1));
for q = 1:size(c, 1)
  d(:, q) = sum((x - c(q, :)) .^ 2, 2);
end
[~, label] = min(d, [], 2);
for q = 1:size(c, 1)
  c(q, :) = mean(x(label == q, :), 1);
end
end
