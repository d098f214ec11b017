function [X, P, S, y, F, G, v] = spectra(x, z)
% megha: fn spectra(x: f64[1, n], z: c64[m, k]) -> (X, P, S, y: f64[1, n], F, G, v)
% transforms of a signal and of a matrix; the inverse of a real signal's transform is real
X = fft(x);
P = fft(x, 16) + fft(x, 5)*[eye(5), zeros(5, 11)];
S = fftshift(X);
y = ifft(X .* conj(X)) ./ ifft(fft(ones(size(x))));
F = [fft(z), fft(z, [], 2), fft2(z)];
G = ifft2(fft2(z));
v = [var(z(:, 1)), std(z(:, 1)), trace(z*z'), det(z*z'), polyval([1, 2i], 3)];
end
