function [counts, centers, mode_bin] = hist_bins(x, nbins)
% histogram with equal bins, the maximum belongs to the last one
% megha: fn hist_bins(x: f64[n, 1], nbins: usize) -> (counts, centers, mode_bin)
lo = min(x); hi = max(x);
if lo == hi
    lo = lo - 0.5; hi = hi + 0.5;
end
width = (hi - lo)/nbins;
counts = zeros(1, nbins);
for k = 1:length(x)
    b = floor((x(k) - lo)/width) + 1;
    if b > nbins
        b = nbins;
    end
    counts(b) = counts(b) + 1;
end
centers = lo + width*((1:nbins) - 0.5);
[~, mode_bin] = max(counts);
