1;
function y = stored(n)
  y = [];
  for k = 1:n, y(k) = k; end
end
function y = stored_from_two(n)
  y = [];
  for k = 2:n, y(k - 1, 1) = k; end
end
function y = appended(n)
  y = [];
  for k = 1:n
    if mod(k, 2) == 1, y(end + 1) = k; end
  end
end
function y = rows_below(n)
  y = [];
  for k = 1:n, y = [y; k, 2 * k]; end
end
function y = columns_beside(n)
  y = [];
  for k = 1:n, y = [y, [k; 2 * k; 3 * k]]; end
end
function y = rows_stored(n)
  y = [];
  for k = 1:n, y(k, :) = [k, k]; end
end
function y = in_a_nest(n, m)
  y = [];
  for k = 1:n
    for j = 1:m, y(k, j) = k + j; end
  end
end
function tell(y)
  [r, c] = size(y);
  printf('%d-by-%d %d %d %d %d: %d\n', r, c, size(y, 1), size(y, 2), rows(y), columns(y), isempty(y));
  disp(size(y))
  disp(size(2 * y + 1))
  disp(size(y'))
  y
end
for n = [numel(find([0 0])), numel(find([0 1])), numel(find([1 1 1]))]
  tell(stored(n)), tell(stored_from_two(n)), tell(appended(n))
  disp([sum(stored(n)), prod(stored(n)), sum(appended(n)), numel(appended(n)), length(rows_below(n))])
  tell(rows_below(n)), tell(columns_beside(n)), tell(rows_stored(n))
  tell(in_a_nest(n, 2)), tell(in_a_nest(2, n))
  z = rows_below(n);
  z = [z; 7, 8];
  tell(z)
  tell([stored(n), appended(n)]), tell(reshape(stored(n), 1, n))
  x = stored(n);
  x(end + 1) = 5;
  tell(x)
end
