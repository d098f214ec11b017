function p = legendre_p(n, x)
% Legendre polynomial of degree n by the recurrence of Bonnet
% megha: fn legendre_p(n: usize, x: f64[m, 1]) -> p
switch n
    case 0
        p = ones(size(x));
    case 1
        p = x;
    otherwise
        p0 = ones(size(x));
        p = x;
        for k = 2:n
            p1 = p;
            p = ((2*k-1)*x.*p1 - (k-1)*p0)/k;
            p0 = p1;
        end
end
