% Linear algebra beyond products and the solution of equations.

function d = det(x)
  if size(x, 1) ~= size(x, 2)
    error('det: A must be a square matrix');
  end
  if is_scalar_type(x)
    d = x;
  else
    n = size(x, 1);
    d = 1;
    for k = 1:n
      p = pivot_row(x, k);
      if x(p, k) == 0
        d = 0;
        break
      end
      if p ~= k
        x = swapped(x, k, p);
        d = -d;
      end
      d = d * x(k, k);
      x = eliminated(x, k);
    end
  end
end

function p = pivot_row(x, k)
  p = k;
  for i = k+1:size(x, 1)
    if abs(x(i, k)) > abs(x(p, k))
      p = i;
    end
  end
end

function x = swapped(x, k, p)
  for j = 1:size(x, 2)
    t = x(k, j);
    x(k, j) = x(p, j);
    x(p, j) = t;
  end
end

% Subtracts multiples of row k from those below, and keeps the multiples below the pivot.
function x = eliminated(x, k)
  for i = k+1:size(x, 1)
    x(i, k) = x(i, k) / x(k, k);
  end
  for j = k+1:size(x, 2)
    for i = k+1:size(x, 1)
      x(i, j) = x(i, j) - x(i, k) * x(k, j);
    end
  end
end

function y = inv(x)
  if size(x, 1) ~= size(x, 2)
    error('inverse: argument must be a square matrix');
  end
  if is_scalar_type(x)
    y = 1 / x;
  else
    y = x \ eye(size(x, 1));
  end
end

function [l, u, p] = lu(x)
  if nargout < 2, refuse('ask for [L, U] or [L, U, P]'); end
  m = size(x, 1);
  n = size(x, 2);
  k = min(m, n);
  order = (1:m)';
  for i = 1:k
    r = pivot_row(x, i);
    if r ~= i
      x = swapped(x, i, r);
      t = order(i);
      order(i) = order(r);
      order(r) = t;
    end
    if x(i, i) ~= 0
      x = eliminated(x, i);
    end
  end
  u = triu(x(1:k, :));
  l = tril(x(:, 1:k), -1) + eye(m, k);
  p = zeros(m, m);
  for i = 1:m
    p(i, order(i)) = 1;
  end
  if nargout == 2
    l = p' * l;
  end
end

function r = chol(x)
  if size(x, 1) ~= size(x, 2)
    error('chol: A must be a square matrix');
  end
  n = size(x, 1);
  r = zeros(n, n);
  for j = 1:n
    s = x(j, j);
    for k = 1:j-1
      s = s - r(k, j) * r(k, j);
    end
    if ~(s > 0)
      error('chol: input matrix must be positive definite');
    end
    d = sqrt(s);
    r(j, j) = d;
    for i = j+1:n
      t = x(j, i);
      for k = 1:j-1
        t = t - r(k, j) * r(k, i);
      end
      r(j, i) = t / d;
    end
  end
end

% Householder reflections with LAPACK's choice of signs.
function [q, r] = qr(x, economy)
  if nargout < 2, refuse('ask for [Q, R]'); end
  m = size(x, 1);
  n = size(x, 2);
  q = eye(m);
  for k = 1:min(m - 1, n)
    s = 0;
    for i = k:m
      s = s + x(i, k) * x(i, k);
    end
    s = sqrt(s);
    below = 0;
    for i = k+1:m
      below = below + abs(x(i, k));
    end
    if below > 0
      if x(k, k) > 0
        s = -s;
      end
      v = zeros(m, 1);
      v(k) = x(k, k) - s;
      for i = k+1:m
        v(i) = x(i, k);
      end
      f = 2 / sum(v .* v);
      x = x - v * (f * (v' * x));
      q = q - (q * v) * (f * v');
    end
  end
  r = triu(x);
  if nargin > 1
    k = min(m, n);
    q = q(:, 1:k);
    r = r(1:k, :);
  end
end

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
          for i = 1:size(x, 1)
            d = w(i, p);
            w(i, p) = cosine * d - sine * w(i, q);
            w(i, q) = sine * d + cosine * w(i, q);
          end
          for i = 1:n
            d = v(i, p);
            v(i, p) = cosine * d - sine * v(i, q);
            v(i, q) = sine * d + cosine * v(i, q);
          end
        end
      end
    end
    if ~turned
      break
    end
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

function s = svd(x)
  if nargout > 1, refuse('only the singular values are supported, not the vectors'); end
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

% NaN anywhere makes the norm NaN.
function y = general_norm(x, p)
  if any(isnan(x(:)))
    y = NaN;
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
  r = sum(s > max(size(x, 1), size(x, 2)) * s(1) * eps);
end

function c = cond(x)
  s = svd(x);
  c = s(1) / s(numel(s));
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

% Jacobi's rotations for symmetric matrices.
function d = eig(x)
  if nargout > 1, refuse('only the eigenvalues are supported, not the vectors'); end
  if any(any(x ~= x'))
    error('eig of a matrix that is not symmetric is not supported');
  end
  if is_scalar_type(x)
    d = x;
  else
    d = sort(diag(rotated_to_diagonal(x)), 1);
  end
end

function x = rotated_to_diagonal(x)
  n = size(x, 1);
  for sweep = 1:60
    turned = false;
    for p = 1:n-1
      for q = p+1:n
        c = x(p, q);
        if abs(c) > 1e-17 * (abs(x(p, p)) + abs(x(q, q))) && c ~= 0
          turned = true;
          [cosine, sine] = rotation(x(p, p), x(q, q), c);
          for i = 1:n
            d = x(i, p);
            x(i, p) = cosine * d - sine * x(i, q);
            x(i, q) = sine * d + cosine * x(i, q);
          end
          for i = 1:n
            d = x(p, i);
            x(p, i) = cosine * d - sine * x(q, i);
            x(q, i) = sine * d + cosine * x(q, i);
          end
        end
      end
    end
    if ~turned
      break
    end
  end
end

function x = linsolve(a, b)
  x = a \ b;
end

% Gauss and Jordan: each pivot is the largest number left in its column.
function a = rref(a, tolerance)
  rows = size(a, 1);
  if nargin < 2, tolerance = eps * max(rows, size(a, 2)) * norm(a, Inf); end
  r = 1;
  for k = 1:size(a, 2)
    if r <= rows
      p = r;
      for i = r+1:rows
        if abs(a(i, k)) > abs(a(p, k)), p = i; end
      end
      if abs(a(p, k)) <= tolerance
        for i = r:rows
          a(i, k) = 0;
        end
      else
        a = swapped_from(a, p, r, k);
        pivot = a(r, k);
        for j = k:size(a, 2)
          a(r, j) = a(r, j) / pivot;
        end
        for i = 1:rows
          if i ~= r
            f = a(i, k);
            for j = k:size(a, 2)
              a(i, j) = a(i, j) - f * a(r, j);
            end
          end
        end
        r = r + 1;
      end
    end
  end
end

function a = swapped_from(a, p, r, k)
  for j = k:size(a, 2)
    t = a(p, j);
    a(p, j) = a(r, j);
    a(r, j) = t;
  end
end

% Pade's approximation of degree 8 of the matrix halved until it is small, squared as often.
function e = expm(a)
  if size(a, 1) ~= size(a, 2)
    error('expm: A must be a square matrix');
  end
  if is_scalar_type(a)
    e = exp(a);
  else
    n = size(a, 1);
    halvings = 0;
    size_of_a = norm(a, 1);
    while size_of_a > 0.5
      size_of_a = size_of_a / 2;
      halvings = halvings + 1;
    end
    a = a / 2 ^ halvings;
    c = 1;
    term = eye(n);
    above = eye(n);
    below = eye(n);
    for k = 1:8
      c = c * (9 - k) / (k * (17 - k));
      term = a * term;
      above = above + c * term;
      below = below + (-1) ^ k * c * term;
    end
    e = below \ above;
    for k = 1:halvings
      e = e * e;
    end
  end
end
