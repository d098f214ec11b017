% Interpolation in tables.

function yi = interp1(x, y, xi, method, outside)
  if nargin == 2
    yi = interp1(1:size(x(:), 1), x, y);
  else
    if nargin < 4, method = 'linear'; end
    if nargin < 5, outside = NaN; end
    switch method
      case {'linear', 'nearest', 'previous', 'next', 'cubic', 'pchip', 'spline', '*linear'}
        if is_text(outside)
          yi = interpolated(x, y, xi, method, NaN, true);
        else
          yi = interpolated(x, y, xi, method, outside, false);
        end
      case 'extrap'
        yi = interpolated(x, y, xi, 'linear', NaN, true);
      otherwise
        refuse('the methods are linear, nearest, previous, next, pchip, cubic and spline');
    end
  end
end

function yi = spline(x, y, xi)
  yi = interpolated(x, y, xi, 'spline', NaN, true);
end

function yi = pchip(x, y, xi)
  yi = interpolated(x, y, xi, 'pchip', NaN, true);
end

function yi = interpolated(x, y, xi, method, outside, extrapolate)
  if ~is_vector_type(x), refuse('the points must be a vector'); end
  if is_complex_type(xi), refuse('places between points are real numbers'); end
  if isinteger(xi), refuse('at places of an integer class the result would be of this class; convert them with double'); end
  if is_complex_type(y)
    yi = complex(interpolated_in(x, real(y), xi, method, outside, extrapolate), ...
      interpolated_in(x, imag(y), xi, method, 0 * outside, extrapolate));
  else
    yi = interpolated_in(x, y, xi, method, outside, extrapolate);
  end
end

function yi = interpolated_in(x, y, xi, method, outside, extrapolate)
  n = numel(x);
  if n < 2
    error('interp1: minimum of 2 points required in each dimension');
  end
  if is_vector_type(y)
    same_length(n, numel(y));
    [x, y] = in_order(x, y, n);
    slopes = slopes_of(x, y, n, method);
    if is_scalar_type(xi)
      yi = interpolated_at(x, y, slopes, xi, interval_of(x, xi, n), method, outside, extrapolate);
    else
      low = intervals_of(x, xi, n);
      yi = zeros(size(xi));
      for i = 1:numel(xi)
        yi(i) = interpolated_at(x, y, slopes, xi(i), low(i), method, outside, extrapolate);
      end
    end
  else
    if ndims(y) > 2, refuse('arrays of more than two dimensions are not supported'); end
    same_length(n, size(y, 1));
    [x, y] = in_order(x, y, n);
    if is_scalar_type(xi)
      low = interval_of(x, xi, n);
    else
      low = intervals_of(x, xi, n);
    end
    yi = zeros(numel(xi), size(y, 2));
    for j = 1:size(y, 2)
      column = y(:, j);
      slopes = slopes_of(x, column, n, method);
      for i = 1:numel(xi)
        yi(i, j) = interpolated_at(x, column, slopes, xi(i), low(i), method, outside, extrapolate);
      end
    end
  end
end

% Points in any order with the values that belong to them, so that they rise or fall.
function [x, y] = in_order(x, y, n)
  if ~(all(x(2:n) > x(1:n-1)) || all(x(2:n) < x(1:n-1)))
    [~, order] = sort(x(:));
    x = x(order);
    if is_vector_type(y)
      y = y(order);
    else
      y = y(order, :);
    end
  end
end

function same_length(a, b)
  if a ~= b
    error('the lengths of X and Y must match');
  end
end

% The derivatives of a cubic interpolant at its points; of other interpolants nothing.
function d = slopes_of(x, y, n, method)
  switch method
    case 'spline'
      d = spline_slopes(x, y, n);
    case {'pchip', 'cubic'}
      d = shape_slopes(x, y, n);
    otherwise
      d = 0;
  end
end

% De Boor's system for the slopes of the cubic spline whose first and last two pieces are one polynomial each.
function d = spline_slopes(x, y, n)
  d = zeros(n, 1);
  if n == 2
    d(1) = (y(2) - y(1)) / (x(2) - x(1));
    d(2) = d(1);
  elseif n == 3
    left = (y(2) - y(1)) / (x(2) - x(1));
    right = (y(3) - y(2)) / (x(3) - x(2));
    bend = (right - left) / (x(3) - x(1));
    d(1) = left - (x(2) - x(1)) * bend;
    d(2) = left + (x(2) - x(1)) * bend;
    d(3) = right + (x(3) - x(2)) * bend;
  else
    pivot = zeros(n, 1);
    above = zeros(n, 1);
    a = x(2) - x(1);
    b = x(3) - x(2);
    pivot(1) = b;
    above(1) = a + b;
    d(1) = ((a + 2 * (a + b)) * b * (y(2) - y(1)) / a + a * a * (y(3) - y(2)) / b) / (a + b);
    for i = 2:n-1
      a = x(i) - x(i - 1);
      b = x(i + 1) - x(i);
      factor = b / pivot(i - 1);
      above(i) = a;
      pivot(i) = 2 * (a + b) - factor * above(i - 1);
      d(i) = 3 * (b * (y(i) - y(i - 1)) / a + a * (y(i + 1) - y(i)) / b) - factor * d(i - 1);
    end
    a = x(n - 1) - x(n - 2);
    b = x(n) - x(n - 1);
    last = (b * b * (y(n - 1) - y(n - 2)) / a + (2 * (a + b) + b) * a * (y(n) - y(n - 1)) / b) / (a + b);
    factor = (a + b) / pivot(n - 1);
    d(n) = (last - factor * d(n - 1)) / (a - factor * above(n - 1));
    for i = n-1:-1:1
      d(i) = (d(i) - above(i) * d(i + 1)) / pivot(i);
    end
  end
end

% Slopes that keep the shape of the data (F. N. Fritsch and J. Butland, 1984).
function d = shape_slopes(x, y, n)
  d = zeros(n, 1);
  if n == 2
    d(1) = (y(2) - y(1)) / (x(2) - x(1));
    d(2) = d(1);
  else
    for i = 2:n-1
      a = x(i) - x(i - 1);
      b = x(i + 1) - x(i);
      left = (y(i) - y(i - 1)) / a;
      right = (y(i + 1) - y(i)) / b;
      if left * right > 0
        d(i) = 3 * (a + b) / ((2 * b + a) / left + (b + 2 * a) / right);
      end
    end
    d(1) = end_slope(x(2) - x(1), x(3) - x(2), (y(2) - y(1)) / (x(2) - x(1)), (y(3) - y(2)) / (x(3) - x(2)));
    d(n) = end_slope(x(n) - x(n-1), x(n-1) - x(n-2), (y(n) - y(n-1)) / (x(n) - x(n-1)), (y(n-1) - y(n-2)) / (x(n-1) - x(n-2)));
  end
end

% The slope of a parabola at the end, unless it would not keep the shape.
function d = end_slope(a, b, near, far)
  d = ((2 * a + b) * near - a * far) / (a + b);
  if sign(d) ~= sign(near)
    d = 0;
  elseif sign(near) ~= sign(far) && abs(d) > abs(3 * near)
    d = 3 * near;
  end
end

% The number of the interval of rising or falling points that holds a number; outside of all the first or last.
function low = interval_of(x, t, n)
  falls = x(1) > x(n);
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
end

% The same of many numbers, whose searches run beside each other. Decreasing points are read from the end.
function low = intervals_of(x, t, n)
  if x(1) > x(n)
    low = n - merge(isnan(t), 0, places_in(double(x(n:-1:1)), double(t)));
  else
    low = merge(isnan(t), 0, places_in(double(x), double(t)));
  end
  low = max(min(low, n - 1), 1);
end

function v = interpolated_at(x, y, slopes, t, low, method, outside, extrapolate)
  n = numel(x);
  high = low + 1;
  falls = x(1) > x(n);
  inside = (t >= x(1) && t <= x(n)) || (falls && t <= x(1) && t >= x(n));
  if ~(inside || extrapolate)
    v = outside;
  else
    switch method
      case 'nearest'
        v = merge(abs(t - x(low)) >= abs(x(high) - t), y(high), y(low));
      case 'previous'
        v = merge(falls, merge(t >= x(low), y(low), y(high)), merge(t >= x(high), y(high), y(low)));
      case 'next'
        v = merge(falls, merge(t <= x(high), y(high), y(low)), merge(t <= x(low), y(low), y(high)));
      case {'spline', 'pchip', 'cubic'}
        h = x(high) - x(low);
        s = t - x(low);
        rise = (y(high) - y(low)) / h;
        bend = (3 * rise - 2 * slopes(low) - slopes(high)) / h;
        twist = (slopes(low) - 2 * rise + slopes(high)) / (h * h);
        v = y(low) + s * (slopes(low) + s * (bend + s * twist));
      otherwise
        v = y(low) + (y(high) - y(low)) * ((t - x(low)) / (x(high) - x(low)));
    end
  end
end

% Interpolation in a matrix: interp2(z, n), interp2(z, xi, yi), interp2(x, y, z, xi, yi), a method, and a value for points outside.
function zi = interp2(x, y, z, xi, yi, method, outside)
  if nargin == 1
    zi = interp2(x, 1);
  elseif nargin == 2
    step = 1 / 2 ^ y;
    zi = interp2(1:size(x, 2), 1:size(x, 1), x, 1:step:size(x, 2), (1:step:size(x, 1))', 'linear');
  elseif nargin == 3
    zi = interp2(1:size(x, 2), 1:size(x, 1), x, y, z, 'linear');
  elseif nargin == 4
    zi = interp2(1:size(x, 2), 1:size(x, 1), x, y, z, xi);
  else
    if nargin < 6, method = 'linear'; end
    method = unstarred(method);
    everywhere = strcmp(method, 'spline') && nargin < 7;
    if nargin < 7, outside = NaN; end
    if is_vector_type(x)
      [zx, zy, zxy] = surface_slopes(x, y, z, method);
      zi = interpolated_surface(x, y, z, zx, zy, zxy, xi, yi, method, outside, everywhere);
    else
      [zx, zy, zxy] = surface_slopes(x(1, :), y(:, 1), z, method);
      zi = interpolated_surface(x(1, :), y(:, 1), z, zx, zy, zxy, xi, yi, method, outside, everywhere);
    end
  end
end

% Once `*linear` said that the points are equally spaced.
function method = unstarred(method)
  switch method
    case '*linear'
      method = 'linear';
    case '*nearest'
      method = 'nearest';
    case '*cubic'
      method = 'cubic';
    case '*spline'
      method = 'spline';
  end
end

function zi = interpolated_surface(x, y, z, zx, zy, zxy, xi, yi, method, outside, everywhere)
  if is_scalar_type(xi)
    zi = interpolated_between(x, y, z, zx, zy, zxy, xi, yi, method, outside, everywhere);
  elseif is_row_type(xi) && ~is_row_type(yi) && is_vector_type(yi)
    zi = zeros(numel(yi), numel(xi));
    for j = 1:numel(xi)
      for i = 1:numel(yi)
        zi(i, j) = interpolated_between(x, y, z, zx, zy, zxy, xi(j), yi(i), method, outside, everywhere);
      end
    end
  else
    same_length(numel(xi), numel(yi));
    zi = zeros(size(xi));
    for i = 1:numel(xi)
      zi(i) = interpolated_between(x, y, z, zx, zy, zxy, xi(i), yi(i), method, outside, everywhere);
    end
  end
end

% The derivatives of a bicubic interpolant at its points; the mixed ones are the mean of both orders.
function [zx, zy, zxy] = surface_slopes(x, y, z, method)
  switch method
    case {'cubic', 'pchip', 'spline'}
      zx = slopes_along_rows(x, z, method);
      zy = slopes_along_rows(y, z.', method).';
      zxy = (slopes_along_rows(x, zy, method) + slopes_along_rows(y, zx.', method).') / 2;
    otherwise
      zx = 0;
      zy = 0;
      zxy = 0;
  end
end

function d = slopes_along_rows(x, z, method)
  d = zeros(size(z));
  for i = 1:size(z, 1)
    d(i, :) = slopes_of(x, z(i, :), numel(x), method).';
  end
end

function v = interpolated_between(x, y, z, zx, zy, zxy, s, t, method, outside, everywhere)
  m = numel(y);
  n = numel(x);
  if ~(everywhere || (s >= x(1) && s <= x(n) && t >= y(1) && t <= y(m)))
    v = outside;
  else
    j = place(x, s, n);
    i = place(y, t, m);
    a = (s - x(j)) / (x(j + 1) - x(j));
    b = (t - y(i)) / (y(i + 1) - y(i));
    switch method
      case 'nearest'
        v = z(i + (b >= 0.5), j + (a >= 0.5));
      case 'linear'
        v = (1 - b) * ((1 - a) * z(i, j) + a * z(i, j + 1)) + b * ((1 - a) * z(i + 1, j) + a * z(i + 1, j + 1));
      case {'cubic', 'pchip', 'spline'}
        p = hermite_weights(a, x(j + 1) - x(j));
        q = hermite_weights(b, y(i + 1) - y(i));
        v = 0;
        for k = 1:2
          for l = 1:2
            v = v + p(k) * q(l) * z(i + l - 1, j + k - 1) + p(k + 2) * q(l) * zx(i + l - 1, j + k - 1);
            v = v + p(k) * q(l + 2) * zy(i + l - 1, j + k - 1) + p(k + 2) * q(l + 2) * zxy(i + l - 1, j + k - 1);
          end
        end
      otherwise
        refuse('the methods are linear, nearest, cubic, pchip and spline');
    end
  end
end

% What the values at both ends of an interval of this length weigh in a cubic, then what the slopes there do.
function w = hermite_weights(t, length_of)
  rise = t * t * (3 - 2 * t);
  w = [1 - rise, rise, length_of * t * (1 - t) * (1 - t), length_of * t * t * (t - 1)];
end

% The number of the interval that holds a number.
function low = place(x, t, n)
  low = 1;
  high = n;
  while high - low > 1
    middle = floor((low + high) / 2);
    if x(middle) <= t
      low = middle;
    else
      high = middle;
    end
  end
end
