% Times the functions of `vectors.m`, `matrices.m` and `small.m` in GNU Octave; `library.rs` runs it and makes the same arguments.
%
%   octave-cli --quiet --norc benches/library/octave_times.m [vectors|matrices|small|NAME ...]
%
% Arguments are copied before each call: Octave keeps the integer form of an array that was a subscript once, which saves nine tenths of a
% second `accumarray` of the same places, and no program asks for the same sums again.
% Each measurement is one line, `octave FUNCTION SECONDS`: the median of at least three calls, as many as 150 ms have.

1;  % a script, in spite of the functions below

function v = scattered(n, step)
    k = (1:n)';
    v = mod(step * mod(k .* k, 16777213), 1);
end

function d = given_arguments()
    golden = 0.618033988749895;
    silver = 0.414213562373095;
    square = @(n, step) reshape(scattered(n * n, step), n, n);
    d.v = scattered(1e6, golden);
    d.u = 1 + 1e-6 * d.v;
    d.w = 1 + floor(1000 * scattered(1e6, silver));
    d.r = d.v';
    d.c = scattered(64, silver);
    d.f = scattered(2 ^ 18, silver);
    d.A = square(500, golden) + 20 * eye(500);
    d.B = square(200, silver);
    d.b = scattered(500, golden);
    d.K = square(40, golden);
    d.g = 1 + mod(7 * (0:299)', 500);
    d.k5 = square(5, golden);
    d.H = reshape(scattered(3e5, golden), 1e5, 3);
    d.G = reshape(scattered(3e5, silver), 1e5, 3);
    d.S = square(3, golden) + 20 * eye(3);
    d.x = scattered(30, golden)';
    d.z = (0:29) / 29;
    d.y = scattered(3, silver)';
end

function measure(name, inputs, results)
    seconds = [];
    out = cell(1, results);
    begin = tic;
    while numel(seconds) < 3 || (toc(begin) < 0.15 && numel(seconds) < 1000)
        fresh = cell(size(inputs)); for j = 1:numel(inputs), fresh{j} = inputs{j} + 0; end
        start = tic;
        [out{:}] = feval(name, fresh{:});
        seconds(end + 1) = toc(start);
    end
    printf('octave %s %.6e\n', name, median(seconds));
    fflush(stdout);
end

function measure_group(group, wanted, given)
    file = fullfile(fileparts(mfilename('fullpath')), [group '.m']);
    source(file);
    found = regexp(fileread(file), '^% megha: fn (\w+)\(([^)]*)\) -> \(([^)]*)\)$', 'tokens', 'lineanchors');
    for k = 1:numel(found)
        [name, parameters, results] = found{k}{:};
        if isempty(wanted) || any(strcmp(name, wanted)) || any(strcmp(group, wanted))
            called = regexp(parameters, '(\w+):', 'tokens');
            inputs = cellfun(@(parameter) given.(parameter{1}), called, 'UniformOutput', false);
            measure(name, inputs, numel(strsplit(results, ',')));
        end
    end
end

given = given_arguments();
measure_group('vectors', argv(), given);
measure_group('matrices', argv(), given);
measure_group('small', argv(), given);
