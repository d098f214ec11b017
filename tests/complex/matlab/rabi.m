function [p, psi] = rabi(omega, delta, dt, nt)
% megha: fn rabi(omega: f64, delta: f64, dt: f64, nt: usize) -> (p: f64[nt, 1], psi: c64[2, 1])
sx = [0 1; 1 0];
sz = [1 0; 0 -1];
sy = [0 -1i; 1i 0];
H = 0.5*(omega*sx + delta*sz) + 0.1*sy;
psi = [1; 0];
U1 = eye(2) + 0.5i*dt*H;
U2 = eye(2) - 0.5i*dt*H;
U = U1 \ U2;
p = zeros(nt, 1);
for k = 1:nt
    psi = U*psi;
    p(k) = abs(psi(2))^2;
end
psi = psi / sqrt(psi'*psi);
end
