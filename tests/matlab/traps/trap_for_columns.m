function [s, c] = trap_for_columns(a)
% A loop over a matrix takes its columns.
% megha: fn trap_for_columns(a: f64[2, n]) -> (s, c)
s = 0;
c = 0;
for column = a
    s = s + column(1) * column(2);
    c = c + 1;
end
