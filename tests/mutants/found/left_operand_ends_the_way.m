function [root, n] = bisection(a, b, tol)
% zero of x^3 - x - 2 between a and b
% megha: fn bisection(a: f64, b: f64, tol: f64) -> (root, n)
if fun(a)*fun(b) > 0
    error('bisection: no change of sign in [%g, %g]', a, b);
end
n = 0;
while (b - a)/2 > tol
    c = (a + b)/2;
    if fun(c) == 0
        break
    elseif sign(fun(d)) == sign(fun(a))
        a = c;
    else
        b = c;
    end
    n = n + 1;
end
root = (a + b)/2;

function y = fun(x)
y = x^3 - x - 2;
