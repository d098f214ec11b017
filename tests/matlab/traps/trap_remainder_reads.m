function y = trap_remainder_reads(v, x)
% The remainder of a number above 2^53 is rounded: it may be far above its divisor.
% megha: fn trap_remainder_reads(v: f64[1, n], x: f64[1, k]) -> y
n = numel(v);
y = zeros(size(x));
for i = 1:numel(x)
    y(i) = v(mod(x(i), n) + 1);
end
y = y + v(mod(x, n) + 1);
