function u = slices(a, k)
% megha: fn slices(a: f64[n, m], k: usize) -> u
[n, m] = size(a);
u = zeros(n, m, k + 1);
u(:, :, 1) = a;
for t = 2:k+1
    u(2:n-1, 2:m-1, t) = u(2:n-1, 2:m-1, t-1) + 0.125 * (u(1:n-2, 2:m-1, t-1) + u(3:n, 2:m-1, t-1));
end
end
