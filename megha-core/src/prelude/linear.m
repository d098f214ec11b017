% Linear algebra beyond products and the solution of equations.

function d = det(x)
  if size(x, 1) ~= size(x, 2)
    error('det: A must be a square matrix');
  end
  if is_scalar_type(x)
    d = x;
  else
    [x, order, d] = factored(x);
    for k = 1:size(x, 1)
      d = d * x(k, k);
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

% Both triangular factors in one matrix, the order of its rows, and the sign of that order. Column by column with sums
% of products and the pivot's reciprocal, as OpenBLAS's getf2: a determinant near zero has the sign that Octave finds.
function [x, order, d] = factored(x)
  m = size(x, 1);
  order = (1:m)';
  d = 1;
  for j = 1:size(x, 2)
    for i = 2:m
      t = zeros(1, 1, 'like', x);
      for k = 1:min(i, j)-1
        t = t + x(i, k) * x(k, j);
      end
      x(i, j) = x(i, j) - t;
    end
    if j <= m
      p = pivot_row(x, j);
      if p ~= j
        x = swapped(x, j, p);
        t = order(j);
        order(j) = order(p);
        order(p) = t;
        d = -d;
      end
      pivot = x(j, j);
      if abs(pivot) >= realmin
        pivot = 1 / pivot;
        for i = j+1:m
          x(i, j) = x(i, j) * pivot;
        end
      elseif pivot ~= 0
        for i = j+1:m
          x(i, j) = x(i, j) / pivot;
        end
      end
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
  [x, order] = factored(x);
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
