function [m, s, med, lo, hi] = stats_summary(x)
% mean, standard deviation, median and range of the numbers in x
% that are not NaN
% megha: fn stats_summary(x: f64[n, 1]) -> (m, s, med, lo, hi)
x = x(~isnan(x));
n = length(x);
if n == 0
    m = NaN; s = NaN; med = NaN; lo = NaN; hi = NaN;
    return
end
m = sum(x)/n;
if n > 1
    s = sqrt(sum((x - m).^2)/(n - 1));
else
    s = 0;
end
x = sort(x);
if mod(n, 2) == 1
    med = x((n+1)/2);
else
    med = (x(n/2) + x(n/2+1))/2;
end
lo = x(1);
hi = x(end);
fprintf('n = %d, mean = %8.4f, std = %8.4f\n', n, m, s);
