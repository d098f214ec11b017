function x = muller(x0, x1, x2, maxit)
% megha: fn muller(x0: f64, x1: f64, x2: f64, maxit: usize) -> x: c64
for k = 1:maxit
    f0 = x0^3 - x0^2 + x0 + 1; f1 = x1^3 - x1^2 + x1 + 1; f2 = x2^3 - x2^2 + x2 + 1;
    h1 = x1 - x0; h2 = x2 - x1;
    d1 = (f1 - f0)/h1; d2 = (f2 - f1)/h2;
    a = (d2 - d1)/(h2 + h1);
    b = a*h2 + d2;
    D = sqrt(b^2 - 4*f2*a);
    if abs(b - D) < abs(b + D)
        E = b + D;
    else
        E = b - D;
    end
    h = -2*f2/E;
    x = x2 + h;
    if abs(h) < 1e-12
        return
    end
    x0 = x1; x1 = x2; x2 = x;
end
end
