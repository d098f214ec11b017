function [last, rows] = trap_remainder_stores(x, n)
% As above: what is stored there makes the arrays grow.
% megha: fn trap_remainder_stores(x: f64[1, k], n: usize) -> (last, rows)
last = zeros(1, n);
rows = zeros(n, 2);
for i = 1:numel(x)
    last(mod(x(i), n) + 1) = i;
    rows(mod(x(i), n) + 1, :) = [i, x(i)];
end
