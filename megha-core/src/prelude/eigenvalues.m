% Eigenvalues and eigenvectors, and roots of polynomials.
%
% Those of real matrices are operations of the library. Complex matrices take single steps with Wilkinson's shift.
%
% The class is static. Eigenvalues of a real matrix are real numbers, and it is an error if they are not, unless a result of the
% program is declared complex or it asks only for their magnitudes and parts (`lower/parts.rs`); those of a complex matrix, complex(A),
% and all roots are complex numbers.

function [v, d] = eig(x, y)
  if nargin > 1
    if nargout < 2
      v = eigenvalues_of_pair(x, y);
    else
      [v, d] = eigenvectors_of_pair(x, y);
    end
  elseif is_single(x)
    if nargout < 2
      v = single(eigen(double(x)));
    else
      [v, d] = eigen(double(x));
      v = single(v);
      d = single(d);
    end
  elseif nargout < 2
    v = eigen(x);
  else
    [v, d] = eigen(x);
  end
end

% A * v = B * v * d.
function values = eigenvalues_of_pair(x, y)
  as_complex = is_complex_type(x) || is_complex_type(y) || roots_are_complex();
  [x, y] = pair_of_sizes(x, y);
  if is_constant(size(x, 1)) && size(x, 1) == 0
    values = zeros(0, 0, 'like', x);
  elseif is_scalar_type(x)
    values = x / y;
  elseif as_complex
    parts = eigenvalue_parts(x, y);
    values = complex(parts(:, 1), parts(:, 2));
  else
    parts = eigenvalue_parts(x, y);
    must_be_real(parts(:, 2));
    values = parts(:, 1);
  end
end

function [v, d] = eigenvectors_of_pair(x, y)
  as_complex = is_complex_type(x) || is_complex_type(y) || roots_are_complex();
  [x, y] = pair_of_sizes(x, y);
  n = size(x, 1);
  if is_scalar_type(x)
    v = merge(y > 0, 1 / sqrt(abs(y)), merge(y < 0, -1, 1));
    d = x / y;
  elseif as_complex
    parts = eigenvector_parts(x, y);
    v = complex(parts(:, 1:n), parts(:, n+1:2*n));
    d = diag(complex(parts(:, 2 * n + 1), parts(:, 2 * n + 2)));
  else
    parts = eigenvector_parts(x, y);
    must_be_real(parts(:, 2 * n + 2));
    v = parts(:, 1:n);
    d = diag(parts(:, 2 * n + 1));
  end
end

% Real matrices of equal sizes, which they have to have.
function [x, y] = pair_of_sizes(x, y)
  if ~isreal(x) || ~isreal(y), error('eig: of two complex matrices there are no eigenvalues yet'); end
  if size(x, 1) ~= size(x, 2)
    error('eig: A must be a square matrix');
  end
  if size(y, 1) ~= size(y, 2)
    error('eig: B must be a square matrix');
  end
  if size(x, 1) ~= size(y, 1)
    error('EIG requires same size matrices');
  end
  if any(~isfinite(x(:))) || any(~isfinite(y(:)))
    error('EIG: matrix contains Inf or NaN values');
  end
  x = real(x);
  y = reshape(real(y), size(x, 1), size(x, 2));
end

function [v, d] = eigen(x)
  n = size(x, 1);
  if size(x, 1) ~= size(x, 2)
    error('eig: A must be a square matrix');
  end
  if any(any(~isfinite(x)))
    error('EIG: matrix contains Inf or NaN values');
  end
  if is_constant(n) && n == 0
    v = zeros(0, 0, 'like', x);
    d = v;
  elseif is_scalar_type(x)
    if nargout < 2
      v = x;
    else
      v = 1;
      d = x;
    end
  elseif is_complex_type(x) || roots_are_complex()
    if nargout < 2
      v = complex_eigenvalues(x);
    else
      [v, values] = complex_eigenvectors(x);
      d = diag(values);
    end
  elseif nargout < 2
    v = real_column(eigenvalue_parts(x), 1);
  else
    parts = eigenvector_parts(x);
    d = diag(real_column(parts, 2 * n + 1));
    v = parts(:, 1:n);
  end
end

% Eigenvalues whose imaginary parts are the column after them, and have to be zero.
function values = real_column(parts, k)
  parts = converged(parts);
  must_be_real(parts(:, k + 1));
  values = parts(:, k);
end

function must_be_real(im)
  if any(im ~= 0)
    error('eig: these eigenvalues are complex: write eig(complex(A)), or declare the result complex');
  end
end

function parts = converged(parts)
  if any(isnan(parts(:)))
    error('eig: the iterations do not converge');
  end
end

% Coefficients that vanish beside the largest one count as zero. Zeros before the first and behind the last other coefficient are no
% part of the companion matrix; the latter are roots.
function r = roots(p)
  if ~is_vector_type(p) && ~never_same_size(p, 0), refuse('the coefficients must be a vector'); end
  if any(~isfinite(p(:)))
    error('roots: inputs must not contain Inf or NaN');
  end
  n = numel(p);
  most = max([abs(p(:)); 0], [], 1);
  first = 1;
  while first < n && vanishes(p(first), most)
    first = first + 1;
  end
  last = n;
  while last > first && vanishes(p(last), most)
    last = last - 1;
  end
  m = last - first;
  r = complex(zeros(max(n - first, 0), 1));
  if m > 0
    a = zeros(m, m, 'like', p);
    for k = 1:m
      a(1, k) = -p(first + k) / p(first);
    end
    for k = 2:m
      a(k, k - 1) = 1;
    end
    values = complex_eigenvalues(a);
    for k = 1:m
      r(k) = values(k);
    end
  end
end

function answer = vanishes(x, most)
  answer = x == 0 || abs(x) / most == 0;
end

% Complex eigenvalues of real and complex matrices. Numbers without imaginary parts take the ways of real ones.
function values = complex_eigenvalues(x)
  if isreal(x)
    parts = converged(eigenvalue_parts(real(x)));
    values = complex(parts(:, 1), parts(:, 2));
  else
    values = triangular_eigenvalues(x);
  end
end

function [v, values] = complex_eigenvectors(x)
  if isreal(x)
    n = size(x, 1);
    parts = converged(eigenvector_parts(real(x)));
    v = complex(parts(:, 1:n), parts(:, n+1:2*n));
    values = complex(parts(:, 2 * n + 1), parts(:, 2 * n + 2));
  else
    [v, values] = triangular_eigenvectors(x);
  end
end

function values = triangular_eigenvalues(x)
  self_adjoint = hermitian(x);
  [t, z] = complex_triangle(complex(x), false);
  values = diag(t);
  if self_adjoint
    values = complex(sort(real(values), 1));
  end
end

function [v, values] = triangular_eigenvectors(x)
  self_adjoint = hermitian(x);
  [t, z] = complex_triangle(complex(x), true);
  values = diag(t);
  v = turned(z * triangle_vectors(t));
  if self_adjoint
    [re, order] = sort(real(values), 1);
    values = complex(re);
    v = v(:, order);
  end
end

function answer = hermitian(x)
  answer = true;
  for j = 1:size(x, 1)
    for i = 1:j
      if x(i, j) ~= conj(x(j, i)), answer = false; end
    end
  end
end

% Columns of length one, whose largest element is real and positive.
function v = turned(v)
  n = size(v, 1);
  for j = 1:n
    size_of = sqrt(sum(abs(v(:, j)) .^ 2));
    at = 1;
    for i = 2:n
      if abs(v(i, j)) > abs(v(at, j)) * (1 + 1e-14), at = i; end
    end
    turn = conj(v(at, j)) / (abs(v(at, j)) * size_of);
    for i = 1:n
      v(i, j) = v(i, j) * turn;
    end
    v(at, j) = complex(real(v(at, j)), 0);
  end
end

% Eigenvectors of a triangular matrix, by substitution. Equal eigenvalues are moved apart by a rounding error.
function y = triangle_vectors(t)
  n = size(t, 1);
  y = zeros(n, n, 'like', t);
  for k = 1:n
    y(k, k) = 1;
    least = max(eps * abs(t(k, k)), 1e-292);
    for i = k-1:-1:1
      s = zeros(1, 1, 'like', t);
      for j = i+1:k
        s = s - t(i, j) * y(j, k);
      end
      d = t(i, i) - t(k, k);
      if abs(d) < least
        d = zeros(1, 1, 'like', t) + least;
      end
      y(i, k) = s / d;
    end
  end
end
