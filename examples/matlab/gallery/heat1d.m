function [u, x] = heat1d(n, nt, alpha)
% heat equation, explicit Euler in time, central differences in space

% megha: fn heat1d(n: usize, nt: usize, alpha: f64) -> (u, x)

x = linspace(0, 1, n);
dx = x(2) - x(1);
dt = 0.4 * dx^2 / alpha;

u = exp(-100*(x - 0.5).^2);     % initial hump
u(1) = 0; u(end) = 0;

for it = 1:nt
    un = u;
    u(2:end-1) = un(2:end-1) + alpha*dt/dx^2 * (un(3:end) - 2*un(2:end-1) + un(1:end-2));
end
