function [u, cons] = burgers_lax(nx, nt)
% inviscid Burgers equation by the scheme of Lax and Friedrichs
% megha: fn burgers_lax(nx: usize, nt: usize) -> (u, cons)
dx = 2*pi/nx;
x = 0:dx:2*pi-dx;
u = 1 + 0.5*sin(x);
dt = 0.5*dx/max(abs(u));
for n = 1:nt
    up = circshift(u, [0 -1]);
    um = circshift(u, [0 1]);
    u = 0.5*(up + um) - dt/(4*dx)*(up.^2 - um.^2);
end
cons = sum(u)*dx;
