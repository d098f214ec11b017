function u = dich(width, height, h, tol, most)
% DICH  Laplace's equation in a rectangle whose boundary values are given.
%
%   u = dich(width, height, h, tol, most)
%
%   width, height  (1,1)  edges of the rectangle, multiples of h
%   h              (1,1)  distance of the nodes
%   tol            (1,1)  largest change in a sweep at which to stop
%   most           (1,1)  at most this many sweeps
%
%   u  (height/h + 1, width/h + 1)  the solution, first row at the top
%
%   Successive over-relaxation with the factor that is best for a rectangle.
%
%   D. M. Young, Iterative methods for solving partial difference equations
%   of elliptic type, Trans. Amer. Math. Soc. 76, 1954.

% megha: fn dich(width: f64, height: f64, h: f64, tol: f64, most: usize) -> u

n = round(width / h) + 1;
m = round(height / h) + 1;

average = (width * (20 + 180) + height * (80 + 0)) / (2 * width + 2 * height);
u = average * ones(m, n);
u(1, :) = 180;
u(m, :) = 20;
u(:, 1) = 80;
u(:, n) = 0;
u(1, 1) = (180 + 80) / 2;
u(1, n) = (180 + 0) / 2;
u(m, 1) = (20 + 80) / 2;
u(m, n) = (20 + 0) / 2;

c = cos(pi / (n - 1)) + cos(pi / (m - 1));
omega = 4 / (2 + sqrt(4 - c ^ 2));

change = 1;
sweep = 0;
while change > tol && sweep < most
    change = 0;
    for j = 2:n-1
        for i = 2:m-1
            correction = omega * (u(i, j+1) + u(i, j-1) + u(i+1, j) + u(i-1, j) - 4 * u(i, j)) / 4;
            u(i, j) = u(i, j) + correction;
            if abs(correction) > change
                change = abs(correction);
            end
        end
    end
    sweep = sweep + 1;
end
end
