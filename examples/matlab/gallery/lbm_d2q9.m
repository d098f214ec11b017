function [rho, ux, uy] = lbm_d2q9(nx, ny, nsteps, tau)
% Lattice Boltzmann, nine velocities, periodic box with a shear wave.
% megha: fn lbm_d2q9(nx: usize, ny: usize, nsteps: usize, tau: f64) -> (rho, ux, uy)

w  = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36];
cx = [0, 1, 0, -1, 0, 1, -1, -1, 1];
cy = [0, 0, 1, 0, -1, 1, 1, -1, -1];

rho = ones(nx, ny);
ux = zeros(nx, ny);
uy = 0.05 * sin(2*pi*(0:nx-1)'/nx) * ones(1, ny);
ux(1, 1) = 0.01;

f = zeros(nx, ny, 9);
for k = 1:9
    cu = 3*(cx(k)*ux + cy(k)*uy);
    f(:,:,k) = w(k) * rho .* (1 + cu + cu.^2/2 - 1.5*(ux.^2 + uy.^2));
end

for t = 1:nsteps
    % macroscopic values
    rho = sum(f, 3);
    ux = zeros(nx, ny);
    uy = zeros(nx, ny);
    for k = 1:9
        ux = ux + cx(k)*f(:,:,k);
        uy = uy + cy(k)*f(:,:,k);
    end
    ux = ux ./ rho;
    uy = uy ./ rho;

    % collide and stream
    usq = 1.5*(ux.^2 + uy.^2);
    for k = 1:9
        cu = 3*(cx(k)*ux + cy(k)*uy);
        feq = w(k) * rho .* (1 + cu + 0.5*cu.^2 - usq);
        post = f(:,:,k) - (f(:,:,k) - feq)/tau;
        f(:,:,k) = circshift(post, [cx(k), cy(k)]);
    end
end
