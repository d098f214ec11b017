function [t, u] = trap_conditions(x, y)
% A condition holds where all elements are non-zero; && and || stop early.
% megha: fn trap_conditions(x: f64[m, n], y: f64[1, k]) -> (t, u)
t = 0;
if x
    t = 1;
end
if x > 0
    t = t + 2;
end
u = 0;
k = numel(y) + 1;
while k > 1 && y(k - 1) > 0
    k = k - 1;
    u = u + y(k);
end
