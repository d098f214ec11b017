function r = quad_roots(a, b, c)
% megha: fn quad_roots(a: f64, b: f64, c: f64) -> r: c64[2, 1]
d = b^2 - 4*a*c;
if d >= 0
    r = [(-b + sqrt(d))/(2*a); (-b - sqrt(d))/(2*a)];
else
    r = [(-b + 1i*sqrt(-d))/(2*a); (-b - 1i*sqrt(-d))/(2*a)];
end
end
