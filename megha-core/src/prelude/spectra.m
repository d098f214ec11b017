% Eigenvalues, singular values and what follows from them.

% One-sided Jacobi rotations (Hestenes): the columns of w = x * v become orthogonal; their lengths are the singular values.
function [w, v] = orthogonal_columns(x)
  if any(any(~isfinite(x)))
    error('svd: cannot take SVD of matrix containing Inf or NaN values');
  end
  w = x;
  n = size(x, 2);
  v = eye(n);
  for sweep = 1:60
    turned = false;
    for p = 1:n-1
      for q = p+1:n
        a = 0;
        b = 0;
        c = 0;
        for i = 1:size(x, 1)
          a = a + w(i, p) * w(i, p);
          b = b + w(i, q) * w(i, q);
          c = c + w(i, p) * w(i, q);
        end
        if abs(c) > 1e-16 * sqrt(a * b)
          turned = true;
          [cosine, sine] = rotation(a, b, c);
          w = rotated(w, p, q, cosine, sine);
          v = rotated(v, p, q, cosine, sine);
        end
      end
    end
    if ~turned
      break
    end
  end
end

% Two columns turned in their plane.
function x = rotated(x, p, q, cosine, sine)
  for i = 1:size(x, 1)
    d = x(i, p);
    x(i, p) = cosine * d - sine * x(i, q);
    x(i, q) = sine * d + cosine * x(i, q);
  end
end

% The plane rotation that makes the symmetric matrix [a, c; c, b] diagonal (Rutishauser 1966).
function [cosine, sine] = rotation(a, b, c)
  z = (b - a) / (2 * c);
  t = 1 / (abs(z) + sqrt(1 + z * z));
  if z < 0
    t = -t;
  end
  cosine = 1 / sqrt(1 + t * t);
  sine = cosine * t;
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
        [u, lengths, v] = thin_factors(x);
      else
        [v, lengths, u] = thin_factors(x.');
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
    w = orthogonal_columns(x);
    s = sort(sqrt(sum(w .* w, 1)), 2, 'descend').';
    s = s(1:min(size(x, 1), size(x, 2)));
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

% All columns of U: those of the thin one, and what Householder reflections add.
function [u, s, v] = all_factors(x)
  m = size(x, 1);
  n = size(x, 2);
  [thin, lengths, v] = thin_factors(x);
  s = zeros(m, n);
  for j = 1:n
    s(j, j) = lengths(j);
  end
  [u, r] = qr(thin);
  for j = 1:n
    if r(j, j) < 0
      u(:, j) = -u(:, j);
    end
  end
end

% Of a matrix with at least as many rows as columns. Where a singular value is zero U has any orthonormal columns.
function [u, lengths, v] = thin_factors(x)
  [w, v] = orthogonal_columns(x);
  [lengths, order] = sort(sqrt(sum(w .* w, 1)), 2, 'descend');
  w = w(:, order);
  v = v(:, order);
  n = size(x, 2);
  least = max(size(x, 1), n) * max([lengths, 0], [], 2) * eps;
  for j = 1:n
    at = 1;
    for i = 2:n
      if abs(v(i, j)) > abs(v(at, j))
        at = i;
      end
    end
    if v(at, j) < 0
      v(:, j) = -v(:, j);
      w(:, j) = -w(:, j);
    end
  end
  u = w;
  for j = 1:n
    if lengths(j) > least
      u(:, j) = w(:, j) / lengths(j);
    else
      u(:, j) = orthogonal_to(u, j - 1);
    end
  end
end

% A unit column that is orthogonal to the first k columns.
function c = orthogonal_to(u, k)
  m = size(u, 1);
  c = zeros(m, 1);
  best = -1;
  for i = 1:m
    d = zeros(m, 1);
    d(i) = 1;
    for pass = 1:2
      for j = 1:k
        d = d - u(:, j) * sum(u(:, j) .* d);
      end
    end
    length_of = sqrt(sum(d .* d));
    if length_of > best + 1e-8
      best = length_of;
      c = d / length_of;
    end
  end
end

% An orthonormal basis of what a matrix maps to zero, and of what it maps to.
function z = null(x)
  n = size(x, 2);
  [u, s, v] = svd(x);
  z = v(:, rank(x)+1:n);
end

function q = orth(x)
  [u, s, v] = svd(x);
  q = u(:, 1:rank(x));
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
    w = orthogonal_columns(x);
    y = sqrt(max(sum(w .* w, 1), [], 2));
  elseif p == Inf
    y = max(sum(abs(x), 2), [], 1);
  else
    refuse('matrices have the orders 1, 2, Inf and ''fro''');
  end
end

function r = rank(x)
  s = svd(x);
  r = sum(s > max(size(x, 1), size(x, 2)) * max([s(:); 0], [], 1) * eps);
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

function y = pinv(x)
  if is_scalar_type(x)
    y = merge(x == 0, 0, 1 / x);
  else
    [w, v] = orthogonal_columns(x);
    squares = sum(w .* w, 1);
    least = max(size(x, 1), size(x, 2)) * sqrt(max(squares, [], 2)) * eps;
    y = v * merge(sqrt(squares) > least, w ./ squares, 0)';
  end
end
