function [x, y, z] = lorenz_euler(n, dt)
% Lorenz' equations with Euler's method
% megha: fn lorenz_euler(n: usize, dt: f64) -> (x, y, z)
sigma = 10; rho = 28; beta = 8/3;
x(1) = 1;
y(1) = 1;
z(1) = 1;
for i = 1:n
    x(i+1) = x(i) + dt*sigma*(y(i) - x(i));
    y(i+1) = y(i) + dt*(x(i)*(rho - z(i)) - y(i));
    z(i+1) = z(i) + dt*(x(i)*y(i) - beta*z(i));
end
