% Writes expected.txt: what GNU Octave 7.3 gives for the calls in cases.txt.
%
%   octave-cli --quiet --norc tests/golden/builtins/make.m
%
% A line of cases.txt is empty, a comment (%), an input `let NAME = VALUE`, or a call: an expression, or
% `[A, B] = EXPRESSION`, of inputs;
% it may call the functions in tests/matlab/builtins.  Inputs go into expected.txt as `in NAME CLASS SIZE SIZE ...`, calls as
% `case TEXT` and `out CLASS SIZE SIZE ...` for each result; an error of Octave's is `error MESSAGE`.  The
% elements follow each header, columns first, as decimals that read back to the same double.

1;  % a script, in spite of the functions below

function write_value(file, header, value)
  fprintf(file, '%s %s%s\n', header, class(value), sprintf(' %d', size(value)));
  if ! isempty(value)
    fprintf(file, '%s\n', strtrim(sprintf('%.17g ', plain(double(value(:))))));
  end
end

% NA, Octave's missing value, is a NaN.
function x = plain(x)
  x(isnan(x)) = NaN;
end

folder = fileparts(mfilename('fullpath'));
addpath(fullfile(folder, '..', '..', 'matlab', 'builtins'));
lines = strsplit(fileread(fullfile(folder, 'cases.txt')), "\n");
file = fopen(fullfile(folder, 'expected.txt'), 'w');
warning('off', 'all');
for line = lines
  text = strtrim(line{1});
  if isempty(text) || text(1) == '%'
    continue
  end
  if strncmp(text, 'let ', 4)
    eval([text(5:end) ';']);
    name = strtok(text(5:end), ' =');
    write_value(file, ['in ' name], eval(name));
    continue
  end
  fprintf(file, 'case %s\n', text);
  try
    call = regexp(text, '^\[([^\]]*)\] = (.*)$', 'tokens');
    if isempty(call)
      results = {eval(text)};
    else
      results = cell(1, numel(strsplit(call{1}{1}, ',')));
      [results{:}] = eval(call{1}{2});
    end
    for number = 1:numel(results)
      write_value(file, 'out', results{number});
    end
  catch problem
    fprintf(file, 'error %s\n', strrep(problem.message, "\n", ' '));
  end
end
fclose(file);
