% Polynomials, convolutions and filters.

function y = polyval(p, x, structure, scale)
  if nargin > 3
    x = (x - scale(1)) / scale(2);
  end
  model = zeros(1, 1, 'like', x) + zeros(1, 1, 'like', p);
  if isempty(p)
    y = zeros(size(x), 'like', model);
  elseif is_scalar_type(x)
    y = horner(p, x);
  else
    y = zeros(size(x), 'like', model);
    for i = 1:numel(x)
      y(i) = horner(p, x(i));
    end
  end
end

% The polynomial of a square matrix.
function y = polyvalm(p, x)
  if size(x, 1) ~= size(x, 2)
    error('polyvalm: second argument must be a square matrix');
  end
  y = zeros(size(x));
  for k = 1:numel(p)
    y = y * x + p(k) * eye(size(x, 1));
  end
end

function s = horner(p, x)
  s = p(1) - zeros(1, 1, 'like', x); % the class of both; a negative zero minus zero is one
  for k = 2:numel(p)
    s = s * x + p(k);
  end
end

% The second result would be a structure; it is empty, for polyval, which needs the third only: the mean of x and its deviation.
function [p, structure, scale] = polyfit(x, y, n)
  m = numel(x);
  if numel(y) ~= m
    error('polyfit: X and Y must be vectors of the same size');
  end
  x = reshape(x, m, 1);
  if nargout > 2
    scale = [mean(x), std(x)];
    x = (x - scale(1)) / scale(2);
  end
  structure = [];
  p = (x .^ (n:-1:0) \ reshape(y, m, 1)).';
end

function q = polyder(p, factor)
  if nargin > 1
    q = polyder(conv(reshape(p, 1, numel(p)), reshape(factor, 1, numel(factor))));
  else
    q = derivative(p);
  end
end

function q = derivative(p)
  n = numel(p);
  if is_scalar_type(p)
    q = 0;
  else
    if n < 2
      error('polyder: the derivative of a constant needs a polynomial of two coefficients');
    end
    p = reshape(p, 1, n);
    q = p(1:n-1) .* (n-1:-1:1);
  end
end

% Without leading zeros.
function p = polyreduce(p)
  if ~is_vector_type(p), error('polyreduce: P must be a vector'); end
  k = 1;
  while k < numel(p) && p(k) == 0
    k = k + 1;
  end
  p = p(k:numel(p));
end

function q = polyint(p, constant)
  if nargin < 2, constant = 0; end
  n = numel(p);
  if is_empty_type(p)
    q = [];
  else
    q = [p(:).' ./ (n:-1:1), constant];
  end
end

function y = conv(a, b, shape)
  na = numel(a);
  nb = numel(b);
  if isinteger(a) || isinteger(b)
    % The result of integers is double, not saturated.
    if nargin > 2
      y = conv(as_float(a), as_float(b), shape);
    else
      y = conv(as_float(a), as_float(b));
    end
  elseif is_empty_type(a) || is_empty_type(b)
    if ~(is_vector_type(a) && is_vector_type(b)), error('conv: both arguments A and B must be vectors'); end
    y = [];
  elseif nargin > 2
    switch shape
      case 'same'
        y = convolved(a, b, ceil(nb / 2) + (nb == 0) + (mod(nb, 2) == 0), na, is_row_type(a));
      case 'valid'
        y = convolved(a, b, nb, max(na - nb + 1, 0), is_row_type(a));
      otherwise
        y = convolved(a, b, 1, na + nb - 1, is_row_type(a));
    end
  else
    % Octave's result lies as the longer vector does, as the second of equally long ones.
    if is_scalar_type(a)
      y = a * b;
    elseif is_scalar_type(b)
      y = a * b;
    else
      if is_row_type(a) == is_row_type(b)
        y = convolved(a, b, 1, na + nb - 1, is_row_type(b));
      elseif na > nb
        y = convolved(a, b, 1, na + nb - 1, is_row_type(a));
      else
        y = convolved(a, b, 1, na + nb - 1, is_row_type(b));
      end
    end
  end
end

function x = as_float(x)
  if isinteger(x), x = double(x); end
end

% Elements first, first + 1, .. of the full convolution.
function y = convolved(a, b, first, count, row)
  model = sum(a(:)) * sum(b(:));
  if row
    y = zeros(1, count, 'like', model);
  else
    y = zeros(count, 1, 'like', model);
  end
  na = numel(a);
  nb = numel(b);
  for i = 1:count
    k = i + first - 1;
    s = zeros(1, 1, 'like', model);
    for j = max(1, k + 1 - nb):min(k, na)
      s = s + a(j) * b(k - j + 1);
    end
    y(i) = s;
  end
end

function y = conv2(a, b, shape, of_product)
  if nargin > 3
    y = conv2(shape, a(:) * reshape(b, 1, numel(b)), of_product);
  elseif nargin < 3
    y = shaped_conv2(a, b, 'full');
  elseif is_text(shape)
    y = shaped_conv2(a, b, shape);
  else
    y = conv2(shape, a(:) * reshape(b, 1, numel(b)));
  end
end

function y = shaped_conv2(a, b, shape)
  if (is_constant(isempty(a)) && isempty(a)) || (is_constant(isempty(b)) && isempty(b))
    y = zeros(0, 0);
  else
    y = filled_conv2(a, b, shape);
  end
end

function y = filled_conv2(a, b, shape)
  full_rows = size(a, 1) + size(b, 1) - 1;
  full_columns = size(a, 2) + size(b, 2) - 1;
  switch shape
    case 'full'
      y = convolved2(a, b, 1, 1, full_rows, full_columns);
    case 'same'
      y = convolved2(a, b, floor(size(b, 1) / 2) + 1, floor(size(b, 2) / 2) + 1, size(a, 1), size(a, 2));
    case 'valid'
      y = convolved2(a, b, size(b, 1), size(b, 2), max(size(a, 1) - size(b, 1) + 1, 0), max(size(a, 2) - size(b, 2) + 1, 0));
    otherwise
      refuse('the shape is full, same or valid');
  end
end

% Points where the whole kernel lies on the matrix have sums of one length, which vectorise; those around them have shorter ones.
function y = convolved2(a, b, first_row, first_column, m, n)
  y = zeros(m, n);
  top = max(1, size(b, 1) - first_row + 1);
  left = max(1, size(b, 2) - first_column + 1);
  bottom = min(m, size(a, 1) - first_row + 1);
  right = min(n, size(a, 2) - first_column + 1);
  for j = left:right
    for i = top:bottom
      s = 0;
      for q = 1:size(b, 2)
        for p = 1:size(b, 1)
          s = s + a(i + first_row - 1 - size(b, 1) + p, j + first_column - 1 - size(b, 2) + q) * b(size(b, 1) + 1 - p, size(b, 2) + 1 - q);
        end
      end
      y(i, j) = s;
    end
  end
  y = convolved_around(y, a, b, first_row, first_column, [1, min(top - 1, m)], [1, n]);
  y = convolved_around(y, a, b, first_row, first_column, [max(bottom + 1, top), m], [1, n]);
  y = convolved_around(y, a, b, first_row, first_column, [top, bottom], [1, min(left - 1, n)]);
  y = convolved_around(y, a, b, first_row, first_column, [top, bottom], [max(right + 1, left), n]);
end

function y = convolved_around(y, a, b, first_row, first_column, rows, columns)
  for j = columns(1):columns(2)
    for i = rows(1):rows(2)
      r = i + first_row - 1;
      c = j + first_column - 1;
      s = 0;
      for q = max(1, c + 1 - size(b, 2)):min(c, size(a, 2))
        for p = max(1, r + 1 - size(b, 1)):min(r, size(a, 1))
          s = s + a(p, q) * b(r - p + 1, c - q + 1);
        end
      end
      y(i, j) = s;
    end
  end
end

function [y, state] = filter(b, a, x, state, dim)
  if nargin < 4, state = []; end
  if nargin < 5, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  if ~isfloat(b), b = double(b); end
  if ~isfloat(a), a = double(a); end
  if nargin < 4 && nargout < 2 && is_vector_type(x)
    y = filtered(b, a, x);
  else
    if isempty(dim), refuse('the dimension must be a number'); end
    [y, state] = filtered_columns(b, a, lines_of(x, dim), state);
    y = with_lines(y, x, dim);
  end
end

function y = filtered(b, a, x)
  model = sum(x(:)) * sum(b(:)) * sum(a(:));
  y = zeros(size(x), 'like', model);
  nb = numel(b);
  na = numel(a);
  if is_scalar_type(a)
    y = weighted(y, b, a, x);
  else
    for i = 1:numel(x)
      s = zeros(1, 1, 'like', model);
      for k = 1:min(nb, i)
        s = s + b(k) * x(i - k + 1);
      end
      for k = 2:min(na, i)
        s = s - a(k) * y(i - k + 1);
      end
      y(i) = s / a(1);
    end
  end
end

% Without a recursion elements are sums of their own: the first ones shorter, all others of one length, which vectorise.
function y = weighted(y, b, a, x)
  n = numel(x);
  nb = numel(b);
  for i = 1:min(nb - 1, n)
    s = zeros(1, 1, 'like', y);
    for k = 1:i
      s = s + b(k) * x(i - k + 1);
    end
    y(i) = s / a;
  end
  for i = max(nb, 1):n
    s = zeros(1, 1, 'like', y);
    for k = 1:nb
      s = s + b(k) * x(i - k + 1);
    end
    y(i) = s / a;
  end
end

% The transposed second direct form: each column has a column of states, which go on from those that are given.
function [y, state] = filtered_columns(b, a, x, given)
  nb = numel(b);
  na = numel(a);
  n = max(nb, na);
  y = x;
  state = zeros(n - 1, size(x, 2), 'like', x);
  if ~isempty(given)
    if numel(given) ~= numel(state)
      error('filter: first dimension of SI must be of length max (length (a), length (b)) - 1');
    end
    state = reshape(given, n - 1, size(x, 2)) + state;
  end
  for j = 1:size(x, 2)
    for i = 1:size(x, 1)
      t = b(1) / a(1) * x(i, j);
      if n > 1, t = t + state(1, j); end
      for k = 2:n
        s = zeros(1, 1, 'like', x);
        if k < n, s = s + state(k, j); end
        if k <= na, s = s - a(k) / a(1) * t; end
        if k <= nb, s = s + b(k) / a(1) * x(i, j); end
        state(k - 1, j) = s;
      end
      y(i, j) = t;
    end
  end
end

% The coefficients of the polynomial with these roots, or of the characteristic polynomial of a matrix.
function p = poly(x)
  if is_scalar_type(x)
    p = [1, -x];
  elseif is_vector_type(x)
    p = product_of_factors(x);
    if is_complex_type(x)
      if conjugate_pairs(x), p = complex(real(p)); end
    end
  elseif is_complex_type(x)
    p = product_of_factors(eig(x));
  else
    p = real(product_of_factors(eig(complex(x))));
  end
end

% Whether each complex number stands there as often as its conjugate.
function answer = conjugate_pairs(x)
  answer = true;
  for i = 1:numel(x)
    excess = 0;
    for j = 1:numel(x)
      excess = excess + (x(j) == x(i)) - (x(j) == conj(x(i)));
    end
    if excess ~= 0, answer = false; end
  end
end

function p = product_of_factors(x)
  n = numel(x);
  p = zeros(1, n + 1, 'like', x);
  p(1) = 1;
  for j = 1:n
    for i = j+1:-1:2
      p(i) = p(i) - x(j) * p(i - 1);
    end
  end
end

function [b, r] = deconv(y, a)
  if ~is_vector_type(y) || ~is_vector_type(a), refuse('only vectors are supported'); end
  ny = numel(y);
  na = numel(a);
  r = y;
  n = max(ny - na + 1, 1);
  if is_row_type(y)
    b = zeros(1, n);
  else
    b = zeros(n, 1);
  end
  for k = 1:ny-na+1
    q = r(k) / a(1);
    b(k) = q;
    r(k) = 0;
    for i = 2:na
      r(k + i - 1) = r(k + i - 1) - q * a(i);
    end
  end
end

function y = filter2(b, x, shape)
  if nargin < 3, shape = 'same'; end
  y = conv2(x, fliplr(flipud(b)), shape);
end
