function [zmax, at, total] = peaks_grid(n)
% a landscape on a grid: highest point, where, and the volume above zero
% megha: fn peaks_grid(n: usize) -> (zmax, at, total)
t = linspace(-3, 3, n);
[x, y] = meshgrid(t);
z = 3*(1-x).^2.*exp(-x.^2 - (y+1).^2) ...
  - 10*(x/5 - x.^3 - y.^5).*exp(-x.^2-y.^2) ...
  - 1/3*exp(-(x+1).^2 - y.^2);
[zmax, k] = max(z(:));
j = ceil(k/n);
i = k - (j-1)*n;
at = [t(j), t(i)];
total = sum(z(z > 0))*(t(2)-t(1))^2;
