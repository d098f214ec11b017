function [s, terms] = exp_series(x)
% exponential function by its series, until nothing changes
% megha: fn exp_series(x: f64[1, n]) -> (s, terms)
s = zeros(size(x));
terms = s;
for i = 1:numel(x)
    term = 1;
    total = 1;
    k = 0;
    last = 0;
    while total ~= last
        last = total;
        k = k + 1;
        term = term*x(i)/k;
        total = total + term;
    end
    s(i) = total;
    terms(i) = k;
end
