% Octave as a server for `measure.py`: octave-cli --quiet --norc serve.m FOLDER
%
% The questions and answers are those of src/main.rs.  A program is a file of the folder; its arguments have Octave's own memory order, columns
% first, whichever is asked for.

1;  % a script, in spite of the functions below

function argument = load_argument(word)
    parts = strsplit(word, ':');
    argument = str2double(word);
    if numel(parts) == 2
        sizes = str2double(strsplit(parts{1}, 'x'));
        file = fopen(parts{2});
        elements = fread(file, Inf, 'double');
        fclose(file);
        % rows first in the file; a vector is a column
        argument = permute(reshape(elements, [fliplr(sizes), 1, 1]), [numel(sizes):-1:1, numel(sizes) + 1]);
    end
end

function answer = store(results, prefix)
    answer = 'ok';
    for place = 1:numel(results)
        result = double(results{place});
        file = fopen(sprintf('%s.%d', prefix, place - 1), 'w');
        fwrite(file, permute(result, ndims(result):-1:1), 'double');
        fclose(file);
        answer = [answer, ' ', strjoin(arrayfun(@num2str, size(result), 'UniformOutput', false), 'x')];
    end
end

function results = call(program)
    results = cell(1, nargout(program.name));
    [results{:}] = feval(program.name, program.arguments{:});
end

function answer = time_calls(program, budget)
    begun = tic;
    results = call(program);
    times = toc(begun);
    % a call that takes all the time is not repeated to warm up
    if times <= budget
        times = [];
        while isempty(times) || toc(begun) < budget
            start = tic;
            results = call(program);
            times(end + 1) = toc(start);
        end
    end
    answer = ['ok', sprintf(' %e', times)];
end

% A question, or [] after the last.  `fgetl` would wait for what comes after the line.
function line = question()
    try
        line = input('', 's');
    catch
        line = [];
    end
end

addpath(argv(){1});
program = struct('name', '', 'arguments', {{}});
while ischar(line = question())
    words = strsplit(line, ' ');
    try
        switch words{1}
            case 'load'
                program.name = words{2};
                program.arguments = cellfun(@load_argument, words(4:end), 'UniformOutput', false);
                results = call(program);
                answer = 'ok';
            case 'results'
                answer = store(results, words{2});
            case 'time'
                answer = time_calls(program, str2double(words{2}));
        end
    catch failure
        answer = ['error ', strrep(failure.message, "\n", ' ')];
    end
    puts([answer, "\n"]);
    fflush(stdout);
end
