function [H, magdb, ph] = freqresp(b, a, w)
% megha: fn freqresp(b: f64[1, p], a: f64[1, q], w: f64[1, n]) -> (H: c64[1, n], magdb: f64[1, n], ph: f64[1, n])
H = zeros(size(w));
for k = 1:length(w)
    z = exp(1i*w(k));
    num = 0; den = 0;
    for m = 1:length(b)
        num = num + b(m)*z^(-(m-1));
    end
    for m = 1:length(a)
        den = den + a(m)*z^(-(m-1));
    end
    H(k) = num/den;
end
magdb = 20*log10(abs(H));
ph = atan2(imag(H), real(H));
end
