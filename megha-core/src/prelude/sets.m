% Sets of numbers, comparison of arrays, order of rows.

function [u, first, place] = unique(x)
  if is_scalar_type(x)
    u = x;
    first = 1;
    place = 1;
  else
    default_dimension(x);
    n = numel(x);
    [s, order] = sort(x(:));
    new = true(n, 1);
    for k = 2:n
      new(k) = s(k) ~= s(k - 1);
    end
    at = find(new);
    u = s(at);
    if nargout > 1
      first = order(at);
      place = zeros(n, 1);
      group = 0;
      for k = 1:n
        if new(k)
          group = group + 1;
        end
        place(order(k)) = group;
      end
    end
    if is_row_type(x)
      u = u.';
    end
  end
end

function [found, place] = ismember(a, s, rows)
  if nargin > 2
    if ~strcmp(rows, 'rows')
      error('ismember: the third argument must be "rows"');
    end
    place = zeros(size(a, 1), 1);
    for i = 1:size(a, 1)
      place(i) = last_row(a, i, s);
    end
    found = place > 0;
  elseif is_scalar_type(a)
    place = last_place(a, s);
    found = place > 0;
  else
    place = zeros(size(a));
    for i = 1:numel(a)
      place(i) = last_place(a(i), s);
    end
    found = place > 0;
  end
end

% Of several equal elements the last one, as Octave has it.
function place = last_place(x, s)
  place = 0;
  for k = 1:numel(s)
    if x == s(k)
      place = k;
    end
  end
end

function place = last_row(a, i, s)
  place = 0;
  for k = 1:size(s, 1)
    same = true;
    for j = 1:size(s, 2)
      if a(i, j) ~= s(k, j)
        same = false;
      end
    end
    if same
      place = k;
    end
  end
end

function u = union(a, b)
  u = unique([a(:); b(:)]);
  if is_row_type(a) && is_row_type(b)
    u = u.';
  end
end

function c = intersect(a, b)
  u = unique(a(:));
  c = u(ismember(u, b));
  if is_row_type(a) && is_row_type(b)
    c = c.';
  end
end

function c = setdiff(a, b)
  u = unique(a(:));
  c = u(~ismember(u, b));
  if is_row_type(a)
    c = c.';
  end
end

function r = isequal(a, b, c)
  if nargin > 2
    r = isequal(a, b) && isequal(b, c);
  elseif ndims(a) ~= ndims(b) || never_same_size(a, b)
    r = false;
  elseif size(a, 1) == size(b, 1) && size(a, 2) == size(b, 2) && size(a, 3) == size(b, 3)
    r = all(a(:) == b(:));
  else
    r = false;
  end
end

function [y, order] = sortrows(x, c)
  if nargin < 2, c = 1:size(x, 2); end
  order = (1:size(x, 1))';
  for k = numel(c):-1:1
    column = x(order, abs(c(k)));
    if c(k) > 0
      [~, o] = sort(column, 1);
    else
      [~, o] = sort(column, 1, 'descend');
    end
    order = order(o);
  end
  y = x(order, :);
end

function r = issorted(x)
  n = numel(x);
  r = true;
  for i = 2:n
    if ~(x(i - 1) <= x(i) || isnan(x(i)))
      r = false;
    end
  end
end
