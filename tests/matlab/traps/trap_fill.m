function [a, b] = trap_fill(a, v)
% a(:) = scalar keeps the shape of a, and so does a(:) = v.
% megha: fn trap_fill(a: f64[m, n], v: f64) -> (a, b)
b = a;
a(:) = v;
b(:) = b(end:-1:1);
