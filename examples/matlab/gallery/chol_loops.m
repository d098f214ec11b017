function L = chol_loops(A)
% Cholesky decomposition A = L*L' column by column
% megha: fn chol_loops(A: f64[n, n]) -> L
n = size(A, 1);
L = zeros(n, n);
for j = 1:n
    s = A(j, j);
    for k = 1:j-1
        s = s - L(j, k)^2;
    end
    if s <= 0
        error('matrix is not positive definite');
    end
    L(j, j) = sqrt(s);
    for i = j+1:n
        t = A(i, j);
        for k = 1:j-1
            t = t - L(i, k)*L(j, k);
        end
        L(i, j) = t/L(j, j);
    end
end
