% Sets of numbers, comparison of arrays, order of rows.

function [u, first, place] = unique(x, a, b)
  if nargin > 2
    if ~(strcmp(a, 'rows') || strcmp(b, 'rows')), refuse('of two options one is rows'); end
    if strcmp(a, 'stable') || strcmp(b, 'stable')
      [u, first, place] = unique_rows_stable(x);
    elseif strcmp(a, 'first') || strcmp(b, 'first')
      [u, first, place] = unique_rows(x);
    else
      refuse('the options are rows, stable, first and last');
    end
  elseif nargin == 1
    [u, first, place] = unique_elements(x);
  else
    switch a
      case 'rows'
        [u, first, place] = unique_rows(x);
      case 'stable'
        [u, first, place] = unique_stable(x);
      case {'first', 'last'}
        [u, first, place] = unique_elements(x);
        if nargout > 1 && strcmp(a, 'last')
          for k = 1:numel(place)
            first(place(k)) = k;
          end
        end
      otherwise
        refuse('the options are rows, stable, first and last');
    end
  end
end

% Rows in the order in which they first come.
function [u, first, place] = unique_rows_stable(x)
  [~, first, place] = unique_rows(x);
  for k = numel(place):-1:1
    first(place(k)) = k;
  end
  [first, order] = sort(first, 1);
  rank_of = zeros(size(order));
  rank_of(order) = (1:numel(order))';
  place = rank_of(place);
  u = x(first, :);
end

function [u, first, place] = unique_rows(x)
  [s, order] = sortrows(x);
  n = size(x, 1);
  new = true(n, 1);
  for k = 2:n
    new(k) = any(s(k, :) ~= s(k - 1, :));
  end
  if isfloat(x)
    % Of rows that differ in the sign of a zero Octave keeps the last.
    for k = n-1:-1:1
      if ~new(k + 1), s(k, :) = s(k + 1, :); end
    end
  end
  u = s(new, :);
  first = zeros(size(u, 1), 1);
  place = zeros(n, 1);
  group = 0;
  for k = 1:n
    if new(k)
      group = group + 1;
      first(group) = order(k);
    end
    place(order(k)) = group;
  end
end

% In the order in which they first come.
function [u, first, place] = unique_stable(x)
  n = numel(x);
  new = true(n, 1);
  place = zeros(n, 1);
  group = 0;
  for k = 1:n
    for j = 1:k-1
      if new(k) && x(j) == x(k)
        new(k) = false;
        place(k) = place(j);
      end
    end
    if new(k)
      group = group + 1;
      place(k) = group;
    end
  end
  first = find(new);
  u = x(first);
  if is_row_type(x), u = reshape(u, 1, numel(first)); end
end

function [u, first, place] = unique_elements(x)
  if is_scalar_type(x)
    u = x;
    first = 1;
    place = 1;
  elseif is_empty_type(x)
    if ~isequal(size(x), [0, 0])
      u = reshape(x, 0, 1);
    else
      u = x;
    end
    first = zeros(0, 1);
    place = zeros(0, 1);
  else
    default_dimension(x);
    n = numel(x);
    [s, order] = sort(x(:));
    new = true(n, 1);
    for k = 2:n
      new(k) = s(k) ~= s(k - 1);
    end
    if isfloat(x)
      % Of zeros Octave keeps the last, with its sign.
      for k = n-1:-1:1
        if ~new(k + 1), s(k) = s(k + 1); end
      end
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
  if lies_in_row(a) && lies_in_row(b)
    u = u.';
  end
end

% A scalar too is a row.
function r = lies_in_row(x)
  r = is_row_type(x) || is_scalar_type(x);
end

% In the class of x and other joined: beside integers numbers are rounded to their class.
function y = in_class_with(x, other)
  if isinteger(x)
    y = x;
  elseif isinteger(other)
    y = convert_like(x, other);
  elseif isa(other, 'single')
    y = single(x);
  elseif islogical(x) && ~islogical(other)
    y = double(x);
  else
    y = x;
  end
end

% What a mask leaves of a column, as a row or a column.
function c = chosen(u, mask, row)
  c = u(mask);
  if row
    c = reshape(c, 1, numel(c));
  elseif is_scalar_type(u)
    c = reshape(c, numel(c), 1);
  end
end

function [c, in_a, in_b] = intersect(a, b)
  if is_empty_type(a) || is_empty_type(b)
    c = [];
    in_a = [];
    in_b = [];
    return
  end
  if is_scalar_type(a) && is_scalar_type(b)
    c = in_class_with(a, b);
    c = c(c == in_class_with(b, a));
    in_a = ones(size(c));
    in_b = in_a;
  else
    [u, first_a] = unique(a(:));
    [v, first_b] = unique(b(:));
    [s, order] = sort([in_class_with(u, v); in_class_with(v, u)]);
    n = numel(s);
    again = [s(1:n-1) == s(2:n); false];
    c = chosen(s, again, lies_in_row(a) && lies_in_row(b));
    if nargout > 1
      at = find(again);
      in_a = first_a(order(at));
      in_b = first_b(order(at + 1) - numel(u));
    end
  end
end

function [c, in_a] = setdiff(a, b)
  if is_empty_type(a)
    c = unique(a);
    in_a = zeros(0, 1);
    return
  end
  [u, first] = unique(a(:));
  v = unique(b(:));
  [s, order] = sort([in_class_with(u, v); in_class_with(v, u)]);
  stays = true(size(u));
  for k = 1:numel(s)-1
    if s(k) == s(k + 1) && order(k) <= numel(u)
      stays(order(k)) = false;
    end
  end
  c = chosen(u, stays, lies_in_row(a));
  if nargout > 1
    in_a = first(stays);
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
      break
    end
  end
end

% Complex numbers in Octave's order: by absolute value, among equal ones by angle; without imaginary parts as real numbers.
function [y, order] = complex_sort(x, dim, sign)
  if is_vector_type(x) && dim == 1 + is_row_type(x)
    order = reshape(complex_order(x(:), sign), size(x));
    y = x(order);
  elseif dim > ndims(x)
    y = x;
    order = ones(size(x));
  elseif ndims(x) > 2
    refuse('complex numbers are sorted in vectors and matrices');
  elseif is_vector_type(x)
    y = x;
    order = ones(size(x));
  elseif dim == 2
    [y, order] = complex_sort(x.', 1, sign);
    y = y.';
    order = order.';
  else
    y = x;
    order = zeros(size(x));
    for j = 1:size(x, 2)
      o = complex_order(x(:, j), sign);
      order(:, j) = o;
      y(:, j) = x(o, j);
    end
  end
end

% Stable, and NaN comes last, in descending order first, as it does among real numbers.
function order = complex_order(x, sign)
  n = numel(x);
  order = (1:n)';
  size_of = abs(x);
  angle_of = arg(x);
  if isreal(x)
    size_of = real(x);
    angle_of = zeros(n, 1);
  end
  if sign > 0
    [~, by_angle] = sort(angle_of, 1);
    [~, by_size] = sort(size_of(by_angle), 1);
  else
    [~, by_angle] = sort(angle_of, 1, 'descend');
    [~, by_size] = sort(size_of(by_angle), 1, 'descend');
  end
  order = by_angle(by_size);
end

% What one of the two has: in the elements of both, each once, it stands alone.
function c = setxor(a, b)
  s = sort([unique(a(:)); unique(b(:))], 1);
  n = numel(s);
  alone = true(n, 1);
  for k = 2:n
    if s(k) == s(k - 1)
      alone(k) = false;
      alone(k - 1) = false;
    end
  end
  c = s(alone);
  if (lies_in_row(a) || is_empty_type(a)) && (lies_in_row(b) || is_empty_type(b))
    c = c.';
  end
end

% The number of the last element of an ascending table that is not above each number.
function at = lookup(table, y)
  if is_scalar_type(y) || is_scalar_type(table)
    falls = false;
    if numel(table) > 1, falls = table(1) > table(numel(table)); end
    at = zeros(size(y));
    for i = 1:numel(y)
      low = 0;
      high = numel(table) + 1;
      while high - low > 1
        middle = floor((low + high) / 2);
        if isnan(y(i)) || (~falls && table(middle) <= y(i)) || (falls && table(middle) >= y(i))
          low = middle;
        else
          high = middle;
        end
      end
      at(i) = low;
    end
  else
    at = places_in(double(table), double(y));
  end
end

% Whether some element of a mask is true behind one that is not.
function r = ends_inside(mask)
  mask = mask(:);
  n = numel(mask);
  r = n > 1 && any(mask(2:n) & ~mask(1:n-1));
end
