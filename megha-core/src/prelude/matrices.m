% Matrices made of others or of few numbers.

function y = diag(x, k, n)
  if nargin == 3
    y = zeros(k, n, 'like', x);
    for i = 1:numel(x)
      y(i, i) = x(i);
    end
  elseif nargin == 2
    y = diagonal(x, k);
  elseif is_scalar_type(x)
    y = x;
  else
    y = diagonal(x, 0);
  end
end

function y = diagonal(x, k)
  above = max(k, 0);
  below = max(0 - k, 0);
  if is_vector_type(x)
    n = numel(x);
    y = zeros(n + above + below, n + above + below, 'like', x);
    for i = 1:n
      y(i + below, i + above) = x(i);
    end
  else
    if (size(x, 1) == 1 || size(x, 2) == 1) && (numel(x) > 1 || k ~= 0)
      error('diag: a matrix of one row or column would be taken for a vector');
    end
    n = max(min(size(x, 1) - below, size(x, 2) - above), 0);
    y = zeros(n, 1, 'like', x);
    for i = 1:n
      y(i) = x(i + below, i + above);
    end
  end
end

function y = triu(x, k)
  if nargin < 2, k = 0; end
  y = merge((1:size(x, 2)) - (1:size(x, 1))' >= k, x, zeros(1, 1, 'like', x));
end

function y = tril(x, k)
  if nargin < 2, k = 0; end
  y = merge((1:size(x, 2)) - (1:size(x, 1))' <= k, x, zeros(1, 1, 'like', x));
end

% As in Octave, the matrix need not be square, and a vector has the trace of a matrix of its length.
function t = trace(x)
  if is_scalar_type(x)
    t = x;
  elseif is_vector_type(x)
    t = x(1);
  else
    t = sum(diag(x));
  end
end

function y = rot90(x, k)
  if nargin < 2, k = 1; end
  turns = mod(k, 4);
  if is_constant(turns)
    if turns == 0
      y = x;
    elseif turns == 1
      y = flipud(x.');
    elseif turns == 2
      y = flipud(fliplr(x));
    else
      y = fliplr(x.');
    end
  else
    refuse('the number of quarter turns must be known when compiling');
  end
end

function y = flip(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if ~is_scalar_type(dim), refuse('only one dimension is supported'); end
  if dim == 1
    y = flipud(x);
  elseif dim == 2
    y = fliplr(x);
  elseif dim > ndims(x)
    y = x;
  elseif ndims(x) > 3
    refuse('arrays of more than three dimensions are not supported');
  else
    y = x(:, :, size(x, 3):-1:1);
  end
end

function y = flipdim(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = flip(x, dim);
end

function y = circshift(x, k, dim)
  if is_scalar_type(x)
    y = x;
  elseif nargin < 3 && ~is_scalar_type(k)
    if ~is_vector_type(k), refuse('the shifts must be a vector'); end
    if numel(k) > 3, refuse('arrays of more than three dimensions are not supported'); end
    a = 0; b = 0; c = 0;
    if numel(k) > 0, a = k(1); end
    if numel(k) > 1, b = k(2); end
    if numel(k) > 2, c = k(3); end
    y = shifted(x, a, b, c);
  else
    if nargin < 3, dim = default_dimension(x); end
    if ~is_scalar_type(dim), refuse('only one dimension is supported'); end
    if dim == 1
      y = shifted(x, k, 0, 0);
    elseif dim == 2
      y = shifted(x, 0, k, 0);
    elseif dim == 3
      y = shifted(x, 0, 0, k);
    else
      y = x;
    end
  end
end

function y = shifted(x, a, b, c)
  if is_complex_type(x)
    y = of_parts(rotated_lines(real(x), a, b, c), rotated_lines(imag(x), a, b, c));
  else
    y = rotated_lines(x, a, b, c);
  end
end

function y = toeplitz(c, r)
  if nargin < 2
    % One complex vector is the first row of a Hermitian matrix.
    if is_complex_type(c)
      y = toeplitz([c(1); conj(vec(c(2:end)))], c);
      return
    end
    r = c;
  end
  y = zeros(numel(c), numel(r), 'like', c);
  for j = 1:numel(r)
    for i = 1:numel(c)
      if i >= j
        y(i, j) = c(i - j + 1);
      else
        y(i, j) = r(j - i + 1);
      end
    end
  end
end

function y = hankel(c, r)
  n = numel(c);
  if nargin < 2, m = n; else, m = numel(r); end
  y = zeros(n, m, 'like', c);
  for j = 1:m
    for i = 1:n
      if i + j - 1 <= n
        y(i, j) = c(i + j - 1);
      elseif nargin > 1
        y(i, j) = r(i + j - n);
      end
    end
  end
end

function y = vander(c, n)
  if nargin < 2, n = numel(c); end
  y = c(:) .^ (n-1:-1:0);
end

function y = hilb(n)
  y = 1 ./ ((1:n)' + (1:n) - 1);
end

function y = magic(n)
  y = zeros(n, n);
  if mod(n, 2) == 1
    y = odd_magic(n);
  elseif mod(n, 4) == 0
    for j = 1:n
      for i = 1:n
        v = (i - 1) * n + j;
        if (mod(i, 4) < 2) == (mod(j, 4) < 2)
          v = n * n + 1 - v;
        end
        y(i, j) = v;
      end
    end
  elseif n == 2
    % There is none; this is what MATLAB and Octave give.
    y = [4, 3; 1, 2];
  else
    y = even_magic(n);
  end
end

% Four odd squares, and rows of the upper and lower half exchanged in some columns (Strachey's method).
function y = even_magic(n)
  h = n / 2;
  q = odd_magic(h);
  k = (h - 1) / 2;
  y = zeros(n, n);
  for j = 1:n
    for i = 1:h
      if j <= h
        upper = q(i, j);
        lower = q(i, j) + 3 * h * h;
      else
        upper = q(i, j - h) + 2 * h * h;
        lower = q(i, j - h) + h * h;
      end
      swaps = j <= k || j > n - k + 1;
      if i == k + 1
        swaps = (j > 1 && j <= k + 1) || j > n - k + 1;
      end
      y(i, j) = upper;
      y(i + h, j) = lower;
      if swaps
        y(i, j) = lower;
        y(i + h, j) = upper;
      end
    end
  end
end

function y = odd_magic(n)
  y = zeros(n, n);
  for j = 1:n
    for i = 1:n
      a = mod(i + j - (n + 3) / 2, n);
      b = mod(i + 2 * j - 2, n);
      y(i, j) = n * a + b + 1;
    end
  end
end

function y = cross(a, b, dim)
  if is_vector_type(a) && nargin < 3
    y = cross_vectors(a, b);
  else
    if any(size(a) ~= size(b)), error('cross: X and Y must have the same dimensions'); end
    y = a + 0 * b;
    if nargin > 2
      down = dim == 1;
    else
      down = size(a, 1) == 3;
    end
    if ~(down && size(a, 1) == 3 || ~down && size(a, 2) == 3)
      error('cross: must have at least one dimension with 3 elements');
    end
    if down
      y(1, :) = a(2, :) .* b(3, :) - a(3, :) .* b(2, :);
      y(2, :) = a(3, :) .* b(1, :) - a(1, :) .* b(3, :);
      y(3, :) = a(1, :) .* b(2, :) - a(2, :) .* b(1, :);
    else
      y(:, 1) = a(:, 2) .* b(:, 3) - a(:, 3) .* b(:, 2);
      y(:, 2) = a(:, 3) .* b(:, 1) - a(:, 1) .* b(:, 3);
      y(:, 3) = a(:, 1) .* b(:, 2) - a(:, 2) .* b(:, 1);
    end
  end
end

function y = cross_vectors(a, b)
  if numel(a) ~= 3 || numel(b) ~= 3
    error('cross: both vectors must have 3 elements');
  end
  % A row and a column count as columns.
  if is_row_type(a) && ~is_row_type(b), a = reshape(a, 3, 1); end
  y = a + 0 * reshape(b, size(a));
  y(1) = a(2) * b(3) - a(3) * b(2);
  y(2) = a(3) * b(1) - a(1) * b(3);
  y(3) = a(1) * b(2) - a(2) * b(1);
end

function y = nonzeros(x)
  y = x(:);
  y = y(y ~= 0);
end

function y = blkdiag(a, b, c, d)
  if nargin == 1
    y = a;
  else
    y = [a, zeros(size(a, 1), size(b, 2)); zeros(size(b, 1), size(a, 2)), b];
    if nargin == 3
      y = blkdiag(y, c);
    elseif nargin > 3
      y = blkdiag(y, c, d);
    end
  end
end

% With a second argument 1 or -1 its lower Cholesky factor, of alternating signs or not.
function y = pascal(n, kind)
  y = ones(n);
  for j = 2:n
    for i = 2:n
      y(i, j) = y(i - 1, j) + y(i, j - 1);
    end
  end
  if nargin > 1
    if kind ~= 0
      if kind ~= 1 && kind ~= -1, refuse('the kinds are -1, 0 and 1'); end
      l = zeros(n);
      for i = 1:n
        for j = 1:i
          l(i, j) = y(i - j + 1, j);
          if kind == 1 && mod(j, 2) == 0, l(i, j) = -l(i, j); end
        end
      end
      y = l;
    end
  end
end

% By doubling (J. J. Sylvester, 1867).
function h = hadamard(n)
  if n < 1 || 2 ^ nextpow2(n) ~= n, error('hadamard: supported for powers of two'); end
  h = ones(n, n);
  width = 1;
  while width < n
    for j = 1:width
      for i = 1:width
        h(i + width, j) = h(i, j);
        h(i, j + width) = h(i, j);
        h(i + width, j + width) = -h(i, j);
      end
    end
    width = 2 * width;
  end
end

function [g, s] = givens(x, y)
  if nargout > 1
    [g, s] = rotation_of(x, y);
  else
    [c, t] = rotation_of(x, y);
    g = [c, t; -t, c];
  end
end

function [c, t] = rotation_of(x, y)
  if ~is_scalar_type(x) || ~is_scalar_type(y), error('givens: X and Y must be scalars'); end
  r = hypot(x, y);
  c = 1;
  t = 0;
  if y ~= 0
    c = x / r;
    t = y / r;
    if x < 0
      c = -c;
      t = -t;
    end
    if x == 0
      t = 1;
    end
  end
end

function [g, y] = planerot(x)
  if numel(x) ~= 2, error('planerot: X must be a 2-element vector'); end
  [c, s] = rotation_of(x(1), x(2));
  g = [c, s; -s, c];
  y = g * x(:);
end

function y = rotdim(x, n)
  if nargin < 2, n = 1; end
  if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
  y = rot90(x, n);
end

function y = shift(x, n, dim)
  if nargin < 3
    y = circshift(x, n, default_dimension(x));
  else
    y = circshift(x, n, dim);
  end
end

% Cut off, or filled with zeros.
function y = resize(x, m, n)
  if nargin < 3
    y = resize(x, m(1), m(numel(m)));
  else
    y = zeros(m, n, 'like', x);
    k = min(m, size(x, 1));
    l = min(n, size(x, 2));
    y(1:k, 1:l) = x(1:k, 1:l);
  end
end

function y = issymmetric(a, tolerance)
  y = false;
  if size(a, 1) == size(a, 2)
    if nargin < 2
      y = all(all(a == a.'));
    else
      y = norm(a - a.', Inf) <= tolerance * norm(a, Inf);
    end
  end
end

function y = isdefinite(a, tolerance)
  if nargin < 2, tolerance = 100 * eps * norm(a, 'fro'); end
  y = false;
  if issymmetric(a, tolerance)
    [~, p] = chol(a - tolerance * eye(size(a, 1)));
    y = p == 0;
  end
end

function y = vec(x)
  y = x(:);
end

function y = postpad(x, n, c)
  if nargin < 3, c = 0; end
  y = constant_vector(x, n, c);
  for i = 1:min(n, numel(x))
    y(i) = x(i);
  end
end

% A number repeated along the direction of a vector.
function y = constant_vector(x, n, c)
  if ~is_vector_type(x), refuse('only vectors are supported'); end
  if is_row_type(x)
    y = repmat(c, 1, n);
  else
    y = repmat(c, n, 1);
  end
end

function y = prepad(x, n, c)
  if nargin < 3, c = 0; end
  y = constant_vector(x, n, c);
  more = n - numel(x);
  for i = max(1 - more, 1):numel(x)
    y(i + more) = x(i);
  end
end

function [theta, r, z] = cart2pol(x, y, z)
  theta = atan2(y, x);
  r = sqrt(x .^ 2 + y .^ 2);
end

function [x, y, z] = pol2cart(theta, r, z)
  x = cos(theta) .* r;
  y = sin(theta) .* r;
end

function [theta, phi, r] = cart2sph(x, y, z)
  theta = atan2(y, x);
  phi = atan2(z, sqrt(x .^ 2 + y .^ 2));
  r = sqrt(x .^ 2 + y .^ 2 + z .^ 2);
end

function [x, y, z] = sph2cart(theta, phi, r)
  x = r .* cos(phi) .* cos(theta);
  y = r .* cos(phi) .* sin(theta);
  z = r .* sin(phi);
end

% 'periodic' leaves out the last of one point more.
function y = hamming(n, kind)
  y = 0.54 - 0.46 * cos(2 * pi * (0:n-1)' / max(n - 1, 1));
  if nargin > 1, y = 0.54 - 0.46 * cos(2 * pi * (0:n-1)' / window_length(n, kind)); end
  if n == 1, y(1) = 1; end
end

function d = window_length(n, kind)
  switch kind
    case 'periodic'
      d = n;
    case 'symmetric'
      d = max(n - 1, 1);
    otherwise
      error('the kind of a window is "periodic" or "symmetric"');
  end
end

function y = blackman(n, kind)
  k = (0:n-1)' / max(n - 1, 1);
  if nargin > 1, k = (0:n-1)' / window_length(n, kind); end
  y = 0.42 - 0.5 * cos(2 * pi * k) + 0.08 * cos(4 * pi * k);
  if n == 1, y(1) = 1; end
end

function y = hanning(n)
  y = 0.5 - 0.5 * cos(2 * pi * (0:n-1)' / max(n - 1, 1));
  if n == 1, y(1) = 1; end
end

function y = bartlett(n)
  k = (0:n-1)';
  y = min(2 * k / max(n - 1, 1), 2 - 2 * k / max(n - 1, 1));
  if n == 1, y(1) = 1; end
end

% The matrix whose eigenvalues are the roots of a polynomial.
function a = compan(c)
  if ~is_vector_type(c), refuse('the coefficients must be a vector'); end
  n = numel(c);
  a = zeros(n - 1, n - 1);
  for k = 1:n-1
    a(1, k) = -c(k + 1) / c(1);
  end
  for k = 2:n-1
    a(k, k - 1) = 1;
  end
end

function y = wilkinson(n)
  y = zeros(n, n);
  for i = 1:n
    y(i, i) = abs(i - (n + 1) / 2);
    if i > 1
      y(i, i - 1) = 1;
      y(i - 1, i) = 1;
    end
  end
end

function y = invhilb(n)
  y = zeros(n, n);
  for j = 1:n
    for i = 1:n
      y(i, j) = (-1) ^ (i + j) * (i + j - 1) * nchoosek(n + i - 1, n - j) * nchoosek(n + j - 1, n - i) ...
        * nchoosek(i + j - 2, i - 1) ^ 2;
    end
  end
end

% The columns of the lower triangle below each other.
function y = vech(x)
  n = size(x, 1);
  y = zeros(n * (n + 1) / 2, 1);
  k = 0;
  for j = 1:n
    for i = j:n
      k = k + 1;
      y(k) = x(i, j);
    end
  end
end

function answer = isbanded(a, lower, upper)
  answer = true;
  for j = 1:size(a, 2)
    for i = 1:size(a, 1)
      if (i - j > lower || j - i > upper) && a(i, j) ~= 0, answer = false; end
    end
  end
end

function answer = istril(a)
  answer = isbanded(a, size(a, 1), 0);
end

function answer = istriu(a)
  answer = isbanded(a, 0, size(a, 2));
end

function answer = isdiag(a)
  answer = isbanded(a, 0, 0);
end

function answer = ishermitian(a)
  answer = issymmetric(a);
end

% The norms of columns, or of what lies along another dimension.
function y = vecnorm(x, p, dim)
  if nargin < 2, p = 2; end
  if nargin < 3, dim = default_dimension(x); end
  if p == 2
    y = sqrt(sum(abs(x) .^ 2, dim));
  elseif p == Inf
    y = max(abs(x), [], dim);
  elseif p == 1
    y = sum(abs(x), dim);
  else
    y = sum(abs(x) .^ p, dim) .^ (1 / p);
  end
end

% The lines of an array along a dimension as the columns of a matrix.
function c = lines_of(x, dim)
  if ~is_scalar_type(dim), refuse('only one dimension is supported'); end
  if ndims(x) < 3
    if dim == 1
      c = x;
    elseif dim == 2
      c = x.';
    else
      c = reshape(x, 1, numel(x));
    end
  elseif ndims(x) > 3
    refuse('arrays of more than three dimensions are not supported');
  elseif dim == 1
    c = reshape(x, size(x, 1), size(x, 2) * size(x, 3));
  elseif dim == 2
    c = reshape(permute(x, [2, 1, 3]), size(x, 2), size(x, 1) * size(x, 3));
  elseif dim == 3
    c = reshape(permute(x, [3, 1, 2]), size(x, 3), size(x, 1) * size(x, 2));
  else
    c = reshape(x, 1, numel(x));
  end
end

% The other way round: columns, which may have got another length, as lines where those of x lie.
function y = with_lines(c, x, dim)
  n = size(c, 1);
  if ndims(x) < 3
    if dim == 1
      y = c;
    elseif dim == 2
      y = c.';
    else
      y = reshape(c.', size(x, 1), size(x, 2), n);
    end
  elseif dim == 1
    y = reshape(c, n, size(x, 2), size(x, 3));
  elseif dim == 2
    y = permute(reshape(c, n, size(x, 1), size(x, 3)), [2, 1, 3]);
  elseif dim == 3
    y = permute(reshape(c, n, size(x, 1), size(x, 2)), [2, 3, 1]);
  else
    y = reshape(c.', size(x, 1), size(x, 2), size(x, 3), n);
  end
end
