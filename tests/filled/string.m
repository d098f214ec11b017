function u = string(a, k)
% megha: fn string(a: f64[n, m], k: usize) -> u
% Only the ends keep the zeros.
[n, m] = size(a);
u = zeros(n, m + k);
for i = 2:n-1
    u(i, 1) = a(i, 1);
end
for j = 2:m+k
    for i = 2:n-1
        u(i, j) = 0.5 * u(i, j-1) + 0.25 * (u(i-1, j-1) + u(i+1, j-1));
    end
end
end
