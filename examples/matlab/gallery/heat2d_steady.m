function [T, iter, err] = heat2d_steady(nx, ny, tol)
% Steady temperature of a plate, Jacobi iteration until the largest
% change is below TOL
% megha: fn heat2d_steady(nx: usize, ny: usize, tol: f64) -> (T, iter, err)

T = zeros(ny, nx);
T(1, :)   = 100;            % hot top
T(ny, :)  = linspace(0, 50, nx);
T(:, 1)   = 75;
T(:, nx)  = 25;

err = 2*tol;
iter = 0;
while (err > tol)
    Told = T;
    for i = 2:ny-1
        for j = 2:nx-1
            T(i,j) = 0.25*(Told(i+1,j) + Told(i-1,j) + Told(i,j+1) + Told(i,j-1));
        end
    end
    err = max(max(abs(T - Told)));
    iter = iter + 1;
    if mod(iter, 100) == 0
        fprintf('iteration %d, error %g\n', iter, err);
    end
end
