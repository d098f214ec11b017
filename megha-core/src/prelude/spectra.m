% Eigenvalues, singular values and what follows from them.

% Two columns turned in their plane.
function x = rotated(x, p, q, cosine, sine)
  for i = 1:size(x, 1)
    d = x(i, p);
    x(i, p) = cosine * d - sine * x(i, q);
    x(i, q) = sine * d + cosine * x(i, q);
  end
end

% The singular values, or U, S and V with x = U * S * V'. In each column of V the element of the largest magnitude is
% positive.
function [u, s, v] = svd(x, economy)
  if nargout < 2
    if is_complex_type(x)
      u = singular_values(real_form(x));
      u = u(1:2:end);
    else
      u = singular_values(x);
    end
  else
    if is_complex_type(x), refuse('of complex matrices only the singular values are supported'); end
    m = size(x, 1);
    n = size(x, 2);
    if is_scalar_type(x)
      u = merge(x < 0, -1, 1);
      s = abs(x);
      v = 1;
    elseif is_row_type(x)
      [v, s, u] = column_factors(x.', nargin > 1);
      s = s.';
    elseif is_vector_type(x)
      [u, s, v] = column_factors(x, nargin > 1);
    elseif nargin > 1
      if m >= n
        [u, lengths, v] = bidiagonal_factors(x, true);
      else
        [v, lengths, u] = bidiagonal_factors(x.', true);
      end
      s = diag(lengths);
    elseif m >= n
      [u, s, v] = all_factors(x);
    else
      [v, s, u] = all_factors(x.');
      s = s.';
    end
  end
end

% The real matrix whose singular values are those of a complex one, each twice.
function y = real_form(x)
  y = [real(x), -imag(x); imag(x), real(x)];
end

function s = singular_values(x)
  if is_scalar_type(x)
    s = abs(x);
  elseif is_vector_type(x)
    if any(~isfinite(x(:)))
      error('svd: cannot take SVD of matrix containing Inf or NaN values');
    end
    s = sqrt(sum(x(:) .* x(:)));
  else
    if size(x, 1) >= size(x, 2)
      s = bidiagonal_values(x);
    else
      s = bidiagonal_values(x.');
    end
  end
end

% Of a column: it over its length, and what a reflection adds.
function [u, s, v] = column_factors(x, economy)
  m = size(x, 1);
  length_of = sqrt(sum(x .* x));
  v = 1;
  if economy
    s = length_of;
    u = zeros(m, 1);
    if length_of > 0
      u = x / length_of;
    else
      u(1) = 1;
    end
  else
    s = zeros(m, 1);
    s(1) = length_of;
    [u, r] = qr(x);
    if r(1) < 0
      u(:, 1) = -u(:, 1);
    end
  end
end

% The columns of U that the first n alone do not have are those that the reflections give.
function [u, s, v] = all_factors(x)
  m = size(x, 1);
  n = size(x, 2);
  [u, lengths, v] = bidiagonal_factors(x, false);
  s = zeros(m, n);
  for j = 1:n
    s(j, j) = lengths(j);
  end
end

% An orthonormal basis of what a matrix maps to zero, and of what it maps to.
function z = null(x, tolerance)
  n = size(x, 2);
  [u, s, v] = svd(x);
  if nargin < 2
    z = v(:, rank(x)+1:n);
  else
    z = v(:, rank(x, tolerance)+1:n);
  end
  z = merge(abs(z) < eps, 0, z);
end

function q = orth(x, tolerance)
  [u, s, v] = svd(x);
  if nargin < 2
    q = u(:, 1:rank(x));
  else
    q = u(:, 1:rank(x, tolerance));
  end
end

% NaN anywhere makes the norm NaN.
function y = general_norm(x, p)
  if is_complex_type(x)
    y = general_norm(real_form(x), p);
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
    y = sum(a ~= 0);
  else
    y = sum(a .^ p) ^ (1 / p);
  end
end

function y = matrix_norm(x, p)
  if p == 1
    y = max(sum(abs(x), 1), [], 2);
  elseif p == 2
    y = max([singular_values(x); 0], [], 1);
  elseif p == Inf
    y = max(sum(abs(x), 2), [], 1);
  else
    refuse('matrices have the orders 1, 2, Inf and ''fro''');
  end
end

function r = rank(x, tolerance)
  s = svd(x);
  if nargin < 2
    tolerance = max(size(x, 1), size(x, 2)) * max([s(:); 0], [], 1) * eps;
  end
  r = sum(s > tolerance);
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
    s = svd(x);
    c = s(1) / s(numel(s));
  else
    c = norm(x, p) * norm(inv(x), p);
  end
end

function y = pinv(x, tolerance)
  if is_scalar_type(x)
    y = merge(x == 0, 0, 1 / x);
  else
    if size(x, 1) >= size(x, 2)
      [u, lengths, v] = bidiagonal_factors(x, true);
    else
      [v, lengths, u] = bidiagonal_factors(x.', true);
    end
    if nargin < 2
      least = max(size(x, 1), size(x, 2)) * max([lengths; 0], [], 1) * eps;
    else
      least = tolerance;
    end
    for k = 1:numel(lengths)
      t = zeros(1, 1, 'like', x);
      if lengths(k) > least, t = 1 / lengths(k); end
      v(:, k) = v(:, k) * t;
    end
    y = v * u.';
  end
end
