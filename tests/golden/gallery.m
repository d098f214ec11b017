% Writes the golden results of the programs in examples/matlab/gallery, of those in
% examples/matlab that make.m leaves out, and of those in tests/matlab/traps, from GNU Octave 7.3 or later:
%
%   octave-cli --quiet --norc tests/golden/gallery.m
%
% The files PROGRAM-LABEL.txt in tests/golden/gallery have the format that make.m describes.  Two
% more lines may follow the inputs:
%
%   error TEXT                    in place of the outputs: the call ends with this error
%   print TEXT                    a line that the program prints
%
% The names of inputs and outputs are those of the signature in the program's `megha:` comment.

1;  % a script, in spite of the functions below

% Calls PROGRAM with the values that follow; LABEL tells its cases apart.
function run_case(program, label, varargin)
    folder = fileparts(mfilename('fullpath'));
    [inputs, outputs] = signature(fileread(which(program)));
    results = cell(1, numel(outputs));
    path = fullfile(folder, 'gallery', [program '-' label '.txt']);
    failure = '';
    printed = evalc('try, [results{:}] = feval(program, varargin{:}); catch e, failure = e.message; end');
    if isempty(failure)
        write_golden(path, program, inputs, varargin, outputs, results, 2);
    else
        write_golden(path, program, inputs, varargin, {}, {}, 2);
        append(path, 'error', failure);
    end
    append(path, 'print', printed);
end

% The names in the signature `% megha: fn name(a: type, ...) -> (b, ...)`.
function [inputs, outputs] = signature(text)
    found = regexp(text, '% megha: fn \w+\(([^\n]*)\) -> ([^\n]*)', 'tokens', 'once');
    inputs = regexp(found{1}, '(\w+):', 'tokens');
    outputs = regexp(found{2}, '(\w+)', 'tokens');
    inputs = cellfun(@(t) t{1}, inputs, 'UniformOutput', false);
    outputs = cellfun(@(t) t{1}, outputs, 'UniformOutput', false);
end

function append(path, role, text)
    file = fopen(path, 'a');
    lines = strsplit(text, "\n");
    if isempty(lines{end})
        lines(end) = [];
    end
    for k = 1:numel(lines)
        fprintf(file, '%s %s\n', role, lines{k});
    end
    fclose(file);
end

% A matrix whose diagonal dominates, and a symmetric positive definite one.
function A = dominant(n)
    A = rand(n) - 0.5 + n * eye(n);
end
function A = definite(n)
    B = rand(n);
    A = B * B' + eye(n);
end

folder = fileparts(mfilename('fullpath'));
addpath(folder);
addpath(fullfile(folder, '..', '..', 'examples', 'matlab'));
addpath(fullfile(folder, '..', '..', 'examples', 'matlab', 'gallery'));
addpath(fullfile(folder, '..', 'matlab', 'traps'));
rand('twister', 20260103);
randn('twister', 20260104);

run_case('capr', 'n8', 0.5, 0.25, 1, 1, 8, 1e-6, 1.7);
run_case('capr', 'n21', 0.4, 0.3, 2, 1.5, 21, 1e-8, 1.85);
run_case('crni', '3x2', 1, 0.1, 0.5, 3, 2);
run_case('crni', '17x9', 2, 0.3, 1.5, 17, 9);
run_case('dich', '4x4', 4, 4, 1, 1e-6, 100);
run_case('dich', '21x13', 2, 1.2, 0.1, 1e-9, 1000);
run_case('dich', 'few', 1, 1, 0.25, 1e-9, 2);
run_case('edit', 'kitten', double('kitten'), double('sitting'));
run_case('edit', 'empty', zeros(1, 0), double('abc'));
run_case('edit', 'random', floor(4 * rand(1, 40)), floor(4 * rand(1, 33)));
run_case('fiff', '3x2', 1, 0.1, 1, 3, 2);
run_case('fiff', '24x40', 1, 1.5, 1.1, 24, 40);
run_case('nb1d', 'n1', 0.5, 2, 1, 0.1, 0.2);
run_case('nb1d', 'n2', [0; 1], [0; 0], [1; 2], 0.05, 0.5);
run_case('nb1d', 'n9', randn(9, 1), 0.1 * randn(9, 1), rand(9, 1), 0.1, 0.3);

run_case('sobel_edges', '7x9', round(255 * rand(7, 9)), 0.4);
run_case('sobel_edges', '2x5', rand(2, 5), 0.5);
run_case('histeq_img', '6x8', floor(90 + 60 * rand(6, 8)));
run_case('histeq_img', 'flat', 17 * ones(3, 2));
run_case('fir_direct', 'n12', randn(1, 12), [0.25 0.5 0.25]);
run_case('fir_direct', 'n2k5', [1 -1], randn(1, 5));
run_case('dft_power', 'n16', randn(1, 16), 100);
run_case('dft_power', 'n9', randn(1, 9), 1);
run_case('dft_complex', 'n8', randn(8, 1));
run_case('dft_complex', 'n1', 3);
run_case('autocorr_biased', 'n20', randn(20, 1), 6);
run_case('autocorr_biased', 'beyond', [1; 2; 4], 9);
run_case('autocorr_biased', 'flat', ones(5, 1), 2);
run_case('mc_pi', 'n1000', 1000, 42);
run_case('mc_pi', 'n0', 0, 1);
run_case('rand_walk', '20x31', 20, 31);
run_case('heat1d', 'n21', 21, 30, 0.7);
run_case('heat1d', 'n3', 3, 2, 1);
run_case('heat2d_steady', '8x6', 8, 6, 1e-4);
run_case('heat2d_steady', '3x3', 3, 3, 1e-2);
run_case('wave2d', 'n11', 11, 12);
run_case('wave2d', 'n3', 3, 1);
run_case('cn_backslash', '9x5', 9, 5, 0.8);
run_case('cn_backslash', '2x1', 2, 1, 2);
run_case('gauss_seidel', 'n6', dominant(6), rand(6, 1), 1e-12, 100);
run_case('gauss_seidel', 'few', dominant(4), rand(4, 1), 1e-12, 3);
run_case('gauss_seidel', 'zero', [1 2; 3 0], [1; 1], 1e-12, 3);
run_case('sor_poisson', 'n7', 7, 1.4, 1e-9);
run_case('sor_poisson', 'n1', 1, 1, 1e-6);
run_case('multigrid1d', 'l5', 5, 4);
run_case('multigrid1d', 'l1', 1, 1);
run_case('lbm_d2q9', '8x5', 8, 5, 10, 0.8);
run_case('nbody_pairs', 'n4', randn(4, 3), 0.1 * randn(4, 3), rand(1, 4), 0.01, 10);
run_case('nbody_pairs', 'n1', [0 0 1], [1 0 0], 2, 0.1, 3);
run_case('lu_pivot', 'n6', randn(6));
run_case('lu_pivot', 'singular', [0 1 2; 0 3 4; 0 5 6]);
run_case('lu_pivot', 'n1', 4);
run_case('mgs_qr', '7x4', randn(7, 4));
run_case('mgs_qr', '3x1', [3; 0; 4]);
run_case('householder_qr', '6x4', randn(6, 4));
run_case('householder_qr', '3x3', magic(3));
run_case('chol_loops', 'n5', definite(5));
run_case('chol_loops', 'n1', 9);
run_case('chol_loops', 'indefinite', [1 2; 2 1]);
run_case('jacobi_eig', 'n5', definite(5), 1e-12);
run_case('jacobi_eig', 'n2', [2 1; 1 2], 1e-14);
run_case('power_iter', 'n4', definite(4), 1e-13, 500);
run_case('power_iter', 'few', definite(3), 1e-13, 2);
run_case('conj_grad', 'n7', definite(7), rand(7, 1), 1e-10);
run_case('conj_grad', 'zero', eye(3), zeros(3, 1), 1e-10);
run_case('linreg', 'n10', (1:10)', 3 + 2 * (1:10)' + randn(10, 1));
run_case('linreg', 'one', 1, 2);
run_case('kmeans_lloyd', '30x2', [randn(15, 2); 4 + randn(15, 2)], 3, 20);
run_case('kmeans_lloyd', '4x1', [0; 0; 10; 11], 2, 1);
run_case('stats_summary', 'n9', [3; NaN; randn(7, 1)]);
run_case('stats_summary', 'n4', [4; 1; 3; 2]);
run_case('stats_summary', 'none', [NaN; NaN]);
run_case('knapsack01', 'n6', [3 4 5 9 14 2], [3 4 4 10 15 1.5], 20);
run_case('knapsack01', 'none', [5 6], [1 1], 4);
run_case('lcs_length', 'n12', floor(4 * rand(1, 12)), floor(4 * rand(1, 15)));
run_case('lcs_length', 'disjoint', [1 2 3], [4 5]);
run_case('matrix_chain', 'n6', [30 35 15 5 10 20 25]);
run_case('matrix_chain', 'n1', [4 7]);
run_case('coin_change', 'euro', [1 2 5 10 20 50], 87);
run_case('coin_change', 'never', [4 6], 7);
run_case('bubble_sort', 'n12', floor(20 * rand(1, 12)));
run_case('bubble_sort', 'n0', zeros(1, 0));
run_case('insertion_sort', 'n13', randn(13, 1));
run_case('insertion_sort', 'n1', 5);
run_case('quick_sort', 'n20', floor(30 * rand(1, 20)));
run_case('quick_sort', 'n0', zeros(1, 0));
run_case('heap_sort', 'n17', randn(1, 17));
run_case('heap_sort', 'n1', 7);
run_case('merge_sort', 'n13', randn(1, 13));
run_case('merge_sort', 'n1', 2);
run_case('sieve', 'n100', 100);
run_case('sieve', 'n1', 1);
run_case('collatz_max', 'n60', 60);
run_case('collatz_max', 'n1', 1);
run_case('life', '8x10', double(rand(8, 10) < 0.4), 6);
run_case('life', '3x3', [1 0 1; 0 1 0; 0 0 1], 1);
run_case('mandel_real', '9x7', 9, 7, 50);
run_case('mandel_real', '2x2', 2, 2, 5);
run_case('julia_set', 'm9', 9, -0.4, 0.6, 20);
run_case('julia_set', 'm2', 2, 0, 0, 3);
run_case('newton_root', 'one', 1, 1e-12);
run_case('newton_root', 'far', 3, 1e-10);
run_case('bisection', 'unit', 1, 2, 1e-10);
run_case('bisection', 'none', 3, 4, 1e-10);
run_case('rk4_pendulum', 'n20', [0.5; 0], 0.05, 20);
run_case('rk4_pendulum', 'n0', [1; 0], 0.1, 0);
run_case('lorenz_euler', 'n50', 50, 0.01);
run_case('lorenz_euler', 'n0', 0, 0.01);
run_case('floyd_warshall', 'n7', (rand(7) < 0.4) .* ceil(9 * rand(7)));
run_case('floyd_warshall', 'n2', [0 3; 0 0]);
run_case('dijkstra', 'n8', (rand(8) < 0.4) .* ceil(9 * rand(8)), 1);
run_case('dijkstra', 'alone', zeros(3), 2);
run_case('components', 'n9', double((rand(9) < 0.12) | (rand(9) < 0.1)'));
run_case('components', 'ring', circshift(eye(5), 1) + circshift(eye(5), -1));
run_case('nat_spline', 'n6', [0 1 2.5 3 4.2 5], randn(1, 6), linspace(-0.2, 5.3, 17));
run_case('nat_spline', 'n3', [0 1 3], [1 0 2], 2);
run_case('legendre_p', 'n0', 0, [0.1; 0.2]);
run_case('legendre_p', 'n1', 1, [0.1; 0.2]);
run_case('legendre_p', 'n7', 7, linspace(-1, 1, 9)');
run_case('cheb_interp', '8x21', 8, 21);
run_case('cheb_interp', '3x5', 3, 5);
run_case('simpson_comp', 'n10', 0, 1, 10);
run_case('simpson_comp', 'odd', -1, 2, 7);
run_case('simpson_comp', 'n0', 0, 1, 0);
run_case('adapt_simpson', 'unit', 0, 1, 1e-6);
run_case('adapt_simpson', 'short', 1, 1.1, 1e-4);
run_case('romberg', 'n6', 0, 1, 6);
run_case('romberg', 'n1', 0, 1, 1);
run_case('fft_radix2', 'n16', randn(1, 16));
run_case('fft_radix2', 'n1', 3);
run_case('crc8', 'digits', double('123456789'));
run_case('crc8', 'none', zeros(1, 0));
run_case('lfsr_seq', 'n4', [1 0 0 1]);
run_case('lfsr_seq', 'n3', [0 0 0]);
run_case('magic_sq', 'n5', 5);
run_case('magic_sq', 'n8', 8);
run_case('magic_sq', 'n2', 2);
run_case('magic_sq', 'n6', 6);
run_case('nqueens', 'n6', 6);
run_case('nqueens', 'n1', 1);
solved = mod(bsxfun(@plus, [0 3 6 1 4 7 2 5 8]', 0:8), 9) + 1;
run_case('sudoku_check', 'solved', solved);
run_case('sudoku_check', 'swapped', solved([4 2 3 1 5:9], :));
run_case('sudoku_check', 'repeated', ones(9));
run_case('hanoi_moves', 'n4', 4);
run_case('hanoi_moves', 'n0', 0);
run_case('caesar', 'pangram', double('The quick brown Fox, 42 times!'), 3);
run_case('caesar', 'back', double('xyz'), -5);
run_case('markov_steady', 'n4', rand(4));
run_case('markov_steady', 'n1', 2);
run_case('simplex_max', 'wyndor', [1 0; 0 2; 3 2], [4; 12; 18], [3 5]);
run_case('simplex_max', 'unbounded', [-1 0], 1, [1 1]);
run_case('fem1d', 'n8', 8);
run_case('fem1d', 'n1', 1);
run_case('conv2_valid', '7x6', randn(7, 6), randn(3, 2));
run_case('conv2_valid', '1x1', 3, 2);
run_case('bilinear_resize', '4x5to7x3', rand(4, 5), 7, 3);
run_case('bilinear_resize', '1x1to2x2', 5, 2, 2);
run_case('rgb_to_hsv', '4x5', rand(4, 5, 3));
run_case('rgb_to_hsv', 'primary', reshape([1 0 0 0 1; 0 1 0 0 1; 0 0 1 0 1]', 5, 1, 3));
run_case('rule_ca', 'rule30', 15, 7, 30);
run_case('rule_ca', 'still', 4, 0, 110);
run_case('pascal_tri', 'n7', 7);
run_case('pascal_tri', 'n1', 1);
run_case('fib_seq', 'n12', 12);
run_case('fib_seq', 'n1', 1);
run_case('perfect_numbers', 'n30', 30);
run_case('perfect_numbers', 'n4', 4);
run_case('moving_avg', 'n11', randn(1, 11));
run_case('moving_avg', 'n2', [1 2]);
run_case('golden_section', 'wide', 1, 4, 1e-5);
run_case('golden_section', 'done', 2, 2, 1e-3);
run_case('gauss_elim', 'n6', randn(6), randn(6, 1));
run_case('smooth3d', '5x4x6', 5, 4, 6, 3);
run_case('smooth3d', '2x3x1', 2, 3, 1, 1);
run_case('blend_uint8', '4x3', floor(256 * rand(4, 3)), floor(256 * rand(4, 3)), 0.3);
run_case('blend_uint8', 'beyond', [300 -5 127.5], [1 2 128], 0.5);
run_case('median3x3', '6x7', floor(100 * rand(6, 7)));
run_case('median3x3', '2x2', [1 2; 3 4]);
run_case('run_length', 'n14', [1 1 1 4 4 0 0 0 0 7 1 1 2 2]);
run_case('run_length', 'none', zeros(1, 0));
run_case('binary_search', 'n9', [1 3 4 7 9 11 15 20 31], [4 31 5 1 40]);
run_case('binary_search', 'none', zeros(1, 0), [1 2]);
run_case('normalize_cols', '8x3', randn(8, 3));
run_case('normalize_cols', '1x2', [4 5]);
run_case('peaks_grid', 'n12', 12);
run_case('peaks_grid', 'n3', 3);
run_case('horner_eval', 'n5', randn(1, 5), linspace(-2, 2, 7));
run_case('horner_eval', 'n1', 3, [1 2]);
run_case('fib_matrix', 'n30', 30);
run_case('fib_matrix', 'n0', 0);
run_case('gcd_table', 'n9', 9);
run_case('gcd_table', 'n1', 1);
run_case('is_prime_rec', 'n60', 60);
run_case('is_prime_rec', 'n1', 1);
run_case('tri_solve_multi', '6x3', dominant(6), randn(6, 3));
run_case('tri_solve_multi', '1x1', 2, 3);
run_case('upwind_advect', 'n20', 20, 0.7, 0.33);
run_case('upwind_advect', 'n5', 5, 1, 0);
run_case('burgers_lax', 'n24', 24, 10);
run_case('logistic_bif', 'r7', 2.8, 3.4, 7, 4);
run_case('logistic_bif', 'r1', 3, 3.5, 1, 2);
run_case('lagrange_eval', 'n5', [0 1 2 4 5], randn(1, 5), linspace(0, 5, 11));
run_case('lagrange_eval', 'n1', 2, 7, [1 2 3]);
run_case('newton_system', 'near', [1; -1.5], 1e-12);
run_case('exp_series', 'n5', [-2 0 0.5 1 10]);
run_case('poly_area', 'square', [0 2 2 0], [0 0 2 2], 1, 0.5);
run_case('poly_area', 'outside', [0 3 1], [0 1 4], 3, 3);
run_case('gray_code', 'n4', 4);
run_case('gray_code', 'n1', 1);
run_case('josephus', 'n10k3', 10, 3);
run_case('josephus', 'n1', 1, 5);
run_case('hist_bins', 'n40', randn(40, 1), 7);
run_case('hist_bins', 'flat', [2; 2; 2], 3);
run_case('spiral_matrix', 'n5', 5);
run_case('spiral_matrix', 'n4', 4);
run_case('pagerank', 'n6', double(rand(6) < 0.35), 0.85);
run_case('pagerank', 'n2', [0 0; 1 0], 0.85);
run_case('savings_plan', 'ten', 1000, 3.5, 10000);
run_case('savings_plan', 'never', 1, 0, 1000);
run_case('savings_plan', 'once', 10, 0, 5);
run_case('kalman1d', 'n15', 1 + 0.2 * randn(1, 15), 1e-4, 0.04);
run_case('kalman1d', 'n1', 3, 0.1, 0.1);
run_case('perceptron', '20x2', [randn(10, 2) + 3; randn(10, 2) - 3], [ones(10, 1); -ones(10, 1)], 0.1, 25);
run_case('perceptron', 'xor', [0 0; 0 1; 1 0; 1 1], [-1; 1; 1; -1], 1, 4);
run_case('mlp_step', '5x3', randn(5, 3), double(rand(5, 2) > 0.5), 0.5 * randn(3, 4), 0.5 * randn(4, 2), 0.5, 8);
run_case('bank_switch', 'n9', [1 1 2 7 0 -1 3 4 1]);
run_case('bank_switch', 'none', zeros(1, 0));

run_case('trap_imaginary_unit', 'x2', 2);
run_case('trap_shadowed_builtins', 'n3', [4 1 7], 2);
run_case('trap_ranges', 'n5', 5);
run_case('trap_ranges', 'n0', 0);
run_case('trap_columns_first', '2x3', [1 2 3; 4 5 6]);
run_case('trap_nan', 'n4', [3 NaN -1 2]);
run_case('trap_nan', 'all', [NaN NaN]);
run_case('trap_remainders', 'positive', [-7 -2.5 -0.5 0 0.5 2.5 7], 3);
run_case('trap_remainders', 'negative', [-7 -2.5 -0.5 0 0.5 2.5 7], -3);
run_case('trap_third_dimension', 'n4', [3 1 4 1.5]);
run_case('trap_third_dimension', 'n2', [3 1]);
run_case('trap_sizes_of_one', 'numbers', 7, 3);
run_case('trap_sizes_of_one', 'rows', [1; 2; 3], [4 2]);
run_case('trap_sizes_of_one', 'row', [1; 2; 3], 2);
huge = 3.8531604342154199e+18;  % mod(huge, 13) is 512
run_case('trap_remainder_reads', 'small', 1:13, [3 -4 20]);
run_case('trap_remainder_reads', 'huge', 1:13, [3 -4 20 huge]);
run_case('trap_remainder_stores', 'small', [3 -4 20], 13);
run_case('trap_remainder_stores', 'huge', [3 -4 20 huge], 13);
run_case('trap_integers', 'n6', [-130 -7 0 5 7 300], 2);
run_case('trap_empty', 'n2', [1 2]);
run_case('trap_for_columns', '2x3', [1 2 3; 4 5 6]);
run_case('trap_for_columns', '2x0', zeros(2, 0));
run_case('trap_fill', '2x3', [1 2 3; 4 5 6], 9);
run_case('trap_conditions', 'all', [1 2; 3 4], [1 -1 2 5]);
run_case('trap_old_elements', 'n6', reshape(sin(1:36), 6, 6), 2, 5);
run_case('trap_old_elements', 'same', reshape(sin(1:36), 6, 6), 3, 3);
run_case('trap_old_elements', 'n2', [1 -2; 3 0.5], 2, 1);
run_case('trap_old_elements', 'n40', reshape(cos(1:1600), 40, 40), 40, 1);
run_case('trap_conditions', 'some', [1 0; 3 4], [3 4]);
run_case('trap_conditions', 'none', zeros(0, 2), zeros(1, 0));
warning('off', 'all');  % of ranges whose bounds are arrays
run_case('trap_subscripts', '3x4', [1 2 3 4; 5 6 7 8; 9 1 2 3], [1; -1; 1]);
run_case('trap_subscripts', 'longer', [1 2 3; 5 6 7], [1; -1; 1; 0; 2]);
run_case('trap_nested', 'falling', [5 2 3 1]);
run_case('trap_nested', 'rising', [-1.5 4]);
run_case('qmr_solve', 'n1', [4 1 0;2 5 1;0 1 3], [1;2;3], 30, 1e-10);
run_case('qmr_solve', 'n2', eye(3), zeros(3,1), 10, 1e-8);
run_case('make_change', 'n1', 63, [25 10 5 1]);
run_case('make_change', 'n2', 11, [9 6 5]);
run_case('bilateral', 'n1', magic(5)/25, 1, 1, .2);
run_case('page_sums', 'n1', 3, 4, 2);
run_case('page_sums', 'n2', 2, 2, 2);
run_case('convex_hull', 'n1', [0 0;1 1;2 2;2 0;0 2;1 .5;.2 1.5]);
run_case('turtle_walk', 'n1', double('FLFLFFRFLF'));
run_case('hex_digits', 'n1', [255 16 1 0 170]);
run_case('word_stats', 'n1', double('the quick brown fox jumps'));
run_case('word_stats', 'n2', double(' a '));
run_case('palindrome', 'n1', double('A man a plan'));
run_case('palindrome', 'n2', double('Never odd or even'));
run_case('size_vectors', 'n1', magic(4));
run_case('size_vectors', 'n2', ones(2,3));
