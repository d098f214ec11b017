function [u, sweeps] = gauss_seidel(u, f, h, tol, most)
% Poisson's equation on a square, swept until nothing changes by more than the tolerance.
[m, n] = size(u);
sweeps = 0;
change = inf;
while change > tol && sweeps < most
    change = 0;
    for j = 2:n - 1
        for i = 2:m - 1
            old = u(i, j);
            u(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - h ^ 2 * f(i, j)) / 4;
            change = max(change, abs(u(i, j) - old));
        end
    end
    sweeps = sweeps + 1;
end
end
