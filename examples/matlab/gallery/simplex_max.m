function [z, x] = simplex_max(A, b, c)
% maximises c*x subject to A*x <= b, x >= 0 (b >= 0) with a tableau
% megha: fn simplex_max(A: f64[m, n], b: f64[m, 1], c: f64[1, n]) -> (z, x)
[m, n] = size(A);
T = [A, eye(m), b; -c, zeros(1, m+1)];
basis = n+1:n+m;
for iter = 1:100
    [low, col] = min(T(m+1, 1:n+m));
    if low >= -1e-12
        break
    end
    ratio = inf(m, 1);
    for i = 1:m
        if T(i,col) > 1e-12
            ratio(i) = T(i,end)/T(i,col);
        end
    end
    [r, row] = min(ratio);
    if isinf(r)
        error('the problem is unbounded');
    end
    T(row,:) = T(row,:)/T(row,col);
    for i = [1:row-1, row+1:m+1]
        T(i,:) = T(i,:) - T(i,col)*T(row,:);
    end
    basis(row) = col;
end
z = T(m+1,end);
x = zeros(n+m,1);
x(basis) = T(1:m,end);
x = x(1:n);
