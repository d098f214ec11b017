function [U, F, R, T, E, N, y] = transforms(A, z, e)
% megha: fn transforms(A: f64[m, k], z: c64[m, k], e: f64[p, k]) -> (U, F, R, T, E, N, y: f64[m, k])
% columns and rows, cut and filled; numbers of points that are prime; no points and one
U = fft(A, 7);
F = fft(z, 20);
R = [fft(A, 4, 2), ifft(z, 9, 2)];
T = [fft2(A), ifft2(z)];
E = fft(e, 3);
N = [fft(z(1, 1)), ifft(z(:, 1), 1), fft(A(2, 1), 3).', fft(A(1, :), 1, 1)];
y = ifft(fft(A));
end
