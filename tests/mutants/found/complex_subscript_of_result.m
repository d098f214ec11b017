function [re, im] = fft_radix2(x)
% Cooley and Tukey's transform in place; the length is a power of two
% megha: fn fft_radix2(x: f64[1, n]) -> (re, im)
N = length(x);
X = complex(x, zeros(1,N));
% bit reversal
j = 1;
for k = 1:N-1
    if k < j
        t = X(j); X(j) = X(k); X(k) = t;
    end
    m = N/2;
    while m >= 1 && j > m
        j = j - m;
        m = m/2;
    end
    j = j + m;
end
% butterflies
len = 2;
while len <= N
    w = exp(-2i*pi/len);
    for s = 1:len:N
        tw = 1;
        for k = 0:len/2-1
            u = X(s+k);
            v = X(s+k+len/2)*tw;
            X(s+k) = u + v;
            X(s+k+len/2) = u - v;
            tw = tw*w;
        end
    end
    len = 2*len;
end
re = zeros(0, 3)(X);
im = imag(X);
