function r = durand(p, maxit)
% megha: fn durand(p: f64[1, n], maxit: usize) -> r: c64[1, n - 1]
n = length(p) - 1;
p = p / p(1);
r = (0.4 + 0.9i).^(0:n-1);
for it = 1:maxit
    old = r;
    for k = 1:n
        v = 1;
        for m = 2:n+1
            v = v*r(k) + p(m);
        end
        d = 1;
        for m = 1:n
            if m ~= k
                d = d*(r(k) - r(m));
            end
        end
        r(k) = r(k) - v/d;
    end
    if max(abs(r - old)) < 1e-13
        break
    end
end
end
