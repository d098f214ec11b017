function [P, f] = dft_power(x, fs)
% Power spectrum by the definition of the discrete Fourier transform,
% with sines and cosines only.
% megha: fn dft_power(x: f64[1, n], fs: f64) -> (P, f)

N = length(x);
half = floor(N/2);
P = zeros(1, half+1);
f = (0:half) * fs / N;

for k = 0:half
    re = 0; im = 0;
    for n = 0:N-1
        w = 2*pi*k*n/N;
        re = re + x(n+1)*cos(w);
        im = im - x(n+1)*sin(w);
    end
    P(k+1) = (re^2 + im^2)/N;
end
