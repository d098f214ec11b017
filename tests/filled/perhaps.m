function [u, v, s] = perhaps(a, k)
% megha: fn perhaps(a: f64[n, m], k: usize) -> (u, v, s)
% Under a condition, in a loop that ends early, and with an error in between.
[n, m] = size(a);
u = zeros(n, m);
v = zeros(n, m);
w = zeros(n, m);
for j = 1:m
    for i = 1:n
        if a(i, j) > 0
            u(i, j) = a(i, j);
        end
    end
end
for j = 1:m
    if j > k
        break
    end
    for i = 1:n
        v(i, j) = a(i, j) + 1;
    end
end
for j = 1:m
    for i = 1:n
        w(i, j) = a(i, j) * 2;
    end
    if k == 7
        error('seven');
    end
end
s = sum(w(:));
end
