function [z, a] = edges(x)
% megha: fn edges(x: f64[1, n]) -> (z, a)
% branch cuts, zeros, what becomes complex on the way
z = [sqrt(-4), (-8)^(1/3), log(-2), sqrt(conj(-4 + 0i)), (-1)^0.5, 1i^2, 0i^2, (0+0i)^0, exp(1i*pi), i, J];
v = x;
v(2) = 2i;
s = 0;
for k = 1:length(x)
    if x(k) > 0
        s = s + v(k);
    else
        s = s*1i;
    end
end
z = [z, v, s, sqrt(x + 0i), x.^(1/3 + 0i), (x + 0i).^2];
a = [angle(-1), angle(conj(-1 + 0i)), angle(1i), abs(3 - 4i), imag(5), real(5i), conj(7)];
truths = zeros(1, 3);
if 1i
    truths(1) = 1;
end
if [1i, 0]
    truths(2) = 1;
end
if [1i, 2; 3, -1i]
    truths(3) = 1;
end
a = [a, truths, conj(0) == 0i];
end
