function [u, iters] = sor_poisson(n, omega, tol)
%% Poisson's equation -lap(u) = f on the unit square, u = 0 on its edge
% megha: fn sor_poisson(n: usize, omega: f64, tol: f64) -> (u, iters)
h = 1/(n+1);
u = zeros(n+2, n+2);
f = zeros(n+2, n+2);
for i=1:n+2, for j=1:n+2
    f(i,j) = 2*pi^2*sin(pi*(i-1)*h)*sin(pi*(j-1)*h);
end, end

iters = 0;
done = false;
while ~done
    delta = 0;
    for i=2:n+1
        for j=2:n+1
            old = u(i,j);
            gs = (u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) + h*h*f(i,j))/4;
            u(i,j) = (1-omega)*old + omega*gs;
            delta = max(delta, abs(u(i,j)-old));
        end
    end
    iters = iters + 1;
    if delta < tol || iters >= 5000
        done = true;
    end
end
u = u(2:n+1, 2:n+1);
