function [mag, back] = dft_complex(x)
% Discrete Fourier transform and its inverse by matrix times vector, in
% complex arithmetic.
% megha: fn dft_complex(x: f64[n, 1]) -> (mag, back)

N = numel(x);
k = 0:N-1;
W = exp(-2i*pi/N * (k' * k));
X = W * x;
mag = abs(X);
back = real(conj(W) * X) / N;
