function [A, order] = lu_loops(A)
% The LU factors of A in its place, rows exchanged for the largest pivot.
n = size(A, 1);
order = zeros(1, n);
for k = 1:n
    order(k) = k;
end
for k = 1:n - 1
    p = k;
    for i = k + 1:n
        if abs(A(i, k)) > abs(A(p, k))
            p = i;
        end
    end
    if p ~= k
        for j = 1:n
            t = A(k, j);
            A(k, j) = A(p, j);
            A(p, j) = t;
        end
        t = order(k);
        order(k) = order(p);
        order(p) = t;
    end
    for i = k + 1:n
        A(i, k) = A(i, k) / A(k, k);
    end
    for j = k + 1:n
        for i = k + 1:n
            A(i, j) = A(i, j) - A(i, k) * A(k, j);
        end
    end
end
end
