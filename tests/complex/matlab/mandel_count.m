function [count, total] = mandel_count(n, maxit)
% megha: fn mandel_count(n: usize, maxit: usize) -> (count: f64[n, n], total: f64)
% escape-time counts on an n-by-n grid
count = zeros(n, n);
total = 0;
xs = linspace(-2, 0.5, n);
ys = linspace(-1.25, 1.25, n);
for r = 1:n
    for c = 1:n
        z = 0;
        c0 = xs(c) + 1i*ys(r);
        k = 0;
        while k < maxit && abs(z) <= 2
            z = z^2 + c0;
            k = k + 1;
        end
        count(r, c) = k;
        total = total + k;
    end
end
end
