function [s, p, a, o, z, t] = trap_empty(x)
% Reductions of nothing: sum 0, product 1, all true, any false; an empty
% condition is false.
% megha: fn trap_empty(x: f64[1, n]) -> (s, p, a, o, z, t)
none = x(1:0);
s = sum(none) + sum([]);
p = prod(none);
a = all(none);
o = any(none);
z = isempty(none) + isempty(zeros(0, 3)) + isempty(x);
t = 1;
if none
    t = 2;
end
if []
    t = 3;
end
