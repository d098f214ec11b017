function yi = lagrange_eval(x, y, xi)
%LAGRANGE_EVAL  polynomial through the points (x,y) by Lagrange's formula
% megha: fn lagrange_eval(x: f64[1, n], y: f64[1, n], xi: f64[1, m]) -> yi
n = length(x);
yi = 0*xi;
for k = 1:n
    L = ones(size(xi));
    for j = [1:k-1 k+1:n]
        L = L .* (xi - x(j))/(x(k) - x(j));
    end
    yi = yi + y(k)*L;
end
