function [a, b, c] = trap_imaginary_unit(x)
% `i` and `j` are the imaginary unit until they are assigned.
% megha: fn trap_imaginary_unit(x: f64) -> (a, b, c)
a = real(i * i) + x;
b = 0;
for i = 1:3
    b = b + i;
end
c = i * i;
