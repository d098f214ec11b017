function E = wave2d(n, steps)
% Vibrating membrane with fixed edges; returns the energy-like sum of
% squares after each step.
% megha: fn wave2d(n: usize, steps: usize) -> E

h = 1/(n-1);
dt = 0.5*h;
c2 = (dt/h)^2;
[X, Y] = meshgrid(0:h:1, 0:h:1);
u = sin(pi*X) .* sin(2*pi*Y);
uold = u;
E = zeros(1, steps);

in = 2:n-1;
for s = 1:steps
    lap = zeros(n);
    lap(in,in) = u(in+1,in) + u(in-1,in) + u(in,in+1) + u(in,in-1) - 4*u(in,in);
    unew = 2*u - uold + c2*lap;
    unew([1 n], :) = 0;
    unew(:, [1 n]) = 0;
    uold = u;
    u = unew;
    E(s) = sum(sum(u.^2));
end
