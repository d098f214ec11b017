function [a, b, c, d, e, f] = trap_ranges(n)
% + and - bind tighter than the colon; a range may be empty, count down and
% end before its limit; assigning the loop variable changes no trip.
% megha: fn trap_ranges(n: usize) -> (a, b, c, d, e, f)
a = -1 + 1:n;
b = size(n + 1:n);
c = sum(n:-2:0);
d = 0:0.1:0.35;
e = 0;
for k = 1:n
    e = e + k;
    k = 10 * k;
end
f = 0;
for x = 2.5:-0.75:0
    f = f + x;
end
