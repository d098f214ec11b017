% Writes the golden results of the programs in `matlab`, from GNU Octave 7.3 or later, to tests/golden:
%
%   octave-cli --quiet --norc tests/complex/make.m
%
% The format is that of tests/golden/make.m; a complex array z is two arrays, real(z) and imag(z).

1;  % a script, in spite of the functions below

function write_array(file, role, name, value)
    if iscomplex(value)
        write_array(file, role, ['real(' name ')'], real(value));
        write_array(file, role, ['imag(' name ')'], imag(value));
        return
    end
    fprintf(file, '%s %s%s\n', role, name, sprintf(' %d', size(value)));
    words = cellstr(num2hex(double(value(:))));
    for first = 1:8:numel(value)
        last = min(first + 7, numel(value));
        fprintf(file, '%s\n', strjoin(words(first:last)', ' '));
    end
end

% Calls PROGRAM with the fields of INPUTS, in their order. An output named with `:` is complex also where Octave narrows it.
function golden(program, inputs, outputs)
    results = cell(1, numel(outputs));
    arguments = struct2cell(inputs);
    [results{:}] = feval(program, arguments{:});
    folder = fullfile(fileparts(mfilename('fullpath')), '..', 'golden');
    file = fopen(fullfile(folder, [program '-1.txt']), 'w');
    fprintf(file, 'megha-golden 1 %s\n', program);
    names = fieldnames(inputs);
    for k = 1:numel(names)
        write_array(file, 'in', names{k}, arguments{k});
    end
    for k = 1:numel(outputs)
        name = outputs{k};
        value = results{k};
        if name(end) == ':'
            name(end) = [];
            value = complex(value);
        end
        write_array(file, 'out', name, value);
    end
    fclose(file);
end

addpath(fullfile(fileparts(mfilename('fullpath')), 'matlab'));
rand('twister', 20260201);
noise = @(m, n) rand(m, n) - 0.5 + 1i*(rand(m, n) - 0.5);

re = [-2.5 -1 -0.3 0.1 0.3 1 2.5];
grid = re + 1i*re';
golden('table', struct('z', grid, 'w', 0.7 - 1.3i), {'two:', 'one', 'sizes', 'sums:'});
golden('algebra', struct('A', noise(4, 4) + eye(4), 'B', rand(4), 'b', rand(4, 1)), {'P:', 'H:', 'x:', 'y:', 'l:', 'k:', 'D:'});
golden('edges', struct('x', [-8 -1 0 2 9]), {'z:', 'a'});
golden('spectra', struct('x', rand(1, 15), 'z', noise(3, 4)), {'X:', 'P:', 'S:', 'y', 'F:', 'G:', 'v:'});
golden('growing', struct('m', 6), {'z:', 'w:', 'q:', 'n'});
golden('mandel_count', struct('n', 24, 'maxit', 40), {'count', 'total'});
golden('mandel_vec', struct('n', 12, 'maxit', 12), {'iters', 'zz:'});
golden('julia', struct('n', 20, 'maxit', 40), {'M'});
golden('newton_fractal', struct('n', 12, 'maxit', 60), {'root', 'its'});
golden('dft_loops', struct('x', rand(1, 13)), {'X:', 'mag'});
golden('fft_iter', struct('x', rand(1, 32)), {'X:'});
golden('quad_roots', struct('a', 2, 'b', 3, 'c', 4), {'r:'});
golden('ac_circuit', struct('R', 100, 'L', 0.2, 'C', 1e-6, 'f', [50 60 400 1e3], 'V', 230), {'Z:', 'I:', 'phase', 'P'});
golden('mesh_solve', struct('n', 9, 'w', 0.7), {'x:', 'res'});
golden('rabi', struct('omega', 1.2, 'delta', 0.3, 'dt', 0.05, 'nt', 40), {'p', 'psi:'});
golden('durand', struct('p', [2 -3 0.5 1 -7 2], 'maxit', 50), {'r:'});
golden('schroed', struct('n', 40, 'nt', 5, 'dt', 0.01), {'psi:', 'nrm'});
golden('freqresp', struct('b', [0.1 0.2 0.1], 'a', [1 -0.9 0.4], 'w', linspace(0, 3, 9)), {'H:', 'magdb', 'ph'});
golden('muller', struct('x0', 0.3, 'x1', 0.4, 'x2', 0.6, 'maxit', 30), {'x:'});
golden('nbody2d', struct('z', noise(5, 1), 'm', rand(5, 1), 'dt', 0.01, 'nt', 10), {'z:', 'E'});
golden('hermit', struct('A', noise(3, 4)), {'G:', 't:', 'ok'});
golden('eigen', struct('p', [2 -3 0.5 1 -7 2 0], 'q', [1+2i 3 -1i 2-1i], 'A', [1 2 0 1; -3 1 1 0; 0 1 4 5; 1 2 -3 4], 'Z', noise(4, 4)), ...
    {'r:', 's:', 'e:', 'w:', 'h', 'g:', 'fits'});
golden('transforms', struct('A', rand(11, 5), 'z', noise(11, 5), 'e', zeros(0, 5)), {'U:', 'F:', 'R:', 'T:', 'E:', 'N:', 'y'});
