function [val, R] = romberg(a, b, n)
% Romberg integration of 4/(1+x^2)
% megha: fn romberg(a: f64, b: f64, n: usize) -> (val, R)
h = b - a;
R(1,1) = h/2*(f(a) + f(b));
for i = 2:n
    h = h/2;
    s = 0;
    for k = 1:2^(i-2)
        s = s + f(a + (2*k-1)*h);
    end
    R(i,1) = R(i-1,1)/2 + h*s;
    for j = 2:i
        R(i,j) = R(i,j-1) + (R(i,j-1) - R(i-1,j-1))/(4^(j-1) - 1);
    end
end
val = R(n,n);
end
function y = f(x)
y = 4/(1 + x^2);
end
