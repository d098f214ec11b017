function [x, v, steps] = nb1d(x, v, mass, softening, duration)
% NB1D  Motion of bodies on a line that attract each other.
%
%   [x, v, steps] = nb1d(x, v, mass, softening, duration)
%
%   x          (n,1)  positions of the bodies
%   v          (n,1)  their velocities
%   mass       (n,1)  their masses, times the gravitational constant
%   softening  (1,1)  length, > 0, below which the attraction fades
%   duration   (1,1)  time to simulate
%
%   steps      (1,1)  steps taken; each is so short that no body moves far
%
%   Pairs are computed for all bodies at a time, at one distance in the list
%   after the other.

% megha: fn nb1d(x: f64[n, 1], v: f64[n, 1], mass: f64[n, 1], softening: f64, duration: f64) -> (x, v, steps)

n = size(x, 1);
t = 0;
steps = 0;
while t < duration
    pull = zeros(n, 1);
    for shift = 1:n-1
        other = [shift+1:n, 1:shift]';
        gap = x(other) - x;
        pull = pull + mass(other) .* gap ./ (gap .^ 2 + softening ^ 2) .^ 1.5;
    end
    dt = min(0.1 * softening / max(max(abs(v)), 1e-3), duration - t);
    v = v + dt * pull;
    x = x + dt * v;
    t = t + dt;
    steps = steps + 1;
    if steps >= 10000
        break
    end
end
end
