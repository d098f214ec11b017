function U = cn_backslash(nx, nt, lambda)
% Crank-Nicolson for u_t = u_xx with full matrices and backslash
% megha: fn cn_backslash(nx: usize, nt: usize, lambda: f64) -> U

e = ones(nx, 1);
T = diag(2*e) - diag(e(1:nx-1), 1) - diag(e(1:nx-1), -1);
A = eye(nx) + lambda/2*T;
B = eye(nx) - lambda/2*T;

x = (1:nx)'/(nx+1);
U(:,1) = sin(pi*x) + x.*(1-x);
for k = 1:nt
    U(:,k+1) = A \ (B*U(:,k));
end
