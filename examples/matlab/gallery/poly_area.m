function [A, cx, cy, inside] = poly_area(x, y, px, py)
% area and centroid of a polygon, and whether a point is inside
% megha: fn poly_area(x: f64[1, n], y: f64[1, n], px: f64, py: f64) -> (A, cx, cy, inside)
n = length(x);
A = 0; cx = 0; cy = 0;
for i = 1:n
    j = mod(i, n) + 1;
    cr = x(i)*y(j) - x(j)*y(i);
    A = A + cr/2;
    cx = cx + (x(i) + x(j))*cr;
    cy = cy + (y(i) + y(j))*cr;
end
cx = cx/(6*A);
cy = cy/(6*A);
inside = false;
j = n;
for i = 1:n
    if ((y(i) > py) ~= (y(j) > py)) && (px < (x(j)-x(i))*(py-y(i))/(y(j)-y(i)) + x(i))
        inside = ~inside;
    end
    j = i;
end
