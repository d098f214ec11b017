% Eigenvalues and eigenvectors of symmetric matrices: Householder's reduction to tridiagonal form, then implicit QL steps
% (Golub and Van Loan, Matrix Computations, 4th edition, 8.3).

% Ascending eigenvalues.
function values = symmetric_eigenvalues(x)
  [y, factor] = moderate(x);
  values = convert_like(eigenvalue_column(y), x) * factor;
  if any(isnan(values))
    error('eig: the iterations do not converge');
  end
end

% In each eigenvector the element of the largest magnitude is positive.
function [v, values] = symmetric_eigenvectors(x)
  [x, factor] = moderate(x);
  [x, d, e, scale] = tridiagonal(x);
  [d, v] = implicit_ql(d, e, product_of_reflections(x, scale, 1, size(x, 1)));
  [values, order] = sort(d, 1);
  values = values * factor;
  v = largest_positive(v(:, order));
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
      if x(k + 1, k) > 0, e(k) = -e(k); end
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
  for first = 1:n
    steps = 0;
    last = first + 1;
    while last > first
      last = first;
      while last < n && abs(d(last)) + abs(d(last + 1)) + abs(e(last)) ~= abs(d(last)) + abs(d(last + 1))
        last = last + 1;
      end
      if last > first
        steps = steps + 1;
        if steps > 100
          error('eig: the iterations do not converge');
        end
        [d, e, z] = ql_step(d, e, z, first, last);
      end
    end
  end
end

% One step with Wilkinson's shift on the rows first to last, from the last to the first.
function [d, e, z] = ql_step(d, e, z, first, last)
  g = (d(first + 1) - d(first)) / (2 * e(first));
  r = hypot(g, 1);
  if g < 0, r = -r; end
  g = d(last) - d(first) + e(first) / (g + r);
  sine = ones(1, 1, 'like', d);
  cosine = sine;
  p = zeros(1, 1, 'like', d);
  for i = last-1:-1:first
    f = sine * e(i);
    b = cosine * e(i);
    [cosine, sine, r] = givens(g, f);
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
