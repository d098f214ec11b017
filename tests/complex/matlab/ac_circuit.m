function [Z, I, phase, P] = ac_circuit(R, L, C, f, V)
% megha: fn ac_circuit(R: f64, L: f64, C: f64, f: f64[1, n], V: f64) -> (Z: c64[1, n], I: c64[1, n], phase: f64[1, n], P: f64[1, n])
w = 2*pi*f;
Z = R + 1j*w*L + 1./(1j*w*C);
I = V ./ Z;
phase = angle(I) * 180/pi;
P = real(V .* conj(I));
end
