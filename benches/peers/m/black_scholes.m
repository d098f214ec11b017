function [c, p] = black_scholes(s, k, r, v, t)
% European options, with the polynomial of Abramowitz and Stegun for the normal distribution.
vs = v .* sqrt(t);
d1 = (log(s ./ k) + (r + 0.5 * v .* v) .* t) ./ vs;
d2 = d1 - vs;
n1 = cndf(d1);
n2 = cndf(d2);
ke = k .* exp(-r .* t);
c = s .* n1 - ke .* n2;
p = ke .* (1 - n2) - s .* (1 - n1);
end
function n = cndf(d)
x = abs(d);
e = exp(-0.5 * x .* x) * 0.39894228040143270286;
kk = 1 ./ (1 + 0.2316419 * x);
n = 1 - e .* (kk .* (0.319381530 + kk .* (-0.356563782 + kk .* (1.781477937 + kk .* (-1.821255978 + kk * 1.330274429)))));
m = d < 0;
n(m) = 1 - n(m);
end
