c = cell(1, 3);
for k = 1:3
  c{k} = k * ones(1, k);
end
size(c), size(c, 1), numel(c), rows(c), columns(c)
c{end}
c{end+1} = 'text';
numel(c)
c(2) = [];
numel(c), c{2}
d = c(2:end);
numel(d)
d{1}(2) = 50;
d{1}
x = [d, {1, 2}];
numel(x)
e = {}; e{3} = 5; isempty(e{1}), isempty(e)
e(end+1) = {7}; e{4}
f = {'a'; 'b'; 'c'}; size(f)
for k = 1:rows(f), disp(f{k}), end
[p, q, r] = f{:}
s = [c{1:2}]
iscellstr(f), iscellstr(c), iscell(c), iscell(5)
g = num2cell([1 2 3]); g{2}
cell2mat({1, [2 3]})
y = cell(2, 1); size(y)
