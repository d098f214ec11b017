function y = fir_direct(x, b)
% y = fir_direct(x, b): FIR filter in the direct form; samples before the
% first one are zero.  (y appears on the fly, as in the lab sheet.)
% megha: fn fir_direct(x: f64[1, n], b: f64[1, k]) -> y

N = length(x);
M = length(b);
for n = 1:N
    acc = 0;
    for k = 1:M
        if n - k + 1 >= 1
            acc = acc + b(k)*x(n-k+1);
        end
    end
    y(n) = acc;
end
