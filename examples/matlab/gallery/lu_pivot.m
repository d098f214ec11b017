function [L, U, p] = lu_pivot(A)
% LU decomposition with partial pivoting: A(p,:) = L*U
% megha: fn lu_pivot(A: f64[n, n]) -> (L, U, p)
n = size(A,1);
p = 1:n;
for k = 1:n-1
    [~, r] = max(abs(A(k:n,k)));
    r = r + k - 1;
    if r ~= k
        A([k r],:) = A([r k],:);
        p([k r]) = p([r k]);
    end
    if A(k,k) == 0
        continue
    end
    rows = k+1:n;
    A(rows,k) = A(rows,k)/A(k,k);
    A(rows,rows) = A(rows,rows) - A(rows,k)*A(k,rows);
end
L = tril(A,-1) + eye(n);
U = triu(A);
