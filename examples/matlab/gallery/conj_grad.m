function [x, k, hist] = conj_grad(A, b, tol)
% Conjugate gradients; hist holds the norms of the residuals
% megha: fn conj_grad(A: f64[n, n], b: f64[n, 1], tol: f64) -> (x, k, hist)
x = zeros(size(b));
r = b - A*x;
p = r;
rs = r'*r;
hist = sqrt(rs);
k = 0;
while sqrt(rs) > tol
    Ap = A*p;
    alpha = rs/(p'*Ap);
    x = x + alpha*p;
    r = r - alpha*Ap;
    rsnew = r'*r;
    p = r + (rsnew/rs)*p;
    rs = rsnew;
    k = k + 1;
    hist(end+1) = sqrt(rs);
    if k >= 2*length(b)
        break;
    end
end
