function [lo, hi, m, p, s] = trap_nan(x)
% min and max skip NaN, other reductions do not; NaN is unequal to itself.
% megha: fn trap_nan(x: f64[1, n]) -> (lo, hi, m, p, s)
lo = min(x);
hi = max(x);
m = max(x, 0);
p = x == x;
s = sum(x);
