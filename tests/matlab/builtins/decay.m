% ode45 of one equation, at given times and at its own: what does not depend on the steps.
function y = decay(s)
  [t, u] = ode45(@(t, u) -s * u, [0 0.5 1], 1);
  [tt, v] = ode45(@(t, u) cos(t) + 0 * u, [0 2], 0);
  [tb, w] = ode45(@(t, u) -u, [1 0], 1);
  y = [t; round(100 * u); tt(1); tt(end); round(100 * v(end)); tb(end); round(100 * w(end))];
end
