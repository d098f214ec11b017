function u = either(a, k)
% megha: fn either(a: f64[n, m], k: usize) -> u
% The longest common subsequence: each arm stores the element.
[n, m] = size(a);
u = zeros(n + 1, m + 1);
for i = 2:n+1
    for j = 2:m+1
        if a(i-1, j-1) > 0
            u(i, j) = u(i-1, j-1) + k;
        else
            u(i, j) = max(u(i-1, j), u(i, j-1)) - 0.5;
        end
    end
end
end
