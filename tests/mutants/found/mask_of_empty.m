function q = upwind_advect(n, cfl, tend)
% linear advection of a square pulse, periodic, first order upwind
% megha: fn upwind_advect(n: usize, cfl: f64, tend: f64) -> q
dx = 1/n;
x = ((1:n) - 0.5)*dx;
q(x > 0.25 & x < 0.5) = 1;
dt = cfl*dx;
t = 0;
while t < tend
    if t + dt > tend
        dt = tend - t;
    end
    q = q - dt/dx*(q - q([end 1:end-1]));
    q = q - dt/dx*(q - q([end 1:end-1]));
    t = t + dt;
end
