% run-length coding: values and counts grow together
x = [3 3 3 1 1 4 4 4 4 2];
vals = x(1); counts = 1;
for i = 2:length(x)
  if x(i) == vals(end)
    counts(end) = counts(end) + 1;
  else
    vals(end+1) = x(i);
    counts(end+1) = 1;
  end
end
fprintf('%g ', vals, counts); fprintf('\n');
y = [];
for k = 1:numel(vals)
  y = [y, vals(k) * ones(1, counts(k))];
end
fprintf('%g ', y, isequal(x, y)); fprintf('\n');
