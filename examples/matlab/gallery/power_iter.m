function [lambda, v, k] = power_iter(A, tol, kmax)
% largest eigenvalue by power iteration
% megha: fn power_iter(A: f64[n, n], tol: f64, kmax: usize) -> (lambda, v, k)
n = length(A);
v = ones(n,1)/sqrt(n);
lambda = 0;
for k = 1:kmax
    w = A*v;
    lambda_new = v'*w;
    v = w/norm(w);
    if abs(lambda_new - lambda) < tol*abs(lambda_new)
        lambda = lambda_new;
        return
    end
    lambda = lambda_new;
end
