function [u, v] = backwards(a, k)
% megha: fn backwards(a: f64[n, m], k: usize) -> (u, v)
% From the last to the first, of which the one behind the last stays zero; and every second.
[n, m] = size(a);
u = zeros(n + 1, m);
for j = 1:m
    for i = n:-1:1
        u(i, j) = 0.5 * u(i + 1, j) + a(i, j);
    end
end
v = zeros(2 * n + k, m);
for i = 1:n
    for j = 1:m
        v(2 * i, j) = a(i, j);
    end
end
end
