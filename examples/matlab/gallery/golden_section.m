function [xmin, fmin, evals] = golden_section(a, b, tol)
% minimum of a function of one variable by the golden section
% megha: fn golden_section(a: f64, b: f64, tol: f64) -> (xmin, fmin, evals)
phi = (sqrt(5) - 1)/2;
x1 = b - phi*(b - a);
x2 = a + phi*(b - a);
f1 = objective(x1);
f2 = objective(x2);
evals = 2;
while abs(b - a) > tol
    if f1 < f2
        b = x2; x2 = x1; f2 = f1;
        x1 = b - phi*(b - a);
        f1 = objective(x1);
    else
        a = x1; x1 = x2; f1 = f2;
        x2 = a + phi*(b - a);
        f2 = objective(x2);
    end
    evals = evals + 1;
end
xmin = (a + b)/2;
fmin = objective(xmin);

function v = objective(x)
v = x^4 - 3*x^3 + 2;
