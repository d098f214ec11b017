function [m, r, h, f] = trap_remainders(x, y)
% mod has the divisor's sign, rem the dividend's; halves are rounded away
% from zero; fix goes towards zero.
% megha: fn trap_remainders(x: f64[1, n], y: f64) -> (m, r, h, f)
m = mod(x, y);
r = rem(x, y);
h = round(x);
f = fix(x) + mod(x, 0);
