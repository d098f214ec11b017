c = {[1 2], [3 4 5], 7};
n = cellfun(@numel, c)
m = cellfun('length', c)
q = cellfun(@(x) sum(x), c)
e = cellfun(@isempty, {1, [], 'a'})
e2 = cellfun('isempty', {1; []; 'a'})
d = cellfun(@(x) 2*x, c, 'UniformOutput', false);
d{2}
[a, b] = cellfun(@max, c)
u = cellfun(@upper, {'ab', 'c'}, 'UniformOutput', false);
u{:}
w = cellfun(@(x, y) x(1) + y, c, {1, 2, 3})
t = cellfun(@ischar, {1, 'a'}); class(t)
