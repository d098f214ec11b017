n = numel(find([1 0 1 1]));
c = {n, 'a', [n 2], {}};
s = 'start'; t = 'x'; total = 0; v = [];
for k = 1:4
  if ischar(c{k}), t = c{k}; continue, end
  if isempty(c{k}), s = 'empty'; break, end
  if any(c{k} > 2), v(end+1) = sum(c{k}); continue, end
  total = total + 1;
end
s, t, total, v
x = 1;
for k = 1:4
  if k == 2, x = x * 1i; end
  if n < k, break, end
  x = x + k;
end
x
q = 0;
for k = {1, 2, 3}
  if k{1} < n, q = q + k{1}; else q = q * 10; break; end
end
q
