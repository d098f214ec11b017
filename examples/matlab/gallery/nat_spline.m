function yy = nat_spline(x, y, xx)
% natural cubic spline through (x,y), evaluated at xx
% megha: fn nat_spline(x: f64[1, n], y: f64[1, n], xx: f64[1, m]) -> yy
n = length(x);
h = diff(x);
A = zeros(n);
r = zeros(n,1);
A(1,1) = 1;
A(n,n) = 1;
for i = 2:n-1
    A(i,i-1) = h(i-1);
    A(i,i) = 2*(h(i-1)+h(i));
    A(i,i+1) = h(i);
    r(i) = 6*((y(i+1)-y(i))/h(i) - (y(i)-y(i-1))/h(i-1));
end
m = A\r;

yy = zeros(size(xx));
for k = 1:numel(xx)
    i = 1;
    while i < n-1 && xx(k) > x(i+1)
        i = i+1;
    end
    a = (x(i+1)-xx(k))/h(i);
    b = (xx(k)-x(i))/h(i);
    yy(k) = a*y(i) + b*y(i+1) + ((a^3-a)*m(i) + (b^3-b)*m(i+1))*h(i)^2/6;
end
