function [x, it] = gauss_seidel(A, b, tol, maxit)
% Gauss-Seidel iteration for A x = b.
%
%   A     square, diagonally dominant
%   b     right-hand side
%   tol   stop when the residual is below tol*norm(b)
%   maxit at most this many sweeps
% megha: fn gauss_seidel(A: f64[n, n], b: f64[n, 1], tol: f64, maxit: usize) -> (x, it)

n = length(b);
x = zeros(n,1);
it = 0;

for k = 1:maxit
    for i = 1:n
        sigma = 0;
        for j = 1:n
            if j ~= i
                sigma = sigma + A(i,j)*x(j);
            end
        end
        if A(i,i) == 0
            error('gauss_seidel:zero', 'zero on the diagonal in row %d', i);
        end
        x(i) = (b(i) - sigma)/A(i,i);
    end
    it = k;
    res = norm(b - A*x);
    if res <= tol*norm(b), break; end
end
