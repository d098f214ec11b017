% Octave's results of the random programs, for tests/random: in the folder with the programs that its test
% `write_programs` wrote, run  octave-cli --quiet --norc .../random.m > .../random.txt
% A result is given by its sizes, the sum of its finite numbers, and that weighted by the elements' numbers, both as hexadecimal digits
% without zeros at the end, and the sums of the numbers of elements that are NaN, infinite or -0; and so the imaginary parts if there are
% any; all are exact. Of errors those that the program raises are told by their messages. What the program prints follows.
1;

function text = bits(x)
  text = lower(regexprep(num2hex(x), '0+$', ''));
end

function text = sums(x)
  x = x(:);
  k = (1:numel(x))';
  finite = x;
  finite(! isfinite(x)) = 0;
  text = [' ', bits(sum(finite)), ' ', bits(sum(finite .* k))];
  special = {'nan', isnan(x); 'inf', x == Inf; '-inf', x == -Inf; '-0', x == 0 & 1 ./ x < 0};
  for s = special'
    at = sum(k(s{2}));
    if at > 0, text = sprintf('%s %s:%d', text, s{1}, at); end
  end
end

function text = digest(x)
  y = double(x);
  text = [strjoin(arrayfun(@num2str, size(x), 'UniformOutput', false), 'x'), sums(real(y))];
  if any(imag(y(:)) != 0), text = [text, sums(imag(y))]; end
end

% The arguments of a program: what comes after A is known by its name.
function list = arguments(name, n)
  file = fopen([name, '.m']);
  head = fgetl(file);
  fclose(file);
  k = 1:n;
  list = {n, mod(k * 7, 11), mod(reshape(1:n*n, n, n) * 5, 13)};
  switch regexp(head, '\w(?=\)$)', 'match'){1}
    case 'T', list{end+1} = mod(reshape(1:2*n*n, n, 2, n) * 3, 10);
    case 'w', list{end+1} = int32(mod(k * 9, 14));
    case 'u', list{end+1} = uint8(mod(k * 9, 14));
    case 's', list{end+1} = single(mod(k' * 5, 16) / 2);
    case 'm', list{end+1} = mod(reshape(1:n*n, n, n), 3) == 0;
    case 'z', list{end+1} = complex(mod(k * 7, 9), mod(k * 4, 5));
  end
end

function text = line(name, n)
  list = arguments(name, n);
  results = cell(1, nargout(name));
  failure = [];
  printed = evalc('try, [results{:}] = feval(name, list{:}); catch failure, end');
  if isempty(failure)
    text = strjoin(cellfun(@digest, results, 'UniformOutput', false), ' | ');
  else
    text = 'error';
    if strncmp(failure.identifier, 'p:', 2), text = ['error: ', failure.message]; end
  end
  if ! isempty(printed)
    text = [text, ' "', strrep(strrep(printed, '\', '\\'), "\n", '\n'), '"'];
  end
end

warning('off', 'all');
addpath(pwd);
files = dir('p*.m');
for seed = sort(cellfun(@(f) sscanf(f, 'p%d.m'), {files.name}))
  name = sprintf('p%d', seed);
  for n = [3, 5]
    printf('%s %d: %s\n', name, n, line(name, n));
  end
end
