% Octave's results of the random programs, for tests/random: in the folder with the programs that its test
% `write_programs` wrote, run  octave-cli --quiet --norc .../random.m > .../random.txt
% A result is given by its sizes, its sum, and its sum weighted by the elements' numbers; all are exact.
addpath(pwd);
for seed = 0:499
  name = sprintf('p%d', seed);
  for n = [3, 5]
    v = mod((1:n) * 7, 11);
    A = mod(reshape(1:n*n, n, n) * 5, 13);
    results = cell(1, nargout(name));
    [results{:}] = feval(name, n, v, A);
    texts = cell(1, numel(results));
    for k = 1:numel(results)
      x = double(results{k});
      texts{k} = sprintf('%dx%d %.17g %.17g', rows(x), columns(x), sum(x(:)), sum(x(:) .* (1:numel(x))'));
    end
    printf('%s %d: %s\n', name, n, strjoin(texts, ' | '));
  end
end
