function y = moving_avg(x, w)
% centred moving average; the window is cut at the ends
% megha: fn moving_avg(x: f64[1, n]) -> y
if nargin < 2
    w = 5;
end
n = length(x);
h = floor(w/2);
y = zeros(1, n);
for k = 1:n
    lo = max(1, k-h);
    hi = min(n, k+h);
    y(k) = mean(x(lo:hi));
end
