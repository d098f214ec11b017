function [t, Y] = rk4_pendulum(y0, h, n)
% classical Runge-Kutta steps of a damped pendulum; Y grows by a column
% a step
% megha: fn rk4_pendulum(y0: f64[2, 1], h: f64, n: usize) -> (t, Y)
t = 0;
Y = y0;
for k = 1:n
    y = Y(:,k);
    k1 = rhs(t(k), y);
    k2 = rhs(t(k) + h/2, y + h/2*k1);
    k3 = rhs(t(k) + h/2, y + h/2*k2);
    k4 = rhs(t(k) + h, y + h*k3);
    Y(:,k+1) = y + h/6*(k1 + 2*k2 + 2*k3 + k4);
    t(k+1) = t(k) + h;
end
end

function dy = rhs(t, y)
dy = [y(2); -0.1*y(2) - 9.81*sin(y(1)) + 0.2*cos(t)];
end
