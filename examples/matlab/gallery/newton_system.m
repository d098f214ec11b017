function [v, k, hist] = newton_system(v, tol)
% Newton's method for two equations in two unknowns
% megha: fn newton_system(v: f64[2, 1], tol: f64) -> (v, k, hist)
hist = [];
for k = 1:50
    F = [v(1)^2 + v(2)^2 - 4
         exp(v(1)) + v(2) - 1];
    J = [2*v(1), 2*v(2)
         exp(v(1)), 1];
    d = -J\F;
    v = v + d;
    hist = [hist; norm(d)];
    if norm(d) < tol, break, end
end
