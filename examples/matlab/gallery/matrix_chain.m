function [cost, S] = matrix_chain(dims)
% cheapest order to multiply matrices of sizes dims(i) x dims(i+1)
% megha: fn matrix_chain(dims: f64[1, n]) -> (cost, S)
n = length(dims) - 1;
M = zeros(n, n);
S = zeros(n, n);
for len = 2:n
    for i = 1:n-len+1
        j = i + len - 1;
        M(i,j) = Inf;
        for k = i:j-1
            q = M(i,k) + M(k+1,j) + dims(i)*dims(k+1)*dims(j+1);
            if q < M(i,j)
                M(i,j) = q;
                S(i,j) = k;
            end
        end
    end
end
cost = M(1,n);
