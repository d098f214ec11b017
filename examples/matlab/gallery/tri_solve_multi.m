function [X, ok] = tri_solve_multi(L, B)
% forward substitution with many right-hand sides, and whether the residual is small
% megha: fn tri_solve_multi(L: f64[n, n], B: f64[n, k]) -> (X, ok)
[n, k] = size(B);
X = zeros(n, k);
for i = 1:n
    X(i,:) = (B(i,:) - L(i,1:i-1)*X(1:i-1,:))/L(i,i);
end
R = tril(L)*X - B;
ok = max(abs(R(:))) < 1e-12;
