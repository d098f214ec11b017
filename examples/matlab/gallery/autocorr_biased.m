function r = autocorr_biased(x, maxlag)
%AUTOCORR_BIASED  autocorrelation coefficients for the lags 0..maxlag
% megha: fn autocorr_biased(x: f64[n, 1], maxlag: usize) -> r
n = length(x);
if maxlag > n - 1
    maxlag = n - 1;
end
xc = x - mean(x);
c0 = sum(xc.^2);
r = [];
for lag = 0:maxlag
    s = sum(xc(1:n-lag) .* xc(1+lag:n));
    if c0 == 0
        r = [r, 0];
    else
        r = [r, s/c0];
    end
end
