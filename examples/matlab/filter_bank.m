function out = filter_bank(signal, taps)
% FILTER_BANK  Several finite impulse response filters over one signal.
%
%   out = filter_bank(signal, taps)
%
%   signal  (n,1)      samples
%   taps    (k,f)      impulse responses, one filter in each column
%   out     (n-k+1,f)  response of each filter, from the first sample that
%                      has a whole response behind it; no rows if n < k

% megha: fn filter_bank(signal: f64[n, 1], taps: f64[k, f]) -> out

[order, filters] = size(taps);
samples = length(signal) - order + 1;

out = zeros(samples, filters);
for f = 1:filters
    for s = 1:samples
        response = 0;
        for k = 1:order
            response = response + taps(k, f) * signal(s + order - k);
        end
        out(s, f) = response;
    end
end
end
