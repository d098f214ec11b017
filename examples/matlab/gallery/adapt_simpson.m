function [q, calls] = adapt_simpson(a, b, tol)
% adaptive Simpson quadrature of sqrt(x)*sin(1/(x+0.1)), recursively
% megha: fn adapt_simpson(a: f64, b: f64, tol: f64) -> (q, calls)
fa = g(a); fb = g(b);
m = (a+b)/2; fm = g(m);
whole = (b-a)/6*(fa + 4*fm + fb);
[q, calls] = step(a, b, fa, fm, fb, whole, tol, 0);
calls = calls + 3;
end

function [q, calls] = step(a, b, fa, fm, fb, whole, tol, depth)
m = (a+b)/2;
fl = g((a+m)/2);
fr = g((m+b)/2);
left = (m-a)/6*(fa + 4*fl + fm);
right = (b-m)/6*(fm + 4*fr + fb);
d = left + right - whole;
if abs(d) <= 15*tol || depth > 20
    q = left + right + d/15;
    calls = 2;
else
    [q1, c1] = step(a, m, fa, fl, fm, left, tol/2, depth+1);
    [q2, c2] = step(m, b, fm, fr, fb, right, tol/2, depth+1);
    q = q1 + q2;
    calls = c1 + c2 + 2;
end
end

function y = g(x)
y = sqrt(x)*sin(1/(x+0.1));
end
