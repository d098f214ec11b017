function [ex, ey, ez, hx, hy, hz] = fdtd(lx, ly, lz, nx, ny, nz, nt)
% FDTD  Electromagnetic field of a pulse in a closed metal box.
%
%   [ex, ey, ez, hx, hy, hz] = fdtd(lx, ly, lz, nx, ny, nz, nt)
%
%   lx, ly, lz  (1,1)  edges of the box, in metres
%   nx, ny, nz  (1,1)  cells along each edge, >= 1
%   nt          (1,1)  time steps, >= 0
%
%   ex  (nx,   ny+1, nz+1)    hx  (nx+1, ny,   nz)
%   ey  (nx+1, ny,   nz+1)    hy  (nx,   ny+1, nz)
%   ez  (nx+1, ny+1, nz)      hz  (nx,   ny,   nz+1)
%
%   The electric field (V/m) lives on the edges of the cells, the magnetic
%   field (A/m) on their faces, half a step later.  The field along a metal
%   wall is zero and no statement below ever writes it.
%
%   K. S. Yee, Numerical Solution of Initial Boundary Value Problems
%   Involving Maxwell's Equations in Isotropic Media, IEEE Transactions on
%   Antennas and Propagation 14(3), 1966.

% megha: fn fdtd(lx: f64, ly: f64, lz: f64, nx: usize, ny: usize, nz: usize, nt: usize) -> (ex, ey, ez, hx, hy, hz)

c = 299792458;              % speed of light, m/s
mu = 4e-7 * pi;             % permeability of the vacuum, H/m
epsilon = 1 / (mu * c ^ 2); % its permittivity, F/m

dx = lx / nx;
dy = ly / ny;
dz = lz / nz;
dt = 0.99 / (c * sqrt(1 / dx ^ 2 + 1 / dy ^ 2 + 1 / dz ^ 2));

ax = dt / (mu * dx);
ay = dt / (mu * dy);
az = dt / (mu * dz);
bx = dt / (epsilon * dx);
by = dt / (epsilon * dy);
bz = dt / (epsilon * dz);

ex = zeros(nx, ny + 1, nz + 1);
ey = zeros(nx + 1, ny, nz + 1);
ez = zeros(nx + 1, ny + 1, nz);
hx = zeros(nx + 1, ny, nz);
hy = zeros(nx, ny + 1, nz);
hz = zeros(nx, ny, nz + 1);

% A Gaussian pulse, off centre so that no symmetry hides a mistake: its factor
% along each axis, at the inner nodes of the grid and at the centres of cells.
nodex = exp(-20 * ((1:nx-1)' / nx - 0.4) .^ 2);
nodey = exp(-20 * ((1:ny-1) / ny - 0.55) .^ 2);
nodez = exp(-20 * (reshape(1:nz-1, 1, 1, nz - 1) / nz - 0.45) .^ 2);
cellx = exp(-20 * (((1:nx)' - 0.5) / nx - 0.4) .^ 2);
celly = exp(-20 * (((1:ny) - 0.5) / ny - 0.55) .^ 2);
cellz = exp(-20 * ((reshape(1:nz, 1, 1, nz) - 0.5) / nz - 0.45) .^ 2);
ex(:, 2:ny, 2:nz) = 0.5 * cellx .* nodey .* nodez;
ey(2:nx, :, 2:nz) = -0.7 * nodex .* celly .* nodez;
ez(2:nx, 2:ny, :) = nodex .* nodey .* cellz;

for t = 1:nt
    hx = hx + az * (ey(:, :, 2:nz+1) - ey(:, :, 1:nz)) ...
            - ay * (ez(:, 2:ny+1, :) - ez(:, 1:ny, :));
    hy = hy + ax * (ez(2:nx+1, :, :) - ez(1:nx, :, :)) ...
            - az * (ex(:, :, 2:nz+1) - ex(:, :, 1:nz));
    hz = hz + ay * (ex(:, 2:ny+1, :) - ex(:, 1:ny, :)) ...
            - ax * (ey(2:nx+1, :, :) - ey(1:nx, :, :));

    ex(:, 2:ny, 2:nz) = ex(:, 2:ny, 2:nz) ...
        + by * (hz(:, 2:ny, 2:nz) - hz(:, 1:ny-1, 2:nz)) ...
        - bz * (hy(:, 2:ny, 2:nz) - hy(:, 2:ny, 1:nz-1));
    ey(2:nx, :, 2:nz) = ey(2:nx, :, 2:nz) ...
        + bz * (hx(2:nx, :, 2:nz) - hx(2:nx, :, 1:nz-1)) ...
        - bx * (hz(2:nx, :, 2:nz) - hz(end:nx-1, :, 2:nz));
    ez(2:nx, 2:ny, :) = ez(2:nx, 2:ny, :) ...
        + bx * (hy(2:nx, 2:ny, :) - hy(1:nx-1, 2:ny, :)) ...
        - by * (hx(2:nx, 2:ny, :) - hx(2:nx, 1:ny-1, :));
end
end
