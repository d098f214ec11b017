function u = heat(u, steps)
    arguments
        u (m,n) double
        steps (1,1) double {mustBeInteger, mustBeNonnegative}
    end
    [m, n] = size(u);
    for t = 1:steps
        v = u;
        v(2:m-1, 2:n-1) = 0.25 * (u(1:m-2, 2:n-1) + u(3:m, 2:n-1) + u(2:m-1, 1:n-2) + u(2:m-1, 3:n));
        u = v;
    end
end
