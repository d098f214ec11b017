function [root, its] = newton_fractal(n, maxit)
% megha: fn newton_fractal(n: usize, maxit: usize) -> (root: f64[n, n], its: f64[n, n])
root = zeros(n, n);
its = zeros(n, n);
r = [1, -0.5 + sqrt(3)/2*1i, -0.5 - sqrt(3)/2*1i];
x = linspace(-1.5, 1.5, n);
for a = 1:n
    for b = 1:n
        z = x(b) + 1i*x(a) + 1e-3;
        for k = 1:maxit
            z = z - (z^3 - 1)/(3*z^2);
            if min(abs(z - r)) < 1e-8
                break;
            end
        end
        its(a, b) = k;
        d = abs(z - r);
        if d(1) < d(2) && d(1) < d(3)
            root(a, b) = 1;
        elseif d(2) < d(3)
            root(a, b) = 2;
        else
            root(a, b) = 3;
        end
    end
end
end
