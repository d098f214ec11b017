function [u, r] = multigrid1d(levels, cycles)
% V-cycles for -u'' = f in one dimension on 2^levels - 1 inner points.
% megha: fn multigrid1d(levels: usize, cycles: usize) -> (u, r)
n = 2^levels - 1;
h = 1/(n+1);
x = (1:n)'*h;
f = pi^2*sin(pi*x) + 4*x;
u = zeros(n,1);
r = zeros(1,cycles);
for c = 1:cycles
    u = vcycle(u, f, h);
    r(c) = max(abs(residual(u, f, h)));
end
end

function u = vcycle(u, f, h)
n = length(u);
if n <= 1
    u = f*h^2/2;
    return;
end
u = smooth(u, f, h, 2);
rc = restrict(residual(u, f, h));
ec = vcycle(zeros(size(rc)), rc, 2*h);
u = u + prolong(ec);
u = smooth(u, f, h, 2);
end

function u = smooth(u, f, h, times)
n = length(u);
for t = 1:times
    v = [0; u; 0];
    u = u + 2/3*((v(1:n) + v(3:n+2) + h^2*f)/2 - u);
end
end

function r = residual(u, f, h)
n = length(u);
v = [0; u; 0];
r = f - (2*u - v(1:n) - v(3:n+2))/h^2;
end

function c = restrict(r)
n = length(r);
c = (r(1:2:n-2) + 2*r(2:2:n-1) + r(3:2:n))/4;
end

function e = prolong(c)
m = length(c);
e = zeros(2*m+1, 1);
e(2:2:2*m) = c;
e(1:2:2*m+1) = ([0; c] + [c; 0])/2;
end
