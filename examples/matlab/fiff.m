function u = fiff(length_x, duration, speed, n, m)
% FIFF  Motion of a plucked string by finite differences.
%
%   u = fiff(length_x, duration, speed, n, m)
%
%   length_x  (1,1)  length of the string
%   duration  (1,1)  time to simulate
%   speed     (1,1)  of waves on the string
%   n         (1,1)  nodes along the string, >= 3
%   m         (1,1)  points in time, >= 2
%
%   u  (n,m)  displacement; column k belongs to time (k-1) duration/(m-1)
%
%   The ends are fixed, and the string starts at rest.  The scheme is stable
%   while speed * duration/(m-1) does not exceed length_x/(n-1).
%
%   R. Courant, K. Friedrichs and H. Lewy, Ueber die partiellen
%   Differenzengleichungen der mathematischen Physik, Math. Ann. 100, 1928.

% megha: fn fiff(length_x: f64, duration: f64, speed: f64, n: usize, m: usize) -> u

h = length_x / (n - 1);
k = duration / (m - 1);
r2 = (speed * k / h) ^ 2;
twice = 2 - 2 * r2;

u = zeros(n, m);
for i = 2:n-1
    u(i, 1) = sin(pi * h * (i - 1) / length_x) + sin(2 * pi * h * (i - 1) / length_x);
end
% The first step by Taylor's formula, since there is no step before it.
for i = 2:n-1
    u(i, 2) = (1 - r2) * u(i, 1) + r2 / 2 * (u(i + 1, 1) + u(i - 1, 1));
end
for j = 3:m
    for i = 2:n-1
        u(i, j) = twice * u(i, j-1) + r2 * (u(i-1, j-1) + u(i+1, j-1)) - u(i, j-2);
    end
end
end
