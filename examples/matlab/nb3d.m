function [position, velocity] = nb3d(position, velocity, mass, softening, dt, nt)
% NB3D  Motion of bodies in space that attract each other.
%
%   [position, velocity] = nb3d(position, velocity, mass, softening, dt, nt)
%
%   position   (n,3)  coordinates of the bodies
%   velocity   (n,3)  their velocities
%   mass       (n,1)  their masses, times the gravitational constant
%   softening  (1,1)  length, > 0, below which the attraction fades
%   dt         (1,1)  time step
%   nt         (1,1)  number of steps
%
%   Every pair is computed in each step, as n-by-n matrices.  The step is
%   the semi-implicit Euler method, which keeps the energy bounded.

% megha: fn nb3d(position: f64[n, 3], velocity: f64[n, 3], mass: f64[n, 1], softening: f64, dt: f64, nt: usize) -> (position, velocity)

for t = 1:nt
    % Element (i,j) points from body i to body j.
    dx = position(:, 1)' - position(:, 1);
    dy = position(:, 2)' - position(:, 2);
    dz = position(:, 3)' - position(:, 3);

    distance2 = dx .^ 2 + dy .^ 2 + dz .^ 2 + softening ^ 2;
    pull = mass' ./ (distance2 .* sqrt(distance2));

    velocity(:, 1) = velocity(:, 1) + dt * sum(pull .* dx, 2);
    velocity(:, 2) = velocity(:, 2) + dt * sum(pull .* dy, 2);
    velocity(:, 3) = velocity(:, 3) + dt * sum(pull .* dz, 2);
    position = position + dt * velocity;
end
end
