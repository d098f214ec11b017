% Integrals, differences and interpolation of sampled functions, and running extremes.

function z = trapz(x, y, dim)
  if nargin == 1
    z = unit_trapz(x, default_dimension(x));
  elseif nargin == 3
    if ~isempty(x)
      refuse('the form trapz(x, y, dim) is not supported');
    end
    z = unit_trapz(y, dim);
  elseif is_vector_type(y)
    n = numel(y);
    same_length(numel(x), n);
    x = x(:);
    y = y(:);
    z = 0.5 * sum((x(2:n) - x(1:n-1)) .* (y(2:n) + y(1:n-1)));
  else
    n = size(y, 1);
    same_length(numel(x), n);
    x = x(:);
    z = 0.5 * sum((x(2:n) - x(1:n-1)) .* (y(2:n, :) + y(1:n-1, :)), 1);
  end
end

function same_length(a, b)
  if a ~= b
    error('the lengths of X and Y must match');
  end
end

function z = unit_trapz(y, dim)
  n = size(y, dim);
  if is_scalar_type(y)
    z = 0;
  elseif dim == 1 && is_vector_type(y)
    z = 0.5 * sum(y(1:n-1) + y(2:n), 1);
  elseif dim == 1
    z = 0.5 * sum(y(1:n-1, :) + y(2:n, :), 1);
  else
    z = 0.5 * sum(y(:, 1:n-1) + y(:, 2:n), 2);
  end
end

function z = cumtrapz(x, y)
  if nargin == 1
    y = x;
  end
  if ~is_vector_type(y), refuse('only vectors are supported'); end
  z = zeros(size(y));
  same_length(numel(x), numel(y));
  for i = 2:numel(y)
    if nargin == 1
      z(i) = z(i - 1) + 0.5 * (y(i) + y(i - 1));
    else
      z(i) = z(i - 1) + 0.5 * (x(i) - x(i - 1)) * (y(i) + y(i - 1));
    end
  end
end

function [gx, gy] = gradient(f, hx, hy)
  if nargin < 2, hx = 1; end
  if nargin < 3, hy = hx; end
  if ~is_scalar_type(hx) || ~is_scalar_type(hy), refuse('only equal spacing is supported'); end
  if is_row_type(f)
    gx = columns_gradient(f.', hx).';
  elseif is_vector_type(f)
    gx = columns_gradient(f, hx);
  else
    gx = columns_gradient(f.', hx).';
    if nargout > 1
      gy = columns_gradient(f, hy);
    end
  end
end

function g = columns_gradient(f, h)
  n = size(f, 1);
  g = zeros(size(f));
  for j = 1:size(f, 2)
    for i = 1:n
      g(i, j) = (f(min(i + 1, n), j) - f(max(i - 1, 1), j)) / (h * max(min(i + 1, n) - max(i - 1, 1), 1));
    end
  end
end

function yi = interp1(x, y, xi, method, outside)
  if nargin == 2
    yi = interp1(1:numel(x), x, y);
  else
    if nargin < 4, method = 'linear'; end
    if nargin < 5, outside = NaN; end
    switch method
      case {'linear', 'nearest', '*linear'}
      case 'extrap'
        outside = 'extrap';
      otherwise
        refuse('only the methods linear and nearest are supported');
    end
    if ~is_vector_type(x) || ~is_vector_type(y), refuse('only vectors are supported'); end
    if is_text(outside)
      yi = interpolated(x, y, xi, method, NaN, true);
    else
      yi = interpolated(x, y, xi, method, outside, false);
    end
  end
end

function yi = interpolated(x, y, xi, method, outside, extrapolate)
  n = numel(x);
  same_length(n, numel(y));
  if n < 2
    error('interp1: minimum of 2 points required in each dimension');
  end
  % Decreasing points are read from the end.
  falls = x(1) > x(n);
  if is_scalar_type(xi)
    yi = interpolated_at(x, y, xi, n, falls, method, outside, extrapolate);
  else
    yi = zeros(size(xi));
    for i = 1:numel(xi)
      yi(i) = interpolated_at(x, y, xi(i), n, falls, method, outside, extrapolate);
    end
  end
end

function v = interpolated_at(x, y, t, n, falls, method, outside, extrapolate)
  low = 1;
  high = n;
  while high - low > 1
    middle = floor((low + high) / 2);
    if (x(middle) <= t) ~= falls
      low = middle;
    else
      high = middle;
    end
  end
  inside = (t >= x(1) && t <= x(n)) || (falls && t <= x(1) && t >= x(n));
  if ~(inside || extrapolate)
    v = outside;
  else
    switch method
      case 'nearest'
        at = low;
        if abs(t - x(low)) >= abs(x(high) - t)
          at = high;
        end
        v = y(at);
      otherwise
        v = y(low) + (y(high) - y(low)) * ((t - x(low)) / (x(high) - x(low)));
    end
  end
end

function [y, at] = cummax(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if dim == 2
    [y, at] = running_extreme(x.', 1);
    y = y.';
    at = at.';
  else
    [y, at] = running_extreme(x, 1);
  end
end

function [y, at] = cummin(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if dim == 2
    [y, at] = running_extreme(x.', -1);
    y = y.';
    at = at.';
  else
    [y, at] = running_extreme(x, -1);
  end
end

function [y, at] = running_extreme(x, sign)
  y = x;
  at = ones(size(x));
  for j = 1:size(x, 2)
    for i = 2:size(x, 1)
      a = y(i - 1, j);
      b = x(i, j);
      if (sign > 0 && b > a) || (sign < 0 && b < a) || isnan(a)
        at(i, j) = i;
      else
        y(i, j) = a;
        at(i, j) = at(i - 1, j);
      end
    end
  end
end

% The largest (sign 1) or smallest (sign -1) elements along a dimension, and where the first of them stand. NaN is the
% answer only where there is nothing else.
function [m, at] = extreme_places(x, dim, sign)
  if is_scalar_type(x)
    m = x;
    at = 1;
  elseif is_vector_type(x)
    [m, at] = vector_extreme(x(:), sign);
  elseif dim == 2
    [m, at] = column_extremes(x.', sign);
    m = m.';
    at = at.';
  elseif ndims(x) > 2
    refuse('the place is found in vectors and matrices only');
  else
    [m, at] = column_extremes(x, sign);
  end
end

function [m, at] = column_extremes(x, sign)
  n = size(x, 2);
  m = zeros(1, n, 'like', x);
  at = ones(1, n);
  for j = 1:n
    [m(1, j), at(1, j)] = vector_extreme(x(:, j), sign);
  end
end

function [m, at] = vector_extreme(x, sign)
  if numel(x) == 0
    error('the extreme of no elements has no value');
  end
  m = x(1);
  at = 1;
  for i = 2:numel(x)
    if (sign > 0 && x(i) > m) || (sign < 0 && x(i) < m) || (isnan(m) && ~isnan(x(i)))
      m = x(i);
      at = i;
    end
  end
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

function zi = interp2(x, y, z, xi, yi, method)
  if nargin == 3
    zi = bilinear(1:size(x, 2), 1:size(x, 1), x, y, z);
  elseif nargin < 5
    refuse('it takes (z, xi, yi) or (x, y, z, xi, yi)');
  else
    if nargin > 5
      switch method
        case {'linear', '*linear'}
        otherwise
          refuse('only the method linear is supported');
      end
    end
    if ~is_vector_type(x), x = x(1, :); end
    if ~is_vector_type(y), y = y(:, 1); end
    zi = bilinear(x, y, z, xi, yi);
  end
end

% Points of a row and a column make a grid.
function zi = bilinear(x, y, z, xi, yi)
  if numel(x) ~= size(z, 2) || numel(y) ~= size(z, 1)
    error('interp2: X, Y must be matrices of the same size as Z, or vectors of its columns and rows');
  end
  if is_scalar_type(xi) && is_scalar_type(yi)
    zi = bilinear_at(x, y, z, xi, yi);
  elseif is_vector_type(xi) && is_vector_type(yi) && is_row_type(xi) && ~is_row_type(yi)
    zi = zeros(numel(yi), numel(xi));
    for j = 1:numel(xi)
      for i = 1:numel(yi)
        zi(i, j) = bilinear_at(x, y, z, xi(j), yi(i));
      end
    end
  else
    if any(size(xi) ~= size(yi)), error('interp2: XI and YI must be matrices of equal size'); end
    zi = zeros(size(xi));
    for i = 1:numel(xi)
      zi(i) = bilinear_at(x, y, z, xi(i), yi(i));
    end
  end
end

function v = bilinear_at(x, y, z, s, t)
  j = interval_of(x, s);
  i = interval_of(y, t);
  v = NaN;
  if i > 0 && j > 0
    p = (s - x(j)) / (x(j + 1) - x(j));
    q = (t - y(i)) / (y(i + 1) - y(i));
    below = z(i, j) + p * (z(i, j + 1) - z(i, j));
    above = z(i + 1, j) + p * (z(i + 1, j + 1) - z(i + 1, j));
    v = below + q * (above - below);
  end
end

% The number of the interval between ascending points that holds a number; 0 if none does.
function low = interval_of(x, t)
  low = 0;
  if t >= x(1) && t <= x(numel(x))
    low = 1;
    high = numel(x);
    while high - low > 1
      middle = floor((low + high) / 2);
      if x(middle) <= t
        low = middle;
      else
        high = middle;
      end
    end
  end
end
