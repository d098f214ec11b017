% Times the programs of this folder in GNU Octave; `scalar.rs` runs it and makes the same arguments.
%
%   octave-cli --quiet --norc benches/scalar/octave_times.m
%
% Each measurement is one line, `octave PROGRAM SECONDS`: the median of three calls.

1;  % a script, in spite of the functions below

function v = weyl(n, step)
    v = mod(step * (1:n), 1);
end

function measure(program, inputs)
    seconds = zeros(1, 3);
    for k = 1:3
        start = tic;
        result = feval(program, inputs{:});
        seconds(k) = toc(start);
    end
    printf('octave %s %.6e\n', program, median(seconds));
    fflush(stdout);
end

addpath(fileparts(mfilename('fullpath')));
measure('sieve', {200000});
measure('collatz', {5000});
measure('mandelbrot', {100, 80, 100});
n = 80;
measure('lu_loops', {reshape(weyl(n * n, 0.618033988749895), n, n)});
n = 12;
bodies = arrayfun(@(k) weyl(n, sqrt(k)), [2 3 5 6 7 8 10], 'UniformOutput', false);
measure('nbody', [bodies, {0.001, 200}]);
measure('edit_distance', {floor(4 * weyl(300, 0.618033988749895)), floor(4 * weyl(280, 0.414213562373095))});
measure('bubble', {weyl(600, 0.618033988749895)});
n = 20000;
column = @(step) weyl(n, step)';
measure('tridiagonal', {column(0.618033988749895), 3 + column(0.414213562373095), ...
                        column(0.732050807568877), column(0.236067977499790)});
n = 50;
measure('product', {reshape(weyl(n * n, 0.618033988749895), n, n), reshape(weyl(n * n, 0.414213562373095), n, n)});
measure('lorenz', {10000, 0.001});
n = 60;
measure('gauss_seidel', {zeros(n), reshape(weyl(n * n, 0.618033988749895), n, n), 1 / n, 0, 20});
measure('knapsack', {weyl(100, 0.618033988749895), 1 + floor(50 * weyl(100, 0.414213562373095)), 2000});
