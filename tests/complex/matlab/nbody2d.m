function [z, E] = nbody2d(z, m, dt, nt)
% megha: fn nbody2d(z: c64[n, 1], m: f64[n, 1], dt: f64, nt: usize) -> (z: c64[n, 1], E: f64)
% positions as complex numbers
n = length(z);
v = zeros(size(z));
for t = 1:nt
    a = zeros(size(z));
    for p = 1:n
        for q = 1:n
            if p ~= q
                d = z(q) - z(p);
                a(p) = a(p) + m(q)*d/(abs(d)^2 + 0.01)^1.5;
            end
        end
    end
    v = v + dt*a;
    z = z + dt*v;
end
E = 0.5*sum(m .* abs(v).^2);
end
