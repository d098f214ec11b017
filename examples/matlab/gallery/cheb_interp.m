function [v, err] = cheb_interp(n, m)
% interpolation of 1/(1+25x^2) at the Chebyshev points, barycentric formula
% megha: fn cheb_interp(n: usize, m: usize) -> (v, err)
xk = cos(pi*(0:n)/n);
fk = 1./(1+25*xk.^2);
w = (-1).^(0:n);
w([1 end]) = w([1 end])/2;
t = linspace(-0.99, 0.99, m);
v = zeros(1, m);
for j = 1:m
    d = t(j) - xk;
    hit = find(d == 0);
    if isempty(hit)
        v(j) = sum(w.*fk./d)/sum(w./d);
    else
        v(j) = fk(hit(1));
    end
end
err = max(abs(v - 1./(1+25*t.^2)));
