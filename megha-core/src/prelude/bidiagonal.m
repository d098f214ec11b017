% Singular values and vectors: Householder's reduction to an upper bidiagonal matrix, then implicit QR steps on it (Golub and Kahan
% 1965; Golub and Van Loan, Matrix Computations, 4th edition, 8.6). The matrices have at least as many rows as columns.

function check_finite(x)
  if any(any(~isfinite(x)))
    error('svd: cannot take SVD of matrix containing Inf or NaN values');
  end
end

% In descending order.
function values = bidiagonal_values(x)
  check_finite(x);
  [y, factor] = moderate(x);
  values = convert_like(singular_value_column(y), x) * factor;
  if any(isnan(values))
    error('svd: the iterations do not converge');
  end
end

% x = u * s * v', of u all columns or only as many as v has. In each column of v the element of the largest magnitude is positive.
function [u, lengths, v] = bidiagonal_factors(x, thin)
  check_finite(x);
  n = size(x, 2);
  columns = size(x, 1);
  if thin, columns = n; end
  [x, factor] = moderate(x);
  [x, d, f, left, rows, right] = bidiagonal(x);
  u = product_of_reflections(x, left, 0, columns);
  v = product_of_reflections(rows, right, 1, n);
  [d, u, v] = golub_kahan(d, f, u, v);
  [lengths, order] = sort(abs(d), 1, 'descend');
  lengths = lengths * factor;
  for j = 1:n
    if d(j) < 0
      v(:, j) = -v(:, j);
    end
  end
  v = v(:, order);
  thin = u(:, order);
  for j = 1:n
    at = 1;
    for i = 2:n
      if abs(v(i, j)) > abs(v(at, j)), at = i; end
    end
    turn = 1;
    if v(at, j) < 0, turn = -1; end
    v(:, j) = v(:, j) * turn;
    u(:, j) = thin(:, j) * turn;
  end
end

% The diagonal d and what is right of it, f. Column k of x then holds the direction of the reflection from the left from row k on,
% column k of rows that from the right from row k + 1 on; left and right are their factors.
function [x, d, f, left, rows, right] = bidiagonal(x)
  m = size(x, 1);
  n = size(x, 2);
  d = zeros(n, 1, 'like', x);
  f = zeros(n, 1, 'like', x);
  left = zeros(n, 1, 'like', x);
  right = zeros(n, 1, 'like', x);
  rows = zeros(n, n, 'like', x);
  w = zeros(m, 1, 'like', x);
  for k = 1:n
    [x, d(k), left(k)] = reflection(x, k, k);
    if left(k) ~= 0 && k < n
      s = sum(x(k:m, k) .* x(k:m, k+1:n), 1);
      for j = k+1:n
        t = left(k) * s(j - k);
        for i = k:m
          x(i, j) = x(i, j) - x(i, k) * t;
        end
      end
    end
    if k < n
      for j = k+1:n
        rows(j, k) = x(k, j);
      end
      [rows, f(k), right(k)] = reflection(rows, k + 1, k);
      if right(k) ~= 0
        for i = k+1:m
          w(i) = 0;
        end
        for j = k+1:n
          t = right(k) * rows(j, k);
          for i = k+1:m
            w(i) = w(i) + x(i, j) * t;
          end
        end
        for j = k+1:n
          t = rows(j, k);
          for i = k+1:m
            x(i, j) = x(i, j) - w(i) * t;
          end
        end
      end
    end
  end
end

% The reflection that maps column k from row p on to a multiple of the first unit vector: its direction replaces the column.
function [x, value, scale] = reflection(x, p, k)
  s = zeros(1, 1, 'like', x);
  scale = zeros(1, 1, 'like', x);
  for i = p+1:size(x, 1)
    s = s + x(i, k) * x(i, k);
  end
  value = x(p, k);
  if s > 0
    value = sqrt(s + x(p, k) * x(p, k));
    if x(p, k) > 0, value = -value; end
    head = x(p, k) - value;
    scale = -head / value;
    x(p, k) = 1;
    for i = p+1:size(x, 1)
      x(i, k) = x(i, k) / head;
    end
  end
end

% The singular values of a bidiagonal matrix, in no order and of any sign; the rotations go into u and v.
function [d, u, v] = golub_kahan(d, f, u, v)
  norm_of = max([abs(d); abs(f); 0], [], 1);
  for last = numel(d):-1:2
    steps = 0;
    first = last - 1;
    while first < last
      first = last;
      while first > 1 && abs(d(first - 1)) + abs(d(first)) + abs(f(first - 1)) ~= abs(d(first - 1)) + abs(d(first))
        first = first - 1;
      end
      zero = 0;
      for i = first:last
        if norm_of + abs(d(i)) == norm_of
          d(i) = 0;
          zero = i;
        end
      end
      if first == last
      elseif zero == last
        [d, f, v] = without_last_column(d, f, v, first, last);
      elseif zero > 0
        [d, f, u] = without_row(d, f, u, zero, last);
      else
        steps = steps + 1;
        if steps > 100
          error('svd: the iterations do not converge');
        end
        [d, f, u, v] = golub_kahan_step(d, f, u, v, first, last);
      end
    end
  end
end

function [cosine, sine, r] = givens(a, b)
  r = sqrt(a * a + b * b);
  cosine = ones(1, 1, 'like', a);
  sine = zeros(1, 1, 'like', a);
  if r > 0
    cosine = a / r;
    sine = b / r;
  end
end

% Where the last diagonal element is zero the element above it goes too, up along the column.
function [d, f, v] = without_last_column(d, f, v, first, last)
  g = f(last - 1);
  f(last - 1) = 0;
  for i = last-1:-1:first
    [cosine, sine, r] = givens(d(i), g);
    d(i) = r;
    if i > first
      g = -sine * f(i - 1);
      f(i - 1) = cosine * f(i - 1);
    end
    v = rotated(v, i, last, cosine, -sine);
  end
end

% Where another is zero the element right of it goes, along the row.
function [d, f, u] = without_row(d, f, u, zero, last)
  g = f(zero);
  for i = zero+1:last
    if i == zero + 1, f(i - 1) = 0; end
    [cosine, sine, r] = givens(d(i), g);
    d(i) = r;
    if i < last
      g = -sine * f(i);
      f(i) = cosine * f(i);
    end
    u = rotated(u, i, zero, cosine, -sine);
  end
end

% One step whose shift is the eigenvalue of the last two rows of B' * B that is nearer to their last element.
function [d, f, u, v] = golub_kahan_step(d, f, u, v, first, last)
  b = ((d(last - 1) + d(last)) * (d(last - 1) - d(last)) + f(last - 1) * f(last - 1)) / 2;
  c = d(last) * f(last - 1);
  shift = zeros(1, 1, 'like', d);
  if b ~= 0 || c ~= 0
    r = hypot(b, c);
    if b < 0, r = -r; end
    shift = c * (c / (b + r));
  end
  p = (d(first) + d(last)) * (d(first) - d(last)) + shift;
  q = d(first) * f(first);
  for k = first:last-1
    [cosine, sine, r] = givens(p, q);
    if k > first, f(k - 1) = r; end
    p = cosine * d(k) + sine * f(k);
    f(k) = cosine * f(k) - sine * d(k);
    q = sine * d(k + 1);
    d(k + 1) = cosine * d(k + 1);
    v = rotated(v, k, k + 1, cosine, -sine);
    [cosine, sine, r] = givens(p, q);
    d(k) = r;
    p = cosine * f(k) + sine * d(k + 1);
    d(k + 1) = cosine * d(k + 1) - sine * f(k);
    if k < last - 1
      q = sine * f(k + 1);
      f(k + 1) = cosine * f(k + 1);
    end
    u = rotated(u, k, k + 1, cosine, -sine);
  end
  f(last - 1) = p;
end
