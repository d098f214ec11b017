function [X, mag] = dft_loops(x)
% megha: fn dft_loops(x: f64[1, n]) -> (X: c64[1, n], mag: f64[1, n])
N = length(x);
X = zeros(1, N);
for k = 0:N-1
    s = 0;
    for n = 0:N-1
        s = s + x(n+1) * exp(-j*2*pi*k*n/N);
    end
    X(k+1) = s;
end
mag = abs(X);
end
