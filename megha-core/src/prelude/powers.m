% Roots, logarithms and powers of matrices.
%
% Roots by the triangular form (A. Bjorck and S. Hammarling, 1983), logarithms by repeated roots and an approximant of Pade (N. J. Higham,
% Functions of Matrices, 2008, algorithm 11.9), powers by eigenvalues, as Octave has them. They are computed on complex numbers; of a real
% matrix the result is real, and it is an error if it is not, unless a result of the program is declared complex.

function y = sqrtm(x)
  if size(x, 1) ~= size(x, 2)
    error('sqrtm: A must be a square matrix');
  end
  if is_scalar_type(x)
    y = sqrt(x);
  else
    [t, z] = cleaned_triangle(x);
    y = as_real_as(z * triangular_root(t) * z', x);
  end
end

function y = logm(x)
  if size(x, 1) ~= size(x, 2)
    error('logm: A must be a square matrix');
  end
  if is_scalar_type(x)
    y = log(x);
  else
    [t, z] = cleaned_triangle(x);
    y = as_real_as(z * triangular_logarithm(t) * z', x);
  end
end

% A ^ p for a p that is not whole.
function y = fractional_power(a, p)
  if size(a, 1) ~= size(a, 2)
    error('for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise power.');
  end
  [v, values] = complex_eigenvectors(a);
  values = values .^ p;
  y = as_real_as((v .* values.') / v, a);
end

% s ^ A
function y = power_of_number(s, a)
  if size(a, 1) ~= size(a, 2)
    error('for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise power.');
  end
  [v, values] = complex_eigenvectors(a);
  values = complex(s, 0) .^ values;
  y = as_real_as((v .* values.') / v, a);
end

% Rounding gives no real eigenvalue of a real matrix an imaginary part: on the negative axis its sign would decide.
function [t, z] = cleaned_triangle(x)
  [t, z] = complex_triangle(complex(x), true);
  if ~is_complex_type(x)
    n = size(t, 1);
    least = 10 * n * eps * max([abs(t(:)); 0], [], 1);
    for k = 1:n
      if abs(imag(t(k, k))) <= least, t(k, k) = complex(real(t(k, k)), 0); end
    end
  end
end

function y = as_real_as(z, x)
  if is_complex_type(x) || roots_are_complex()
    y = z;
  else
    if max([abs(imag(z(:))); 0], [], 1) > 1e-8 * max([abs(real(z(:))); 0], [], 1)
      error('the result of this function of a matrix is complex: give it complex(A), or declare the result complex');
    end
    y = real(z);
  end
end

function r = triangular_root(t)
  n = size(t, 1);
  r = complex(zeros(n, n));
  for j = 1:n
    r(j, j) = sqrt(t(j, j));
    for i = j-1:-1:1
      s = t(i, j);
      for k = i+1:j-1
        s = s - r(i, k) * r(k, j);
      end
      d = r(i, i) + r(j, j);
      if s ~= 0
        r(i, j) = s / d;
      end
    end
  end
end

function s = triangular_logarithm(t)
  n = size(t, 1);
  above = triu(t, 1);
  values = diag(t);
  if max([abs(above(:)); 0], [], 1) <= n * eps * max([abs(values); 0], [], 1)
    s = diag(log(values));
  else
    one = complex(eye(n));
    roots_taken = 0;
    while norm(t - one, 1) > 0.264 && roots_taken < 100
      t = triangular_root(t);
      roots_taken = roots_taken + 1;
    end
    t = t - one;
    % Gauss and Legendre's seven nodes and weights.
    node = [0.9491079123427585, 0.7415311855993945, 0.4058451513773972];
    weight = [0.1294849661688697, 0.2797053914892766, 0.3818300505051189];
    s = (0.4179591836734694 / 2) * (t / (one + 0.5 * t));
    for k = 1:3
      s = s + (weight(k) / 2) * (t / (one + ((1 - node(k)) / 2) * t) + t / (one + ((1 + node(k)) / 2) * t));
    end
    s = s * 2 ^ roots_taken;
  end
end
