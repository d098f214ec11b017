function [u, v] = border(a, k)
% megha: fn border(a: f64[n, m], k: usize) -> (u, v)
% What is stored is not all, and of the second array it is read before.
[n, m] = size(a);
u = nan(n, m);
v = zeros(n, m);
for t = 1:k
    for i = 2:n-1
        for j = 2:m-1
            u(i, j) = a(i, j) - a(i-1, j) + t;
        end
    end
    for i = 2:n-1
        for j = 2:m-1
            v(i, j) = v(i, j) + u(i, j) * v(i-1, j+1) + 1;
        end
    end
end
end
