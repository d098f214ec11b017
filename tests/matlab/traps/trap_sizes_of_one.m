function [y, s] = trap_sizes_of_one(x, k)
% A branch asks whether an argument is one number: what only numbers can do is allowed there, `zeros(k, 2)`.
% megha: fn trap_sizes_of_one(x: f64[n, 1], k: f64[1, m]) -> (y, s)
if length(k) == 1
    y = zeros(k, 2);
    k = [k, k];
else
    y = ones(length(k), 2);
end
s = sum(k);
if isscalar(x)
    s = s + mod(x, 3);
    y(1, 2) = x;
    x = x * ones(2, 1);
    x(2) = x(1) ^ 2;
elseif numel(k) == 1
    x = x / [k; k];
end
y = y + sum(x);
