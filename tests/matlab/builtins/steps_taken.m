% ode45 and ode23: the steps themselves, given times, options, arguments of the equation, and the way back.
function y = steps_taken(s)
  [t, u] = ode45(@(t, u) [u(2); s * (1 - u(1)^2) * u(2) / 3 - u(1)], [0 8], [2; 0]);
  [ta, v] = ode45(@spring, 0:0.5:3, [1 0], odeset('RelTol', 1e-6, 'abstol', [1e-8; 1e-9]), s);
  [tb, w] = ode23(@spring, [0 2], [1; 0.5], s);
  [tc, x] = ode23(@(t, x) t - 2 * x, [0 0.25 1 2], 1, odeset(odeset('RelTol', 1e-5), 'MaxStep', 0.1));
  [td, z] = ode45(@(t, z) -2 * z + t, [2 0], 1, odeset('InitialStep', 0.01));
  y = [numel(t); t(2:4); u(end, :).'; ta(end); v(:, 1); v(end, 2); numel(tb); tb(3); w(end, :).'; tc; x; numel(td); td(5); z(end)];
end

function du = spring(t, u, k)
  du = zeros(2, 1);
  du(1) = u(2);
  du(2) = -k * u(1) - 0.1 * t * u(2);
end
