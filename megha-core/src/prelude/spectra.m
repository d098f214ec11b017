% Eigenvalues, singular values and what follows from them.

% Two columns turned in their plane.
function x = rotated(x, p, q, cosine, sine)
  for i = 1:size(x, 1)
    d = x(i, p);
    x(i, p) = cosine * d - sine * x(i, q);
    x(i, q) = sine * d + cosine * x(i, q);
  end
end

% The singular values, or U, S and V with x = U * S * V'. With 0 U has no more columns than S needs, with 'econ' V neither.
function [u, s, v] = svd(x, economy)
  m = size(x, 1);
  n = size(x, 2);
  k = min(m, n);
  if nargout < 2
    u = finite_values(x);
  elseif is_complex_type(x)
    refuse('of complex matrices only the singular values are supported');
  elseif nargin < 2
    [u, lengths, v] = singular_vectors(x, m, n);
    s = spread(lengths, m, n);
  elseif is_text(economy)
    [u, lengths, v] = singular_vectors(x, k, k);
    s = spread(lengths, k, k);
  else
    [u, lengths, v] = singular_vectors(x, k, n);
    s = spread(lengths, k, n);
  end
end

% So many columns of U and of V, and the singular values. The signs are LAPACK's.
function [u, lengths, v] = singular_vectors(x, p, q)
  m = size(x, 1);
  n = size(x, 2);
  if is_scalar_type(x)
    u = ones(1, 1, 'like', x);
    lengths = finite_values(x);
    v = merge(x < 0, -u, u);
  else
    k = min(m, n);
    f = singular_value_column(x, k + m * p + n * q);
    check_finite(f, k);
    lengths = convert_like(f(1:k), x);
    u = convert_like(reshape(f(k+1:k+m*p), m, p), x);
    v = convert_like(reshape(f(k+m*p+1:k+m*p+n*q), n, q), x);
  end
end

function check_finite(values, count)
  if count > 0
    if isnan(values(1))
      error('svd: cannot take SVD of matrix containing Inf or NaN values');
    end
  end
end

function s = spread(lengths, m, n)
  s = zeros(m, n, 'like', lengths);
  for k = 1:numel(lengths)
    s(k, k) = lengths(k);
  end
end

% The real matrix whose singular values are those of a complex one, each twice.
function y = real_form(x)
  y = [real(x), -imag(x); imag(x), real(x)];
end

% In descending order; NaN where an element is not finite.
function s = values_or_nan(x)
  if is_complex_type(x)
    s = values_or_nan(real_form(x));
    s = s(1:2:end);
  elseif is_scalar_type(x)
    s = abs(x) + 0 * x;
  else
    s = convert_like(singular_value_column(x, min(size(x, 1), size(x, 2))), x);
  end
end

function s = finite_values(x)
  s = values_or_nan(x);
  check_finite(s, numel(s));
end

% How many singular values are too large to be rounding errors.
function r = rank_of(lengths, x)
  unit = eps;
  if is_single(x), unit = eps('single'); end
  r = rank_above(lengths, max(size(x, 1), size(x, 2)) * max([lengths(:); 0], [], 1) * unit);
end

function r = rank_above(lengths, tolerance)
  r = sum(lengths(:) > tolerance, 1);
end

% An orthonormal basis of what a matrix maps to zero, and of what it maps to.
function z = null(x, tolerance)
  if ~isfloat(x), x = double(x); end
  n = size(x, 2);
  [~, lengths, v] = singular_vectors(x, min(size(x, 1), n), n);
  if nargin < 2
    r = rank_of(lengths, x);
  else
    r = rank_above(lengths, tolerance);
  end
  z = v(:, r+1:n);
  unit = eps;
  if is_single(x), unit = eps('single'); end
  z = merge(abs(z) < unit, 0, z);
end

function q = orth(x, tolerance)
  if ~isfloat(x), x = double(x); end
  k = min(size(x, 1), size(x, 2));
  [u, lengths] = singular_vectors(x, k, k);
  if nargin < 2
    q = -u(:, 1:rank_of(lengths, x));
  else
    q = -u(:, 1:rank_above(lengths, tolerance));
  end
end

% NaN anywhere makes the norm NaN.
function y = general_norm(x, p)
  if is_complex_type(x)
    y = general_norm(real_form(x), p);
  elseif is_constant(p) && p == 2 && ~is_vector_type(x)
    y = spectral_norm(x);
  elseif isempty(x)
    y = zeros(1, 1, 'like', x);
  elseif is_constant(p) && p == 0 && is_vector_type(x)
    y = convert_like(sum(x(:) ~= 0), x);
  elseif any(isnan(x(:)))
    y = convert_like(NaN, x);
  elseif is_vector_type(x)
    y = vector_norm(abs(x(:)), p);
  else
    y = matrix_norm(x, p);
  end
end

function y = vector_norm(a, p)
  if p == Inf
    y = max(a);
  elseif p == -Inf
    y = min(a);
  elseif p == 0
    y = convert_like(sum(a ~= 0), a);
  else
    y = sum(a .^ p) ^ (1 / p);
    largest = max(a);
    if (y == Inf || y == 0) && largest > 0 && largest < Inf
      y = largest * sum((a / largest) .^ p) ^ (1 / p);
    end
  end
end

function y = matrix_norm(x, p)
  if p == 1
    y = max(sum(abs(x), 1), [], 2);
  elseif p == 2
    y = spectral_norm(x);
  elseif p == Inf
    y = max(sum(abs(x), 2), [], 1);
  else
    refuse('matrices have the orders 1, 2, Inf and ''fro''');
  end
end

function y = spectral_norm(x)
  s = values_or_nan(x);
  y = zeros(1, 1, 'like', x);
  if numel(s) > 0, y = s(1); end
end

function r = rank(x, tolerance)
  if nargin < 2
    r = rank_of(finite_values(x), x);
  else
    r = rank_above(finite_values(x), tolerance);
  end
end

% One over the product of the one-norms of a matrix and its inverse, that of the inverse as LAPACK estimates it (N. J. Higham, 1988).
function r = rcond(x)
  n = size(x, 1);
  if n ~= size(x, 2)
    error('rcond: A must be a square matrix');
  end
  if is_complex_type(x), refuse('complex matrices are not supported'); end
  if isempty(x)
    r = Inf;
  else
    y = convert_like(inverse_matrix(x), x);
    if all(isfinite(y(:)))
      r = 1 / (norm(x, 1) * estimated_norm(y));
    else
      r = zeros(1, 1, 'like', x);
    end
  end
end

function e = estimated_norm(y)
  n = size(y, 1);
  v = y * ones(n, 1) / n;
  e = sum(abs(v));
  if n > 1
    signs = merge(v >= 0, 1, -1);
    z = y' * signs;
    [~, j] = max(abs(z), [], 1);
    steps = 1;
    last = 0;
    while steps < 5 && j ~= last
      v = y(:, j);
      old = e;
      e = sum(abs(v));
      now = merge(v >= 0, 1, -1);
      if all(now == signs) || e <= old
        last = j;
      else
        signs = now;
        z = y' * signs;
        last = j;
        [~, j] = max(abs(z), [], 1);
        if abs(z(last)) == abs(z(j)), j = last; end
      end
      steps = steps + 1;
    end
    k = (0:n-1)';
    v = y * ((1 - 2 * mod(k, 2)) .* (1 + k / (n - 1)));
    e = max(e, 2 * sum(abs(v)) / (3 * n));
  end
end

function c = cond(x, p)
  if nargin < 2, p = 2; end
  if is_text(p)
    c = norm(x, 'fro') * norm(inv(x), 'fro');
  elseif is_constant(p) && p == 2
    s = values_or_nan(x);
    c = zeros(1, 1, 'like', s);
    if numel(s) > 0
      if isnan(s(1)), error('cond: A must not contain Inf or NaN values'); end
      c = s(1) / s(numel(s));
      if s(1) == 0, c = convert_like(Inf, s); end
    end
  else
    c = norm(x, p) * norm(inv(x), p);
  end
end

function y = pinv(x, tolerance)
  if is_scalar_type(x)
    y = merge(x == 0, 0, 1 / x);
  else
    m = size(x, 1);
    n = size(x, 2);
    k = min(m, n);
    f = convert_like(singular_value_column(x, k * (1 + m + n)), x);
    u = reshape(f(k+1:k+m*k), m, k);
    v = reshape(f(k+m*k+1:k+m*k+n*k), n, k);
    unit = eps;
    if is_single(x), unit = eps('single'); end
    least = max(m, n) * max([f(1:k); 0], [], 1) * unit;
    if nargin > 1, least = tolerance; end
    least = max(least, realmin);
    for j = 1:k
      t = zeros(1, 1, 'like', x);
      if ~(f(j) < least), t = 1 / f(j); end
      for i = 1:n
        v(i, j) = v(i, j) * t;
      end
    end
    y = v * u.';
  end
end
