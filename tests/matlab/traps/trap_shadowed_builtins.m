function [sum, size] = trap_shadowed_builtins(max, length)
% Names of built-in functions are ordinary names of variables.
% megha: fn trap_shadowed_builtins(max: f64[1, n], length: f64) -> (sum, size)
pi = 3;
sum = 0;
for ones = 1:length
    sum = sum + max(ones) * pi;
end
size = sum + max(end);
