function capacitance = capr(a, b, c, d, n, tol, omega)
% CAPR  Capacitance per metre of a line with rectangular conductors.
%
%   capacitance = capr(a, b, c, d, n, tol, omega)
%
%   a, b   (1,1)  half the width and height of the inner conductor
%   c, d   (1,1)  half the width and height of the shield, > a and > b
%   n      (1,1)  cells of the grid along c, >= 4
%   tol    (1,1)  relative change of the capacitance at which to stop
%   omega  (1,1)  over-relaxation, between 1 and 2
%
%   capacitance  (1,1)  in F/m
%
%   A quarter of the cross-section, its centre at (1,1), is solved for the
%   potential by successive over-relaxation; by Gauss's law the charge is the
%   flux through a contour halfway between the conductors.
%
%   J. D. Jackson, Classical Electrodynamics, chapter 1.

% megha: fn capr(a: f64, b: f64, c: f64, d: f64, n: usize, tol: f64, omega: f64) -> capacitance

epsilon = 8.8541878128e-12; % permittivity of the vacuum, F/m

h = c / n;
m = round(d / h);
na = round(a / h);
nb = round(b / h);

potential = start(n, m, na, nb);
capacitance = 0;
for sweep = 1:1000
    potential = relax(potential, n, m, na, nb, omega);
    before = capacitance;
    capacitance = 4 * epsilon * flux(potential, n, m, round((n + na) / 2), round((m + nb) / 2));
    if abs(capacitance - before) < tol * capacitance
        break
    end
end
end

function potential = start(n, m, na, nb)
% The potential is 1 on the inner conductor and falls to 0 on the shield.
potential = zeros(n + 1, m + 1);
for i = 1:n + 1
    for j = 1:m + 1
        fall = max((i - 1 - na) / (n - na), (j - 1 - nb) / (m - nb));
        potential(i, j) = 1 - min(max(fall, 0), 1);
    end
end
end

function f = relax(f, n, m, na, nb, omega)
% One sweep; the axes of symmetry mirror the potential.
for i = 1:n
    for j = 1:m
        if i > na + 1 || j > nb + 1
            if i == 1
                left = f(2, j);
            else
                left = f(i - 1, j);
            end
            if j == 1
                below = f(i, 2);
            else
                below = f(i, j - 1);
            end
            mean = (left + f(i + 1, j) + below + f(i, j + 1)) / 4;
            f(i, j) = f(i, j) + omega * (mean - f(i, j));
        end
    end
end
end

function q = flux(f, n, m, ni, nj)
% Flux through the sides i = ni + 1/2 and j = nj + 1/2 of a rectangle; the
% half cells lie at the axes of symmetry.
q = 0.5 * (f(ni, 1) - f(ni + 1, 1)) + 0.5 * (f(1, nj) - f(1, nj + 1));
for j = 2:nj
    q = q + f(ni, j) - f(ni + 1, j);
end
for i = 2:ni
    q = q + f(i, nj) - f(i, nj + 1);
end
end
