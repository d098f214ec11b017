function [v, k, s] = trap_columns_first(a)
% One subscript and x(:) count columns first, whatever the order in memory.
% megha: fn trap_columns_first(a: f64[m, n]) -> (v, k, s)
v = a(:);
k = a(2) - a(end);
s = 0;
for t = 1:numel(a)
    s = s + t * a(t);
end
