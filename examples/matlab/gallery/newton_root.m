function [x, k] = newton_root(x0, tol)
% root of cos(x) - x exp(x) by Newton's method
% megha: fn newton_root(x0: f64, tol: f64) -> (x, k)
f  = @(x) cos(x) - x*exp(x);
df = @(x) -sin(x) - exp(x) - x*exp(x);

x = x0;
for k = 1:100
    dx = f(x)/df(x);
    x = x - dx;
    if abs(dx) < tol
        break;
    end
end
