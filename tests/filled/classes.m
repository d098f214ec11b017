function [u, c] = classes(a, k)
% megha: fn classes(a: f64[n, m], k: usize) -> (u, c)
% Single and whole numbers, in loops that keep their order.
[n, m] = size(a);
c = zeros(n, m, 'int32') + 0;
u = zeros(n, m, 'single');
for i = 1:n
    u(i, 1) = a(i, 1);
    c(i, 1) = i + k;
end
for j = 2:m
    for i = 2:n
        u(i, j) = u(i - 1, j - 1) + a(i, j);
        c(i, j) = c(i - 1, j - 1) + j;
    end
end
end
