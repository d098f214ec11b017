% ode45 of a system: energy and place at the end.
function y = pendulum(s)
  [t, u] = ode45(@(t, u) [u(2); -sin(u(1))], [0 1 s], [0.5; 0]);
  y = round(100 * [size(u), u(2, :), u(end, 2)^2 / 2 - cos(u(end, 1))]);
end
