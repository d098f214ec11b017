% rows of different lengths, one after the other
row = 1;
for n = 1:6
  next = ones(1, n + 1);
  for k = 2:n
    next(k) = row(k-1) + row(k);
  end
  row = next;
end
fprintf('%g ', row, sum(row)); fprintf('\n');
