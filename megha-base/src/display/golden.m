% Writes golden.txt beside this script, from GNU Octave 7.3:
%
%   octave-cli --quiet --norc megha-base/src/display/golden.m
%
% Each case is a line `CLASS SIZE SIZE .. : LIMIT : ELEMENT ..` and the lines that the display of the value `x` prints, each
% after a `|`.  Elements of floating point are the 16 hexadecimal digits of their bits as doubles; LIMIT is that of a range, else
% empty.

1;  % a script, in spite of the functions below

function show(file, x, limit)
    if nargin < 3
        limit = '';
    end
    fprintf(file, '%s%s : %s :', class(x), sprintf(' %d', size(x)), limit);
    if isfloat(x)
        fprintf(file, '%s', sprintf(' %s', cellstr(num2hex(double(x(:)))){:}));
    else
        fprintf(file, ' %d', x);
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
    int64(9223372036854775807), uint8(200), int8(-7), true, [0.5; 99999]};
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
fclose(file);
