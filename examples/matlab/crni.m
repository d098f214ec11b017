function u = crni(length_x, duration, diffusivity, n, m)
% CRNI  Heat equation on a rod by the method of Crank and Nicolson.
%
%   u = crni(length_x, duration, diffusivity, n, m)
%
%   length_x     (1,1)  length of the rod
%   duration     (1,1)  time to simulate
%   diffusivity  (1,1)  in length^2 / time
%   n            (1,1)  nodes along the rod, >= 3
%   m            (1,1)  points in time, >= 2
%
%   u  (n,m)  temperature; column k belongs to time (k-1) duration/(m-1)
%
%   The ends are held at 0 and 1; the rod starts with a hump between them.
%   Every step solves one tridiagonal system by Thomas's algorithm.
%
%   J. Crank and P. Nicolson, A practical method for numerical evaluation of
%   solutions of partial differential equations of the heat-conduction type,
%   Proc. Camb. Phil. Soc. 43, 1947.

% megha: fn crni(length_x: f64, duration: f64, diffusivity: f64, n: usize, m: usize) -> u

h = length_x / (n - 1);
k = duration / (m - 1);
r = diffusivity * k / h ^ 2;

u = zeros(n, m);
u(n, :) = 1;
for i = 2:n-1
    x = (i - 1) / (n - 1);
    u(i, 1) = x + sin(pi * x) + 0.5 * sin(3 * pi * x);
end

side = -ones(1, n - 1);
side(n - 1) = 0;
middle = (2 / r + 2) * ones(1, n);
middle(1) = 1;
middle(n) = 1;
other = -ones(1, n - 1);
other(1) = 0;

right = zeros(1, n);
for j = 2:m
    right(1) = 0;
    right(n) = 1;
    for i = 2:n-1
        right(i) = u(i - 1, j - 1) + (2 / r - 2) * u(i, j - 1) + u(i + 1, j - 1);
    end
    u(:, j) = thomas(side, middle, other, right)';
end
end

function x = thomas(lower, diagonal, upper, x)
% Solves a tridiagonal system whose diagonal dominates.
n = length(x);
for i = 2:n
    factor = lower(i - 1) / diagonal(i - 1);
    diagonal(i) = diagonal(i) - factor * upper(i - 1);
    x(i) = x(i) - factor * x(i - 1);
end
x(n) = x(n) / diagonal(n);
for i = n-1:-1:1
    x(i) = (x(i) - upper(i) * x(i + 1)) / diagonal(i);
end
end
