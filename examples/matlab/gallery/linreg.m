function [a, b, r2] = linreg(x, y)
% straight line y = a + b*x by least squares, and the coefficient of
% determination
% megha: fn linreg(x: f64[n, 1], y: f64[n, 1]) -> (a, b, r2)
n = numel(x);
if n < 2
    error('linreg: need at least two points');
end
sx = sum(x); sy = sum(y);
sxx = sum(x.*x); sxy = sum(x.*y);
b = (n*sxy - sx*sy)/(n*sxx - sx^2);
a = (sy - b*sx)/n;
yhat = a + b*x;
r2 = 1 - sum((y - yhat).^2)/sum((y - mean(y)).^2);
