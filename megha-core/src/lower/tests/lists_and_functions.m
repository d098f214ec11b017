z = arrayfun(@(i) i^2, 1:4, 'UniformOutput', true)
y = arrayfun(@(i) ones(1, i), 1:3, 'UniformOutput', false);
disp(y{3})
w = arrayfun(@(a, b) {a, b}, [1 2], [3 4], 'uniformoutput', false);
w{2}{1}
names = {'x', 'yy', 'zzz'}; vals = [1 2 3];
for k = 1:3
  fprintf('%s = %d\n', names{k}, vals(k));
end
c = {@sin, @cos, @(t) t^2};
for k = 1:numel(c), fprintf('%g\n', c{k}(2)); end
c{3}(4)
feval(c{1}, 0)
opts = {'a', 1, 'b', [2 3]};
for k = 1:2:numel(opts)
  switch opts{k}
    case {'a', 'x'}
      disp(opts{k + 1})
    case 'b'
      disp(sum(opts{k + 1}))
  end
end
