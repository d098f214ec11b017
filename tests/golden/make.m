% Writes the golden results of the programs in examples/matlab, from GNU Octave 7.3 or later:
%
%   octave-cli --quiet --norc tests/golden/make.m
%
% Each file PROGRAM-LABEL.txt beside this script holds one call, inputs and outputs:
%
%   megha-golden 1 PROGRAM        version of the format, name of the program
%   in NAME SIZE SIZE ...         an input, in the order of the parameters
%   HEX HEX ...                   its elements
%   out NAME SIZE SIZE ...        an output, in the order of the results
%   HEX HEX ...
%
% An element is the 16 hexadecimal digits of the bits of an IEEE 754 double, most significant
% first, so nothing is lost in writing.  Elements come in column-major order, up to 8 on a
% line, and an array without elements has no such line.  A scalar has sizes 1 1; other arrays
% have as many sizes as the program's help declares, trailing ones included.

1;  % a script, in spite of the functions below

% Calls PROGRAM with the fields of INPUTS, in their order; RANK is that of every output.
function golden(program, label, inputs, outputs, rank)
    results = cell(1, numel(outputs));
    arguments = struct2cell(inputs);
    [results{:}] = feval(program, arguments{:});
    folder = fileparts(mfilename('fullpath'));
    write_golden(fullfile(folder, [program '-' label '.txt']), program, fieldnames(inputs), ...
                 arguments, outputs, results, rank);
end

function options(label, spot, strike, rate, volatility, time)
    inputs = struct('spot', spot, 'strike', strike, 'rate', rate, ...
                    'volatility', volatility, 'time', time);
    golden('bscholes', label, inputs, {'call', 'put'}, 2);
end

function random_options(n)
    spot = 20 + 180 * rand(n, 1);
    options(sprintf('n%d', n), spot, spot .* (0.6 + 0.8 * rand(n, 1)), 0.06 * rand(n, 1), ...
            0.05 + 0.6 * rand(n, 1), 0.02 + 3 * rand(n, 1));
end

function box(lx, ly, lz, nx, ny, nz, nt)
    inputs = struct('lx', lx, 'ly', ly, 'lz', lz, 'nx', nx, 'ny', ny, 'nz', nz, 'nt', nt);
    golden('fdtd', sprintf('%dx%dx%d-nt%d', nx, ny, nz, nt), inputs, ...
           {'ex', 'ey', 'ez', 'hx', 'hy', 'hz'}, 3);
end

function bank(n, order, filters)
    inputs = struct('signal', randn(n, 1), 'taps', randn(order, filters));
    golden('filter_bank', sprintf('n%d-%dx%d', n, order, filters), inputs, {'out'}, 2);
end

function product(m, terms, n)
    inputs = struct('a', randn(m, terms), 'b', randn(terms, n));
    golden('matmul', sprintf('%dx%dx%d', m, terms, n), inputs, {'c'}, 2);
end

function graph(label, adjacency)
    golden('clos', label, struct('adjacency', adjacency), {'reach'}, 2);
end

function bodies(n, nt)
    inputs = struct('position', randn(n, 3), 'velocity', 0.3 * randn(n, 3), ...
                    'mass', (0.5 + rand(n, 1)) / n, 'softening', 0.05, 'dt', 0.01, 'nt', nt);
    golden('nb3d', sprintf('n%d-nt%d', n, nt), inputs, {'position', 'velocity'}, 2);
end

folder = fileparts(mfilename('fullpath'));
addpath(fullfile(folder, '..', '..', 'examples', 'matlab'));
rand('twister', 20260101);
randn('twister', 20260102);

random_options(1);
random_options(7);
random_options(257);  % past the end of a whole number of vectors and tiles
% In turn: far in the money, far out, a day to expiry, no volatility on either side of the
% strike, no time left, a negative rate.
options('extremes', [500; 5; 100; 110; 90; 101; 100], [5; 500; 101; 100; 100; 100; 100], ...
        [0.03; 0.03; 0.03; 0.02; 0.02; 0.05; -0.005], [0.2; 0.2; 0.3; 0; 0; 0.25; 0.15], ...
        [1; 1; 1/365; 1; 1; 0; 2]);

box(1, 1, 1, 1, 1, 1, 2);
box(0.3, 0.2, 0.1, 4, 3, 2, 0);
box(0.2, 0.3, 0.4, 2, 3, 4, 5);
box(0.3, 0.1, 0.5, 3, 1, 5, 4);
box(0.6, 0.5, 0.1, 13, 6, 2, 10);
box(1, 0.9, 0.8, 9, 8, 7, 20);

bank(1, 1, 1);
bank(3, 5, 2);  % shorter than the filters: no rows
bank(5, 5, 1);
bank(37, 8, 3);
bank(300, 128, 4);

product(1, 1, 1);
product(2, 0, 3);
product(3, 4, 5);
product(17, 1, 9);
product(33, 32, 31);

graph('isolated', 0);
graph('loop', 1);
graph('chain7', diag(ones(6, 1), 1));
graph('cycle8', [zeros(7, 1), eye(7); 1, zeros(1, 7)]);
graph('random33', (rand(33) < 0.05) .* randn(33));

bodies(1, 5);
bodies(2, 25);
bodies(5, 0);
bodies(7, 10);
bodies(33, 20);
