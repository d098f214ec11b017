function [psi, nrm] = schroed(n, nt, dt)
% megha: fn schroed(n: usize, nt: usize, dt: f64) -> (psi, nrm: f64)
x = linspace(-10, 10, n)';
dx = x(2) - x(1);
V = 0.5*x.^2;
psi = exp(-(x-1).^2/2) .* exp(1i*2*x);
psi = psi / sqrt(sum(abs(psi).^2)*dx);
r = 1i*dt/(4*dx^2);
main = 1 + 2*r + 0.5i*dt*V;
cp = zeros(n,1); dp = zeros(n,1);
for t = 1:nt
    d = zeros(n,1);
    d(1) = (2 - main(1))*psi(1) + r*psi(2);
    d(n) = (2 - main(n))*psi(n) + r*psi(n-1);
    for k = 2:n-1
        d(k) = r*psi(k-1) + (2 - main(k))*psi(k) + r*psi(k+1);
    end
    cp(1) = -r/main(1);
    dp(1) = d(1)/main(1);
    for k = 2:n
        m = main(k) + r*cp(k-1);
        cp(k) = -r/m;
        dp(k) = (d(k) + r*dp(k-1))/m;
    end
    psi(n) = dp(n);
    for k = n-1:-1:1
        psi(k) = dp(k) - cp(k)*psi(k+1);
    end
end
nrm = sum(abs(psi).^2)*dx;
end
