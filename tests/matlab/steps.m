function y = steps(first, count, step)
% STEPS  Numbers at equal distances.
%
% megha: fn steps(first: f64, count: usize, step: f64) -> y: f64[1, count]
arguments
    first (1,1) double
    count (1,1) double {mustBeInteger}
    step  (1,1) double {mustBeNonzero} = 2
end
y = first + shifted(1:count) * step;
end
