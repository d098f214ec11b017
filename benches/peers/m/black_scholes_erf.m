function [c, p] = black_scholes_erf(s, k, r, v, t)
% European options, with erf for the normal distribution.
vs = v .* sqrt(t);
d1 = (log(s ./ k) + (r + 0.5 * v .* v) .* t) ./ vs;
d2 = d1 - vs;
n1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476);
n2 = 0.5 + 0.5 * erf(d2 * 0.7071067811865476);
ke = k .* exp(-r .* t);
c = s .* n1 - ke .* n2;
p = ke .* (1 - n2) - s .* (1 - n1);
end
