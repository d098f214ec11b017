function [G, coprime] = gcd_table(n)
% greatest common divisors of all pairs, Euclid's algorithm
% megha: fn gcd_table(n: usize) -> (G, coprime)
G = zeros(n);
for a = 1:n
    for b = a:n
        G(a,b) = euclid(a, b);
        G(b,a) = G(a,b);
    end
end
coprime = sum(G(:) == 1);
end

function g = euclid(a, b)
while b ~= 0
    t = mod(a, b);
    a = b;
    b = t;
end
g = a;
end
