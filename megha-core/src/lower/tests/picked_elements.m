1;
function r = described(k)
  names = {'alpha', 'beta', 'gamma rays'};
  r = length(names{k});
  printf('%d %s\n', k, names{k});
  if strcmp(names{k}, 'beta'), r = -r; end
  switch names{k}
    case {'alpha', 'x'}
      r = r + 100;
    case 'gamma rays'
      r = r + 200;
  end
  s = names{k};
  printf('[%s]\n', upper(s));
end
function r = summed(k)
  parts = {[1 2 3], 4, [5; 6]};
  r = sum(parts{k});
  x = parts{k};
  disp(size(x))
  k = numel(parts{k});
  r = r + k;
end
function r = called(k, x)
  functions = {@sin, @cos, @(t) t .^ 2};
  f = functions{k};
  r = f(x) + functions{k}(x);
end
function r = paired(i, j)
  a = {'x', 'yy'};
  b = {[1 2], [3 4 5]};
  r = 0;
  if i ~= j && numel(a{i}) < 2
    r = numel(b{j});
  else
    [r, at] = max(b{j});
    r = 10 * r + at;
  end
end
for k = find([1 1 1])
  disp(described(k)), disp(summed(k)), disp(called(k, 0.5))
end
for i = find([1 1]), for j = find([1 1]), disp(paired(i, j)), end, end
n = numel(find([1 1]));
rows = {[1 2], [3 4], [5 6]};
total = zeros(1, 2);
for k = 1:n + 1, total = total + rows{k}; M(k, :) = rows{k}; end
disp(total), disp(M)
unwind_protect
  total = total * 2;
unwind_protect_cleanup
  disp(total)
end_unwind_protect
