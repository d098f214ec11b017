% Writes golden.txt beside this script, from GNU Octave 7.3:
%
%   octave-cli --quiet --norc megha-base/src/display/golden.m
%
% Each case is a line `FORMAT CLASS SIZE SIZE .. : KIND : ELEMENT .. : ELEMENT ..` and the lines that the display of the value `x`
% prints, each after a `|`.  Elements of floating point are the 16 hexadecimal digits of their bits as doubles; the second list
% is that of imaginary parts.  KIND is the limit of a range, `complex`, `diagonal`, `permutation` or nothing; FORMAT is `short` or `long`.

1;  % a script, in spite of the functions below

function bits(file, x)
    fprintf(file, ' %s', cellstr(num2hex(double(full(x)(:)))){:});
end

function show(file, x, kind)
    if nargin < 3
        kind = '';
    end
    if iscomplex(x)
        kind = 'complex';
    end
    if output_precision() == 16
        style = 'long';
    else
        style = 'short';
    end
    fprintf(file, '%s %s%s : %s :', style, class(x), sprintf(' %d', size(x)), kind);
    if isfloat(x)
        bits(file, real(x));
    else
        fprintf(file, ' %d', x);
    end
    fprintf(file, ' :');
    if iscomplex(x)
        bits(file, imag(x));
    end
    fprintf(file, '\n');
    text = evalc('x');
    lines = strsplit(text(1:end-1), "\n", 'CollapseDelimiters', false);
    fprintf(file, '|%s\n', lines{:});
end

file = fopen(fullfile(fileparts(mfilename('fullpath')), 'golden.txt'), 'w');
scalars = [5, -3, 0, -0, pi, -pi, 100.5, 12345.678, 123456.789, 1e5, 99999.5, 1e10, 1e15, 0.1, 0.01, 0.05, 0.001, 0.009, ...
           1e-5, 1.5e-5, NaN, Inf, -Inf, 1e-320, 1e300, 10.25, 999.99999, 99999.99999, 1234567, 12345678, -1234567, 1e100, 1e-100];
for x = scalars
    show(file, x);
end
show(file, single(pi));
show(file, single(0.1));
show(file, single(1e10));
matrices = {[], zeros(0, 3), zeros(3, 0), [1 2 3], [1; 2], [1.5 2 3], [1 2; 3 4.5], [-1.5 2; 3 4], [1e5 1], [1e5 1.5], ...
    [1e10 1], [1e-5 1], [NaN 1], [NaN 1.5], [-Inf 1.5 NaN], [NaN NaN], [Inf; -Inf], [1000.5 2], [123 0.5], [99.99999 0.5], ...
    [0.001 0.002], [0.01 1], [100.5 0.01], [0 0 0], [0 -0], [-0 1.5], [0.5 NaN; 1e8 2], [999999 1], [1234567 1], [NaN 99999], ...
    [0 1e-5], [0 1e10 NaN -Inf], [1e200 1], [1e-30 1], [NaN; 1e7], (1:30)' * 0.1, (1:18) / 7, (1:17) / 7, ones(3, 30), ...
    zeros(2, 2, 2), ones(1, 1, 3), ones(2, 1, 2, 2) * 1.5, cat(3, [1 2], [1.5 100]), zeros(3, 20, 2) + 0.5, zeros(2, 0, 2), ...
    single([1.5 2.5]), true(2), true(1, 50), false(1, 50), true(2, 2, 2), int32([1 2; 30 -4]), uint8([1 2 3]), int8([-100; 5]), ...
    int32(1:40), -int32(1:30), int32(zeros(1, 50)), int32(zeros(0, 3)), cat(3, int32([1 2]), int32([30 4])), ...
    int64(9223372036854775807), uint8(200), int8(-7), true, [0.5; 99999], [1+1e-8 2], [1-1e-8 2], [1+1e-7 2], [2000+1e-5 1], ...
    [1e-50 1], [1e-50 1; 0 -3], [1e-50 NaN], [1-1e-12 0], [1e8+0.3 2e8+0.7], [16777217.5 1], [1+eps; 1e5], [1 - eps, Inf]};
for k = 1:numel(matrices)
    show(file, matrices{k});
end
ranges = {'1:5', '0:0.25:1', '5:-1:1', '0:-1:-3', '0:3:10', '0:0.3:10', '10:-3:-1', '0:0.001:0.003', '0.01:0.01:0.03', ...
    '-1:0.5:1', '1:0.5:3', '99:0.5:100', '1:1000000:3000001', '1:30', '10:-2.5:0', '-3:3', '-7.5:2.5:0'};
for k = 1:numel(ranges)
    parts = strsplit(ranges{k}, ':');
    show(file, eval(ranges{k}), parts{end});
end
rand('twister', 1);
for k = 1:120
    scale = 10 .^ (floor(rand() * 12) - 5);
    spread = 10 .^ floor(rand(ceil(rand() * 3), ceil(rand() * 4)) * 3);
    x = (rand(size(spread)) - 0.3) .* spread * scale;
    if mod(k, 3) == 0
        x = round(x);
    elseif mod(k, 7) == 0
        x(1) = NaN;
    end
    show(file, x);
end

pairs = [3+4i, 1.5+2i, 100.5+2i, 1000.5+2i, 12345.678+2i, 1e5+2i, 1e5+0.5i, 100000-3i, 1e10+1i, 0.001i, 0.01i, 0.1i, 0.05+0.5i, ...
         -1i, 1/3-2i/3, 1e-5+1i, NaN+1i, complex(NaN, 1.5), complex(Inf, -Inf), complex(1.5, NaN), complex(-Inf, 0.001), complex(NaN, 1234.5), complex(25.5, Inf), complex(-0, 1), 1e-10i, ...
         1e15+1i, 1e16+1i, 1e6+7i, 1e7+1i, 0.5-1000i, 100-0.01i, 99.99999+1i, 1e200+1i, 1e-200i];
squares = {[1+2i 3.5-4i; 0 1i], [1i 2], [1+1i; 2], [1e5+1i 2], [1e5+.5i 2], [1e6i 1], [1e10i 1], [0.001i 1], [100.5i 1], ...
    [1000.5i 1], [NaN+1i 2], [complex(1, Inf) 2], [complex(1, Inf) 0.5], [1e-5i 1], (1:12)+1i, (1:12)/7+1i, (1:9)*1000.5+1i, ...
    [0.01+0.02i 0.03], single([1+2i 3.25]), -[1i 2], -[0.5i 2], cat(3, [1i 2], [3 4i]), cat(3, 1i, 2.5+1i), zeros(0, 2) * 1i, ...
    [1e200i 1], ones(2, 9) * (1+0.5i), [1e-120i 1], [1+1e-10+2i 3], [1+2i+1e-12i 1e-60]};
for x = pairs
    show(file, x);
end
show(file, complex(1, 0));
show(file, complex(1.5, 0));
show(file, complex(0, -0));
for k = 1:numel(squares)
    show(file, squares{k});
end
diagonals = {eye(2), eye(2, 3), eye(3, 2), 2.5 * eye(3), diag([1 -2]), diag([1e5 1.5]), diag([1e10 1]), diag([NaN 1]), ...
    diag([NaN 1.5]), eye(30), diag((1:15) / 7), diag(single([1 2.5])), diag([0 0]), diag([0.01 0.02]), diag([0.0625 1.5])};
for k = 1:numel(diagonals)
    show(file, diagonals{k}, 'diagonal');
end
show(file, eye(3)([2, 3, 1], :), 'permutation');
show(file, eye(30)(:, 30:-1:1), 'permutation');
for k = 1:60
    scale = 10 .^ (floor(rand() * 9) - 3);
    x = complex((rand(ceil(rand() * 3), ceil(rand() * 3)) - 0.3) * scale, 0);
    x += (rand(size(x)) - 0.5) * 10 .^ (floor(rand() * 4) - 1) * 1i;
    if mod(k, 3) == 0
        x = round(x * 10);
    end
    show(file, x);
end

format long
for x = scalars
    show(file, x);
    show(file, single(x));
end
for x = [10.25, 100.125, 1000.5, 12345.0625, 1e15 / 3, 1e16 / 3, 1e14 / 3, 1e15, 1e16, 1 / 3, 0.1 / 3]
    show(file, x);
    show(file, -x);
end
for k = 1:numel(matrices)
    show(file, matrices{k});
end
for k = 1:numel(ranges)
    parts = strsplit(ranges{k}, ':');
    show(file, eval(ranges{k}), parts{end});
end
for x = pairs
    show(file, x);
end
for k = 1:numel(squares)
    show(file, squares{k});
end
for k = 1:numel(diagonals)
    show(file, diagonals{k}, 'diagonal');
end
for k = 1:60
    x = (rand(ceil(rand() * 3), ceil(rand() * 4)) - 0.3) * 10 .^ (floor(rand() * 14) - 3);
    if mod(k, 3) == 0
        x = round(x);
    elseif mod(k, 3) == 1
        x = single(x);
    end
    show(file, x);
end
format short
fclose(file);
