function [c, r, s, b, u, v] = trap_old_elements(a, j, k)
% What a statement reads of an array that it stores is what the array was before, whichever rows and columns are the same.
% megha: fn trap_old_elements(a: f64[n, n], j: usize, k: usize) -> (c, r, s, b, u, v)
n = size(a, 1);
c = a;
r = a;
s = a;
b = a;
u = a;
v = a;
for t = 1:3
    c(:, j) = 2 * c(:, k) - c(:, j);
    r(j, :) = r(:, k)' + r(k, :);
    s(:, k) = s(j, :)';
    s(1, :) = s(2, :);
    s(:, end) = s(:, end-1);
    u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + 0.125 * ((u(1:end-2, 2:end-1) + u(3:end, 2:end-1)) + (u(2:end-1, 1:end-2) + u(2:end-1, 3:end)) - 4 * u(2:end-1, 2:end-1));
    u(1, :) = u(2, :);
    w = v;
    for q = 2:n-1
        for p = 2:n-1
            v(p, q) = w(p-1, q) - w(p, q+1) + v(p, q);
        end
    end
end
for q = n-1:-1:1
    b(:, q) = b(:, q) + 0.5 * b(:, q+1);
end
for q = 3:n
    b(:, q) = b(:, q) + 0.5 * b(:, q-1) + 0.25 * b(:, q-2);
end
end
