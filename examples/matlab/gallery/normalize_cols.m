function [Z, mu, sigma] = normalize_cols(X)
% columns with mean 0 and deviation 1
% megha: fn normalize_cols(X: f64[n, d]) -> (Z, mu, sigma)
n = size(X, 1);
mu = mean(X, 1);
D = X - repmat(mu, n, 1);
sigma = sqrt(sum(D.^2, 1)/max(n-1, 1));
sigma(sigma == 0) = 1;
Z = D ./ repmat(sigma, n, 1);
