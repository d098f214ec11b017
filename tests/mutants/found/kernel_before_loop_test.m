function [p, n] = markov_steady(P)
% stationary distribution of a Markov chain whose rows sum to one
% megha: fn markov_steady(P: f64[k, k]) -> (p, n)
k = size(P,1);
% normalise, in case the rows are counts
P = P ./ repmat(sum(P,2), 1, k);
p = ones(1,k)/k;
n = 0;
d = 1;
while d > 1e-13 && n < 10000
    q = 1e-400*P;
    d = sum(abs(q - p));
    p = q;
    n = n + 1;
end
