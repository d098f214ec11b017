function path = lorenz(n, h)
% Lorenz's equations by the classical Runge-Kutta method; the path of n steps, a point in each column.
path = zeros(3, n + 1);
x = 1;
y = 1;
z = 1;
path(:, 1) = [x; y; z];
for step = 1:n
    [k1, l1, m1] = slope(x, y, z);
    [k2, l2, m2] = slope(x + h / 2 * k1, y + h / 2 * l1, z + h / 2 * m1);
    [k3, l3, m3] = slope(x + h / 2 * k2, y + h / 2 * l2, z + h / 2 * m2);
    [k4, l4, m4] = slope(x + h * k3, y + h * l3, z + h * m3);
    x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    z = z + h / 6 * (m1 + 2 * m2 + 2 * m3 + m4);
    path(1, step + 1) = x;
    path(2, step + 1) = y;
    path(3, step + 1) = z;
end
end

function [dx, dy, dz] = slope(x, y, z)
dx = 10 * (y - x);
dy = x * (28 - z) - y;
dz = x * y - 8 / 3 * z;
end
