function u = table(a, k)
% megha: fn table(a: f64[n, m], k: usize) -> u
% The first column and row, and then all others from these.
[n, m] = size(a);
u = zeros(n + 1, m + 1);
u(:, 1) = (0:n)';
u(1, :) = 0:m;
for i = 1:n
    for j = 1:m
        u(i + 1, j + 1) = min([u(i, j) + a(i, j), u(i, j + 1) + 1, u(i + 1, j) + k]);
    end
end
end
