% Integrals and differences of sampled functions, and running extremes.

function z = trapz(x, y, dim)
  if nargin == 1
    z = integral_along(x, default_dimension(x), 0, false, false);
  elseif nargin == 2 && is_scalar_type(y) && ~is_scalar_type(x)
    z = integral_along(x, y, 0, false, false);
  elseif nargin == 2
    z = trapz(x, y, default_dimension(y));
  elseif isempty(x)
    z = integral_along(y, dim, 0, false, false);
  elseif is_scalar_type(x)
    z = x * integral_along(y, dim, 0, false, false);
  else
    z = integral_along(y, dim, x, true, false);
  end
end

function z = cumtrapz(x, y, dim)
  if nargin == 1
    z = integral_along(x, default_dimension(x), 0, false, true);
  elseif nargin == 2 && is_scalar_type(y) && ~is_scalar_type(x)
    z = integral_along(x, y, 0, false, true);
  elseif nargin == 2
    z = cumtrapz(x, y, default_dimension(y));
  elseif isempty(x)
    z = integral_along(y, dim, 0, false, true);
  elseif is_scalar_type(x)
    z = x * integral_along(y, dim, 0, false, true);
  else
    z = integral_along(y, dim, x, true, true);
  end
end

% Of integers the neighbours' sums are of their class, and the sum of those is one of doubles.
function z = integral_along(y, dim, x, spaced, running)
  if ~isfloat(y) && ~isinteger(y), y = double(y); end
  if is_scalar_type(y)
    z = zeros_for(y);
  elseif is_vector_type(y) && dim == 1 + is_row_type(y)
    if spaced, same_length(numel(x), numel(y)); end
    if running
      z = running_integral(y, x, spaced);
    elseif spaced
      n = numel(y);
      x = x(:);
      y = y(:);
      z = 0.5 * sum((x(2:n) - x(1:n-1)) .* (y(2:n) + y(1:n-1)), 1);
    else
      n = numel(y);
      z = 0.5 * sum(y(1:n-1) + y(2:n), dim);
    end
  else
    z = with_lines(integral_of_columns(lines_of(y, dim), x, spaced, running), y, dim);
  end
end

function z = integral_of_columns(y, x, spaced, running)
  if spaced
    if ~is_vector_type(x), refuse('the points must be a vector'); end
    same_length(numel(x), size(y, 1));
  end
  n = size(y, 1);
  if running
    z = zeros_for(y);
    for j = 1:size(y, 2)
      z(:, j) = running_integral(y(:, j), x, spaced);
    end
  elseif spaced
    z = 0.5 * sum(diff(reshape(x, n, 1)) .* (y(1:n-1, :) + y(2:n, :)), 1);
  else
    z = 0.5 * sum(y(1:n-1, :) + y(2:n, :), 1);
  end
end

function z = running_integral(y, x, spaced)
  z = zeros_for(y);
  for i = 2:numel(y)
    area = y(i) + y(i - 1);
    if spaced
      area = (x(i) - x(i - 1)) * area;
    end
    if isinteger(area), area = double(area); end
    z(i) = z(i - 1) + 0.5 * area;
  end
end

function z = zeros_for(y)
  if isinteger(y)
    z = zeros(size(y));
  else
    z = zeros(size(y), 'like', y);
  end
end

function same_length(a, b)
  if a ~= b
    error('the lengths of X and Y must match');
  end
end

% Spacings are numbers, or vectors of places.
function [gx, gy] = gradient(f, hx, hy)
  if nargin < 2, hx = 1; end
  if nargin < 3, hy = hx; end
  if islogical(f), error('gradient: first input must be an array or a function'); end
  if is_row_type(f)
    gx = columns_gradient(f.', hx).';
    gy = zeros(size(f));
  elseif is_vector_type(f)
    gx = columns_gradient(f, hx);
    gy = zeros(1, numel(f)); % a row, as in Octave
  else
    if size(f, 2) == 1 && size(f, 1) ~= 1
      error('gradient: this matrix has one column, so its gradient is that of a vector: pass f(:)');
    end
    gx = columns_gradient(f.', hx).';
    if nargout > 1
      gy = columns_gradient(f, hy);
    end
  end
end

function g = columns_gradient(f, h)
  n = size(f, 1);
  g = zeros(size(f), 'like', f);
  if ~is_scalar_type(h)
    same_length(numel(h), n);
    for j = 1:size(f, 2)
      for i = 1:n
        g(i, j) = (f(min(i + 1, n), j) - f(max(i - 1, 1), j)) / (h(min(i + 1, n)) - h(max(i - 1, 1)));
      end
    end
  else
    g = equal_gradient(f, h, n);
  end
end

function g = equal_gradient(f, h, n)
  g = zeros(size(f), 'like', f);
  for j = 1:size(f, 2)
    for i = 1:n
      g(i, j) = (f(min(i + 1, n), j) - f(max(i - 1, 1), j)) / (h * max(min(i + 1, n) - max(i - 1, 1), 1));
    end
  end
end

function [y, at] = cummax(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = running_extreme(x, dim, 1);
  if nargout > 1, at = last_changes(y, dim); end
end

function [y, at] = cummin(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = running_extreme(x, dim, -1);
  if nargout > 1, at = last_changes(y, dim); end
end

function at = last_changes(y, dim)
  if is_scalar_type(y)
    at = 1;
  elseif dim == 1 && ndims(y) < 3
    at = last_changes_of_columns(y);
  else
    at = with_lines(last_changes_of_columns(lines_of(y, dim)), y, dim);
  end
end

% Where a running extreme came to be what it is: the greatest number of an element so far that differs from the one before.
% Only leading elements are NaN.
function at = last_changes_of_columns(y)
  n = size(y, 1);
  at = ones(size(y));
  before = y(1:n-1, :);
  here = y(2:n, :);
  at(2:n, :) = (2:n)' .* (here ~= before & ~isnan(here));
  at = running_extreme(at, 1, 1);
end

% The largest (sign 1) or smallest (sign -1) elements along a dimension, and where the first of them stand. NaN is the
% answer only where there is nothing else.
function [m, at] = extreme_places(x, dim, sign)
  if is_scalar_type(x)
    m = x;
    at = 1;
  elseif never_elements(size(x, dim))
    % Of no elements there is no extreme: as many as there were.
    m = x;
    at = zeros(size(x));
  elseif is_vector_type(x) && dim == 1 + is_row_type(x)
    [m, at] = vector_extreme(x(:), sign);
  elseif dim > ndims(x)
    m = x;
    at = ones(size(x));
  elseif ndims(x) > 3
    refuse('the place is found in arrays of up to three dimensions');
  elseif ndims(x) == 3 && dim == 1
    [m, at] = page_extremes(permute(x, [2, 3, 1]), sign);
    m = reshape(m, 1, size(x, 2), size(x, 3));
    at = reshape(at, 1, size(x, 2), size(x, 3));
  elseif ndims(x) == 3 && dim == 2
    [m, at] = page_extremes(permute(x, [1, 3, 2]), sign);
    m = reshape(m, size(x, 1), 1, size(x, 3));
    at = reshape(at, size(x, 1), 1, size(x, 3));
  elseif ndims(x) == 3
    [m, at] = page_extremes(x, sign);
  elseif dim == 2
    [m, at] = row_extremes(x, sign);
  else
    [m, at] = column_extremes(x, sign);
  end
end

% Of all rows at once, column by column.
function [m, at] = row_extremes(x, sign)
  if size(x, 2) == 0
    error('the extreme of no elements has no value');
  end
  n = size(x, 1);
  m = zeros(n, 1, 'like', x);
  at = ones(n, 1);
  for i = 1:n
    extreme = x(i, 1);
    place = 1;
    for j = 2:size(x, 2)
      element = x(i, j);
      better = (sign > 0 & element > extreme) | (sign < 0 & element < extreme) | (isnan(extreme) & ~isnan(element));
      extreme = merge(better, element, extreme);
      place = merge(better, j, place);
    end
    m(i) = extreme;
    at(i) = place;
  end
end

% Whether a size is known to be zero when compiling.
function answer = never_elements(n)
  answer = false;
  if is_constant(n)
    answer = n == 0;
  end
end

function [m, at] = column_extremes(x, sign)
  if size(x, 1) == 0
    error('the extreme of no elements has no value');
  end
  if sign > 0
    extreme = max(x, [], 1);
  else
    extreme = min(x, [], 1);
  end
  at = ones(1, size(x, 2));
  m = zeros(1, size(x, 2), 'like', x);
  for j = 1:size(x, 2)
    for i = 1:size(x, 1)
      if x(i, j) == extreme(j)
        at(j) = i;
        break
      end
    end
    m(j) = x(at(j), j);
  end
end

% Octave's order of complex numbers: by absolute value, among equal ones by angle; of numbers without imaginary parts that of reals.
function [m, at] = complex_extremes(x, dim, sign)
  if is_scalar_type(x)
    m = x;
    at = 1;
  elseif is_vector_type(x) && dim == 1 + is_row_type(x)
    at = complex_place(x(:), sign);
    m = x(at);
  elseif dim > ndims(x)
    m = x;
    at = ones(size(x));
  elseif ndims(x) > 2
    refuse('of complex numbers the extremes are found in vectors and matrices');
  elseif dim == 2
    [m, at] = complex_extremes(x.', 1, sign);
    m = m.';
    at = at.';
  else
    n = size(x, 2);
    m = complex(zeros(1, n));
    at = ones(1, n);
    for j = 1:n
      k = complex_place(x(:, j), sign);
      m(j) = x(k, j);
      at(j) = k;
    end
  end
end

function at = complex_place(x, sign)
  if numel(x) == 0
    error('the extreme of no elements has no value');
  end
  real_numbers = isreal(x);
  at = 1;
  for i = 2:numel(x)
    a = x(at);
    b = x(i);
    better = isnan(a) && ~isnan(b);
    if real_numbers
      better = better || (real(b) - real(a)) * sign > 0;
    elseif abs(a) == abs(b)
      better = better || (arg(b) - arg(a)) * sign > 0;
    else
      better = better || (abs(b) - abs(a)) * sign > 0;
    end
    if better
      at = i;
    end
  end
end

% Along the third dimension.
function [m, at] = page_extremes(x, sign)
  if size(x, 3) == 0
    error('the extreme of no elements has no value');
  end
  m = x(:, :, 1);
  at = ones(size(x, 1), size(x, 2));
  for k = 2:size(x, 3)
    page = x(:, :, k);
    better = (sign > 0 & page > m) | (sign < 0 & page < m) | (isnan(m) & ~isnan(page));
    m = merge(better, page, m);
    at = merge(better, k, at);
  end
end

% The extreme first, which many elements at once can tell; then the first element that is equal to it. NaN is none.
function [m, at] = vector_extreme(x, sign)
  if numel(x) == 0
    error('the extreme of no elements has no value');
  end
  if sign > 0
    extreme = max(x);
  else
    extreme = min(x);
  end
  at = 1;
  for i = 1:numel(x)
    if x(i) == extreme
      at = i;
      break
    end
  end
  m = x(at);
end

function y = unwrap(x, tolerance, dim)
  if nargin < 2, tolerance = pi; end
  if nargin < 3, dim = default_dimension(x); end
  y = x;
  if ~is_scalar_type(x)
    if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
    n = size(x, dim);
    from = max((1:n) - 1, 1);
    if dim == 1
      d = x(from, :) - x;
    else
      d = x(:, from) - x;
    end
    turns = round(abs(d) / (2 * pi)) .* ((d > abs(tolerance)) - (d < -abs(tolerance)));
    y = x + 2 * pi * cumsum(turns, dim);
  end
end

function a = polyarea(x, y)
  n = numel(x);
  same_length(n, numel(y));
  next = [2:n, 1];
  x = reshape(x, 1, n);
  y = reshape(y, 1, n);
  a = abs(sum(x .* (y(next) - y([n, 1:n-1])))) / 2;
end

% Products so far: the parts of a complex product mix, so there is no running product of each.
function y = complex_cumprod(x, dim)
  y = lines_of(x, dim);
  for j = 1:size(y, 2)
    for i = 2:size(y, 1)
      y(i, j) = y(i - 1, j) * y(i, j);
    end
  end
  y = with_lines(y, x, dim);
end

% Of a real number: 0 or pi, by its sign, which zeros have too.
function y = angle_of_real(x)
  if ~isfloat(x), x = double(x); end
  y = merge(signbit(x), convert_like(pi, x), zeros(1, 1, 'like', x));
end
