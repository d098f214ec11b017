% Eigenvalues and eigenvectors of symmetric matrices: Householder's reduction to tridiagonal form, then implicit QL steps
% (Golub and Van Loan, Matrix Computations, 4th edition, 8.3), as LAPACK orders and rounds them, so that eigenvectors have the signs
% that Octave gives them: the reduction begins in the last row, and a block of the tridiagonal form whose last element is smaller than
% its first is turned round before the steps.

% Ascending eigenvalues.
function values = symmetric_eigenvalues(x)
  [y, factor] = moderate(x);
  values = convert_like(eigenvalue_column(y), x) * factor;
  if any(isnan(values))
    error('eig: the iterations do not converge');
  end
end

function [v, values] = symmetric_eigenvectors(x)
  n = size(x, 1);
  [x, factor] = moderate(x);
  [x, d, e, scale] = tridiagonal(x(n:-1:1, n:-1:1));
  q = product_of_reflections(x, scale, 1, n);
  [d, v] = implicit_ql(d(n:-1:1), [e(n-1:-1:1); 0], q(n:-1:1, n:-1:1));
  [d, v] = ascending(d, v);
  values = d * factor;
end

% By exchanges, which decide the order of equal eigenvalues.
function [d, v] = ascending(d, v)
  n = numel(d);
  for i = 1:n-1
    k = i;
    for j = i+1:n
      if d(j) < d(k), k = j; end
    end
    if k ~= i
      t = d(i);
      d(i) = d(k);
      d(k) = t;
      for j = 1:n
        t = v(j, i);
        v(j, i) = v(j, k);
        v(j, k) = t;
      end
    end
  end
end

% Also of the negative zero.
function answer = has_minus(x)
  answer = x < 0 || 1 / x < 0;
end

% Numbers whose squares neither overflow nor vanish, and the power of two that was taken out of them.
function [x, factor] = moderate(x)
  factor = ones(1, 1, 'like', x);
  largest = max([max(abs(x), [], 1), 0], [], 2);
  if largest > 1e140 || (largest < 1e-140 && largest > 0)
    factor = 2 ^ floor(log2(largest));
    x = x / factor;
  end
end

% The diagonal d and the subdiagonal e of q' * x * q. Below the subdiagonal x then holds the directions of the reflections
% 1 - scale(k) * v * v', whose first element is one and is held too; q is their product.
function [x, d, e, scale] = tridiagonal(x)
  n = size(x, 1);
  d = zeros(n, 1, 'like', x);
  e = zeros(n, 1, 'like', x);
  scale = zeros(n, 1, 'like', x);
  w = zeros(n, 1, 'like', x);
  for k = 1:n-2
    s = 0;
    for i = k+2:n
      s = s + x(i, k) * x(i, k);
    end
    e(k) = x(k + 1, k);
    if s > 0
      e(k) = sqrt(s + x(k + 1, k) * x(k + 1, k));
      if ~has_minus(x(k + 1, k)), e(k) = -e(k); end
      head = x(k + 1, k) - e(k);
      t = -head / e(k);
      scale(k) = t;
      x(k + 1, k) = 1;
      for i = k+2:n
        x(i, k) = x(i, k) / head;
      end
      for i = k+1:n
        w(i) = 0;
      end
      for j = k+1:n
        f = t * x(j, k);
        for i = k+1:n
          w(i) = w(i) + x(i, j) * f;
        end
      end
      s = 0;
      for i = k+1:n
        s = s + w(i) * x(i, k);
      end
      s = s * t / 2;
      for i = k+1:n
        w(i) = w(i) - s * x(i, k);
      end
      for j = k+1:n
        a = x(j, k);
        b = w(j);
        for i = k+1:n
          x(i, j) = x(i, j) - (x(i, k) * b + w(i) * a);
        end
      end
    end
  end
  if n > 1, e(n - 1) = x(n, n - 1); end
  for k = 1:n
    d(k) = x(k, k);
  end
end

% The first columns of the product of the reflections 1 - scale(k) * v * v', whose v is column k of x from row k + shift on. From
% the last reflection to the first, and transposed, since all loops then run along columns.
function q = product_of_reflections(x, scale, shift, columns)
  m = size(x, 1);
  q = convert_like(eye(columns, m), x);
  w = zeros(columns, 1, 'like', x);
  for k = numel(scale):-1:1
    if scale(k) ~= 0
      for i = k+shift:columns
        w(i) = 0;
      end
      for j = k+shift:m
        f = scale(k) * x(j, k);
        for i = k+shift:columns
          w(i) = w(i) + q(i, j) * f;
        end
      end
      for j = k+shift:m
        f = x(j, k);
        for i = k+shift:columns
          q(i, j) = q(i, j) - w(i) * f;
        end
      end
    end
  end
  q = q';
end

% The eigenvalues of a tridiagonal matrix, in no order; the rotations go into the columns of z.
function [d, z] = implicit_ql(d, e, z)
  n = numel(d);
  first = 1;
  while first <= n
    last = first;
    while last < n && abs(e(last)) > sqrt(abs(d(last))) * sqrt(abs(d(last + 1))) * (eps / 2)
      last = last + 1;
    end
    if last < n, e(last) = 0; end
    round = abs(d(last)) < abs(d(first));
    if round
      [d, e, z] = turned_round(d, e, z, first, last);
    end
    [d, e, z] = ql_steps(d, e, z, first, last, round);
    first = last + 1;
  end
end

function [d, e, z] = turned_round(d, e, z, first, last)
  for i = first:floor((first + last - 1) / 2)
    j = first + last - i;
    t = d(i);
    d(i) = d(j);
    d(j) = t;
    for k = 1:size(z, 1)
      t = z(k, i);
      z(k, i) = z(k, j);
      z(k, j) = t;
    end
  end
  for i = first:floor((first + last - 2) / 2)
    j = first + last - 1 - i;
    t = e(i);
    e(i) = e(j);
    e(j) = t;
  end
end

% Steps on a block until all its subdiagonal is zero.
function [d, e, z] = ql_steps(d, e, z, l, last, round)
  steps = 0;
  while l <= last
    m = l;
    while m < last && e(m) * e(m) > (eps / 2) ^ 2 * abs(d(m)) * abs(d(m + 1)) + realmin
      m = m + 1;
    end
    if m < last, e(m) = 0; end
    if m == l
      l = l + 1;
    elseif m == l + 1
      if round
        [d(l + 1), d(l), cosine, sine] = two_by_two(d(l + 1), e(l), d(l));
      else
        [d(l), d(l + 1), cosine, sine] = two_by_two(d(l), e(l), d(l + 1));
        sine = -sine;
      end
      z = rotated(z, l, l + 1, cosine, sine);
      e(l) = 0;
      l = l + 2;
    else
      steps = steps + 1;
      if steps > 30 * numel(d)
        error('eig: the iterations do not converge');
      end
      [d, e, z] = ql_step(d, e, z, l, m);
    end
  end
end

% One step with Wilkinson's shift on the rows first to last, from the last to the first.
function [d, e, z] = ql_step(d, e, z, first, last)
  g = (d(first + 1) - d(first)) / (2 * e(first));
  r = hypot(g, 1);
  if has_minus(g), r = -r; end
  g = d(last) - d(first) + e(first) / (g + r);
  sine = ones(1, 1, 'like', d);
  cosine = sine;
  p = zeros(1, 1, 'like', d);
  for i = last-1:-1:first
    f = sine * e(i);
    b = cosine * e(i);
    [cosine, sine, r] = upright_givens(g, f);
    e(i + 1) = r;
    g = d(i + 1) - p;
    r = (d(i) - g) * sine + 2 * cosine * b;
    p = sine * r;
    d(i + 1) = g + p;
    g = cosine * r - b;
    z = rotated(z, i, i + 1, cosine, sine);
  end
  d(first) = d(first) - p;
  e(first) = g;
  e(last) = 0;
end

% The rotation that takes [f; g] to [r; 0], with a cosine that is not negative.
function [cosine, sine, r] = upright_givens(f, g)
  r = sqrt(f * f + g * g);
  cosine = zeros(1, 1, 'like', f) + 1;
  sine = zeros(1, 1, 'like', f);
  if g ~= 0
    cosine = abs(f) / r;
    if f < 0, r = -r; end
    sine = g / r;
  else
    r = f;
  end
end

% The eigenvalues of [a, b; b, c], the one of larger magnitude first, and cosine and sine of the direction of its eigenvector.
function [large, small, cosine, sine] = two_by_two(a, b, c)
  total = a + c;
  difference = a - c;
  root = hypot(difference, 2 * b);
  far = a;
  near = c;
  if abs(a) <= abs(c)
    far = c;
    near = a;
  end
  if total == 0
    large = root / 2;
    small = -root / 2;
  else
    large = (total + merge(total < 0, -root, root)) / 2;
    small = (far / large) * near - (b / large) * b;
  end
  t = difference + merge(difference >= 0, root, -root);
  if abs(t) > abs(2 * b)
    t = -2 * b / t;
    sine = 1 / sqrt(1 + t * t);
    cosine = t * sine;
  elseif b == 0
    cosine = 1 + 0 * t;
    sine = 0 * t;
  else
    t = -t / (2 * b);
    cosine = 1 / sqrt(1 + t * t);
    sine = t * cosine;
  end
  if (total >= 0) == (difference >= 0)
    t = cosine;
    cosine = -sine;
    sine = t;
  end
end
