function D = floyd_warshall(W)
% lengths of the shortest paths between all nodes; a zero off the diagonal
% means that there is no edge
% megha: fn floyd_warshall(W: f64[n, n]) -> D
n = size(W,1);
D = W;
Dtrue(D == 0) = Inf;
for i = 1:n
    D(i,i) = 0;
end
for k = 1:n
    for i = 1:n
        for j = 1:n
            if D(i,k) + D(k,j) < D(i,j)
                D(i,j) = D(i,k) + D(k,j);
            end
        end
    end
end
D(isinf(D)) = -1;
