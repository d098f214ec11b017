function X = fft_iter(x)
% megha: fn fft_iter(x: f64[1, n]) -> X: c64[1, n]
% iterative radix-2 decimation in time
N = length(x);
levels = log2(N);
X = complex(x);
% bit reversal
jj = 0;
for ii = 0:N-2
    if ii < jj
        t = X(ii+1); X(ii+1) = X(jj+1); X(jj+1) = t;
    end
    m = N/2;
    while m >= 1 && jj >= m
        jj = jj - m;
        m = m/2;
    end
    jj = jj + m;
end
len = 2;
for s = 1:levels
    half = len/2;
    w = exp(-2i*pi*(0:half-1)/len);
    for start = 1:len:N
        for k = 0:half-1
            u = X(start+k);
            v = X(start+k+half) * w(k+1);
            X(start+k) = u + v;
            X(start+k+half) = u - v;
        end
    end
    len = len*2;
end
end
