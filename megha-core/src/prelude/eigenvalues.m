% Eigenvalues and eigenvectors of general matrices, and roots of polynomials.
%
% As LAPACK does it: balancing (Parlett and Reinsch 1969), Householder's reduction to Hessenberg form, Francis's implicit double
% steps with LAPACK's shifts and deflation (Ahues and Tisseur 1997), so the eigenvalues come in LAPACK's order. Complex matrices
% take single steps with Wilkinson's shift, symmetric ones implicit QL steps in tridiagonal form.
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

% A * v = B * v * d for a symmetric A and a positive definite B, whose factor takes it to an ordinary symmetric matrix. The vectors have
% the length one as B measures it.
function values = eigenvalues_of_pair(x, y)
  values = symmetric_eigenvalues(divided_pair(x, y));
end

function [v, d] = eigenvectors_of_pair(x, y)
  [w, values] = symmetric_eigenvectors(divided_pair(x, y));
  v = chol(y) \ w;
  d = diag(values);
end

function c = divided_pair(x, y)
  if is_complex_type(x) || is_complex_type(y), refuse('of two complex matrices there are no eigenvalues yet'); end
  if size(x, 1) ~= size(x, 2) || size(y, 1) ~= size(y, 2) || size(x, 1) ~= size(y, 1)
    error('eig: the matrices must be square and of one size');
  end
  [r, p] = chol(y);
  if ~symmetric(x) || ~symmetric(y) || p > 0
    error('eig: of two matrices the first must be symmetric, the second symmetric and positive definite; or use eig(inv(B) * A)');
  end
  r = chol(y);
  c = r' \ x / r;
  c = (c + c') / 2;
end

function [v, d] = eigen(x)
  if size(x, 1) ~= size(x, 2)
    error('eig: A must be a square matrix');
  end
  if any(any(~isfinite(x)))
    error('EIG: matrix contains Inf or NaN values');
  end
  if is_scalar_type(x)
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
    v = real_eigenvalues(x);
  else
    [v, values] = real_eigenvectors(x);
    d = diag(values);
  end
end

% Zeros before the first and behind the last other coefficient are no part of the companion matrix; the latter are roots.
function r = roots(p)
  if ~is_vector_type(p) && ~never_same_size(p, 0), refuse('the coefficients must be a vector'); end
  if any(~isfinite(p(:)))
    error('roots: inputs must not contain Inf or NaN');
  end
  n = numel(p);
  first = 1;
  while first < n && p(first) == 0
    first = first + 1;
  end
  last = n;
  while last > first && p(last) == 0
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

% Real eigenvalues of real matrices.
function values = real_eigenvalues(x)
  if symmetric(x)
    values = symmetric_eigenvalues(x);
  else
    n = size(x, 1);
    [x, scale, place, low, high] = balanced(x);
    x = reduced(x, zeros(1, 1), low, high, false);
    [x, z, values, im] = francis(x, zeros(1, 1), low, high, false);
    must_be_real(im);
  end
end

function [v, values] = real_eigenvectors(x)
  n = size(x, 1);
  if symmetric(x)
    [v, values] = symmetric_eigenvectors(x);
  else
    [x, scale, place, low, high] = balanced(x);
    [x, z] = reduced(x, eye(n), low, high, true);
    [x, z, values, im] = francis(x, z, low, high, true);
    must_be_real(im);
    v = unbalanced(z * triangle_vectors(x), scale, place, low, high);
    for j = 1:n
      v(:, j) = v(:, j) / sqrt(sum(v(:, j) .* v(:, j)));
    end
  end
end

function must_be_real(im)
  if any(im ~= 0)
    error('eig: these eigenvalues are complex: write eig(complex(A)), or declare the result complex');
  end
end

% Complex eigenvalues of real and complex matrices. Numbers without imaginary parts take the ways of real ones.
function values = complex_eigenvalues(x)
  n = size(x, 1);
  if isreal(x)
    a = real(x);
    if symmetric(a)
      values = complex(symmetric_eigenvalues(a));
    else
      [a, scale, place, low, high] = balanced(a);
      a = reduced(a, zeros(1, 1), low, high, false);
      [a, z, re, im] = francis(a, zeros(1, 1), low, high, false);
      values = complex(re, im);
    end
  else
    self_adjoint = hermitian(x);
    [t, z] = complex_triangle(complex(x), false);
    values = diag(t);
    if self_adjoint
      values = complex(sort(real(values), 1));
    end
  end
end

function [v, values] = complex_eigenvectors(x)
  n = size(x, 1);
  values = complex(zeros(n, 1));
  v = complex(zeros(n, n));
  if isreal(x)
    a = real(x);
    if symmetric(a)
      [w, re] = symmetric_eigenvectors(a);
      values = complex(re);
      v = complex(w);
    else
      [a, scale, place, low, high] = balanced(a);
      [a, w] = reduced(a, eye(n), low, high, true);
      [a, w, re, im] = francis(a, w, low, high, true);
      values = complex(re, im);
      [t, z] = without_blocks(complex(a), complex(w), im);
      v = unbalanced(z * triangle_vectors(t), scale, place, low, high);
      v = turned(v, im);
    end
  else
    self_adjoint = hermitian(x);
    [t, z] = complex_triangle(complex(x), true);
    values = diag(t);
    v = z * triangle_vectors(t);
    v = turned(v, ones(n, 1));
    if self_adjoint
      [re, order] = sort(real(values), 1);
      values = complex(re);
      v = v(:, order);
    end
  end
end

function answer = symmetric(x)
  answer = true;
  for j = 2:size(x, 1)
    for i = 1:j-1
      if x(i, j) ~= x(j, i), answer = false; end
    end
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

% Columns of length one. Where an eigenvalue is complex the largest element is real and positive.
function v = turned(v, im)
  n = size(v, 1);
  for j = 1:n
    size_of = sqrt(sum(abs(v(:, j)) .^ 2));
    at = 1;
    for i = 2:n
      if abs(v(i, j)) > abs(v(at, j)) * (1 + 1e-14), at = i; end
    end
    turn = complex(1 / size_of, 0);
    if im(j) ~= 0
      turn = conj(v(at, j)) / (abs(v(at, j)) * size_of);
    end
    for i = 1:n
      v(i, j) = v(i, j) * turn;
    end
    if im(j) ~= 0
      v(at, j) = complex(real(v(at, j)), 0);
    end
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
