% Times the programs of examples/matlab in GNU Octave:
%
%   octave-cli --quiet --norc benches/octave_times.m [PROGRAM ...]
%
% without names, bscholes and fdtd.  Each measurement is one line on the standard output,
%
%   octave PROGRAM SIZE TURNS SECONDS
%
% SECONDS being those of one call, the median over TURNS turns, after a call that is not
% counted.  A turn is one call, or with `itK` at the end of SIZE K calls in a row.  In SIZE
% the numbers are separated by `x`; a last part `ntK` is the number of time steps in the call.
% One call of bscholes prices every option once: the iterations of MEGHA's Table 3.2 are
% that many calls.

1;  % a script, in spite of the functions below

function measure(program, label, turns, inputs, outputs, calls)
    if nargin < 6
        calls = 1;
    end
    results = cell(1, outputs);
    [results{:}] = feval(program, inputs{:});
    seconds = zeros(1, turns);
    for k = 1:turns
        start = tic;
        for call = 1:calls
            [results{:}] = feval(program, inputs{:});
        end
        seconds(k) = toc(start) / calls;
    end
    printf('octave %s %s %d %.6e\n', program, label, turns, median(seconds));
    fflush(stdout);
end

function time_bscholes()
    for pair = [51200, 102400, 204800; 100, 500, 500]
        n = pair(1);
        iterations = pair(2);
        spot = 20 + 180 * rand(n, 1);
        inputs = {spot, spot .* (0.6 + 0.8 * rand(n, 1)), 0.06 * rand(n, 1), ...
                  0.05 + 0.6 * rand(n, 1), 0.02 + 3 * rand(n, 1)};
        measure('bscholes', sprintf('%d-it%d', n, iterations), 5, inputs, 2, iterations);
    end
end

function time_fdtd()
    for cells = [64, 64, 15; 256, 256, 15; 512, 512, 15]'
        edges = num2cell(1e-3 * cells');
        counts = num2cell(cells');
        label = sprintf('%dx%dx%d-nt4', cells);
        measure('fdtd', label, 3, [edges, counts, {4}], 6);
    end
end

function time_nb3d()
    for n = [512, 1024, 1536]
        inputs = {randn(n, 3), 0.3 * randn(n, 3), ones(n, 1) / n, 0.05, 0.01, 4};
        measure('nb3d', sprintf('%d-nt4', n), 3, inputs, 2);
    end
end

function time_clos()
    for n = [512, 1024, 2048]
        measure('clos', sprintf('%d', n), 3, {rand(n) < 2 / n}, 1);
    end
end

% The two programs of scalar loops are interpreted one operation at a time, far too slowly
% for the sizes of the thesis; their times are proportional to the product of the sizes.
function time_matmul()
    for n = [64, 128]
        measure('matmul', sprintf('%dx%dx%d', n, n, n), 3, {randn(n), randn(n)}, 1);
    end
end

function time_filter_bank()
    for n = [1127, 4127]
        inputs = {randn(n, 1), randn(128, 4)};
        measure('filter_bank', sprintf('%dx128x4', n), 3, inputs, 1);
    end
end

addpath(fullfile(fileparts(mfilename('fullpath')), '..', 'examples', 'matlab'));
rand('twister', 20260103);
randn('twister', 20260104);
programs = argv();
if isempty(programs)
    programs = {'bscholes'; 'fdtd'};
end
for k = 1:numel(programs)
    feval(['time_' programs{k}]);
end
