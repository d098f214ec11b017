% Linear algebra beyond products and the solution of equations.

function d = det(x)
  if size(x, 1) ~= size(x, 2)
    error('det: A must be a square matrix');
  end
  if ~isfloat(x), x = double(x); end
  if is_scalar_type(x)
    d = x;
  else
    [x, order] = factored(x);
    d = convert_like(sign_of_order(order), x);
    for k = 1:size(x, 1)
      d = d * x(k, k);
    end
    d = d + 0; % never the negative zero
  end
end

% Minus one for each exchange that an order takes.
function d = sign_of_order(order)
  d = 1;
  for i = 1:numel(order)
    while order(i) ~= i
      k = order(i);
      order(i) = order(k);
      order(k) = k;
      d = -d;
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

% Both triangular factors in one matrix, and the order of its rows.
function [x, order] = factored(x)
  if is_complex_type(x)
    [x, order] = complex_factored(x);
  else
    n = size(x, 2);
    f = lu_factors(x);
    order = f(:, n + 1);
    x = convert_like(f(:, 1:n), x);
  end
end

% The same of complex matrices, column by column with sums of products and the pivot's reciprocal, as the library has it.
function [x, order] = complex_factored(x)
  m = size(x, 1);
  order = (1:m)';
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
  if ~isfloat(x), x = double(x); end
  if is_scalar_type(x)
    y = 1 / x;
  elseif ~is_complex_type(x)
    y = convert_like(inverse_matrix(x), x);
  else
    n = size(x, 1);
    y = inverse_matrix(real_form(x));
    y = complex(y(1:n, 1:n), y(n+1:2*n, 1:n));
  end
end

% Of a matrix that Octave stores as its diagonal: where an element of it is zero, the whole diagonal is infinite.
function y = inverse_of_diagonal(x)
  n = size(x, 1);
  if n ~= size(x, 2)
    error('inverse: argument must be a square matrix');
  end
  y = zeros(n, n, 'like', x);
  singular = false;
  null = true;
  for i = 1:n
    y(i, i) = 1 / x(i, i);
    singular = singular || x(i, i) == 0;
    null = null && x(i, i) == 0;
  end
  if null
    error('inverse of the null matrix not defined');
  end
  if singular
    for i = 1:n
      y(i, i) = Inf;
    end
  end
end

% With one result the factors share a matrix: U, and below its diagonal L without its ones.
function [l, u, p] = lu(x)
  if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
  if ~isfloat(x), x = double(x); end
  if is_scalar_type(x)
    l = ones(1, 1, 'like', x);
    u = x;
    p = 1;
    if nargout < 2, l = x; end
  elseif nargout < 2
    l = factored(x);
  else
    [l, u, p] = triangles(x, nargout == 2);
  end
end

function [l, u, p] = triangles(x, reordered)
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
  if reordered
    l = p' * l;
  end
end

% The upper factor, or with 'lower' its transpose. The second result is the number of the row where the matrix is found not to be
% positive definite, and the first the factor of what stands before it.
function [r, p] = chol(x, shape)
  if size(x, 1) ~= size(x, 2)
    error('chol: A must be a square matrix');
  end
  lower = false;
  if nargin > 1
    switch shape
      case 'lower'
        lower = true;
      case 'upper'
      otherwise
        refuse('the shape is lower or upper');
    end
  end
  if lower, x = x.'; end
  [r, p] = cholesky(x);
  if nargout > 1
    if p > 0
      r = r(1:p-1, 1:p-1);
    end
  elseif p > 0
    error('chol: input matrix must be positive definite');
  end
  if lower, r = r.'; end
end

function [r, p] = cholesky(x)
  p = 0;
  if is_scalar_type(x)
    r = x;
    if x > 0
      r = realsqrt(x);
    else
      p = 1;
    end
  else
    r = convert_like(cholesky_factor(x), x);
    for j = size(x, 1):-1:1
      if r(j, j) == 0, p = j; end
    end
  end
end

% Householder reflections with LAPACK's choice of signs.
function [q, r] = qr(x, economy)
  if nargout < 2, refuse('ask for [Q, R]'); end
  if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
  if ~isfloat(x), x = double(x); end
  if is_scalar_type(x)
    q = ones(1, 1, 'like', x);
    r = x;
  elseif nargin < 2
    [q, r] = reflected(x, size(x, 1));
  else
    [q, r] = reflected(x, min(size(x, 1), size(x, 2)));
  end
end

function [q, r] = reflected(x, columns)
  n = size(x, 2);
  f = qr_factors(x, columns);
  q = convert_like(f(:, 1:columns), x);
  r = convert_like(f(1:columns, columns+1:columns+n), x);
end

% exp of a matrix: scaling and squaring of the Pade approximant of order 13 (N. J. Higham, 2005), its only order here.
function y = expm(x)
  if is_scalar_type(x)
    y = exp(x);
  else
    if size(x, 1) ~= size(x, 2)
      error('expm: A must be a square matrix');
    end
    c = [64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, ...
      10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1];
    n = size(x, 1);
    squarings = max(0, ceil(log2(max([sum(abs(x), 1), 0], [], 2) / 5.371920351148152)));
    if squarings > 0
      x = x / 2 ^ squarings;
    end
    one = eye(n);
    x2 = x * x;
    x4 = x2 * x2;
    x6 = x4 * x2;
    u = x * (x6 * (c(14) * x6 + c(12) * x4 + c(10) * x2) + c(8) * x6 + c(6) * x4 + c(4) * x2 + c(2) * one);
    v = x6 * (c(13) * x6 + c(11) * x4 + c(9) * x2) + c(7) * x6 + c(5) * x4 + c(3) * x2 + c(1) * one;
    y = (v - u) \ (v + u);
    for k = 1:squarings
      y = y * y;
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

% A ^ k for a whole k, by squaring.
function p = whole_power(a, k)
  if k ~= fix(k)
    error('A^p with a p that only the run knows is compiled for whole p');
  end
  if k < 0
    a = inv(a);
    k = -k;
  end
  if k == 0
    p = eye(size(a));
  else
    p = a;
    k = k - 1;
    while k > 0
      if mod(k, 2) == 1
        p = p * a;
      end
      k = floor(k / 2);
      if k > 0
        a = a * a;
      end
    end
  end
end

% s / v of a number by a column: the shortest row x with x * v = s. Its elements are scaled, so that no square is lost.
function x = number_by_column(s, v)
  largest = max([0; abs(v)], [], 1);
  if largest == 0 || isinf(largest) && ~any(isnan(v), 1)
    x = zeros(1, size(v, 1));
  else
    v = v ./ largest;
    x = (s / largest / sum(v .^ 2, 1)) * v';
  end
end

% D * A and A * D of a square D that Octave stores as its diagonal: the zeros beside it meet no Inf and no NaN.
function y = diagonal_times(d, a)
  v = diagonal_of(d);
  y = v .* a;
end

function y = times_diagonal(a, d)
  v = diagonal_of(d);
  y = a .* v.';
end

function v = diagonal_of(d)
  n = size(d, 1);
  v = zeros(n, 1, 'like', d);
  for i = 1:n
    v(i) = d(i, i);
  end
end
