function [y, z, w] = trap_third_dimension(v)
% A vector may lie along its third dimension; one subscript counts along it.
% megha: fn trap_third_dimension(v: f64[1, n]) -> (y, z, w)
n = numel(v);
deep = reshape(v, 1, 1, n);
y = zeros(1, n);
for k = 1:n
    y(k) = deep(n - k + 1) * 2;
end
deep(n) = deep(1) + 1;
for k = 2:n
    deep(k) = deep(k) + deep(k - 1);
end
z = squeeze(deep)';
w = mean(deep) ./ deep(2:2) + deep(end);
