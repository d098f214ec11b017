% The triangular form of complex matrices.

% The triangular form of a complex matrix: first that of Hessenberg, by rotations.
function [t, z] = complex_triangle(t, with_vectors)
  n = size(t, 1);
  z = complex(zeros(1, 1));
  if with_vectors
    z = complex(eye(n));
  end
  for k = 1:n-2
    for i = n:-1:k+2
      p = t(i - 1, k);
      q = t(i, k);
      s = hypot(abs(p), abs(q));
      if abs(q) > 0
        [t, z] = full_rotation(t, z, i - 1, p / s, q / s, with_vectors);
        t(i, k) = 0;
      end
    end
  end
  last = n;
  steps = 0;
  while last > 1
    first = last;
    while first > 1 && abs(t(first, first - 1)) > eps * (abs(t(first - 1, first - 1)) + abs(t(first, first)))
      first = first - 1;
    end
    if first > 1
      t(first, first - 1) = 0;
    end
    if first == last
      last = last - 1;
      steps = 0;
    else
      steps = steps + 1;
      if steps > 300
        error('eig: the iterations do not converge');
      end
      [t, z] = single_step(t, z, first, last, steps, with_vectors);
    end
  end
end

function [t, z] = full_rotation(t, z, k, c, s, with_vectors)
  n = size(t, 1);
  for j = 1:n
    a = t(k, j);
    b = t(k + 1, j);
    t(k, j) = conj(c) * a + conj(s) * b;
    t(k + 1, j) = c * b - s * a;
  end
  for i = 1:n
    a = t(i, k);
    b = t(i, k + 1);
    t(i, k) = a * c + b * s;
    t(i, k + 1) = b * conj(c) - a * conj(s);
  end
  if with_vectors
    for i = 1:n
      a = z(i, k);
      b = z(i, k + 1);
      z(i, k) = a * c + b * s;
      z(i, k + 1) = b * conj(c) - a * conj(s);
    end
  end
end

% One implicit step with the eigenvalue of the last two rows that is nearer to the last element.
function [t, z] = single_step(t, z, first, last, steps, with_vectors)
  a = t(last - 1, last - 1);
  d = t(last, last);
  p = (a - d) / 2;
  w = sqrt(p * p + t(last - 1, last) * t(last, last - 1));
  if abs(p + w) < abs(p - w)
    w = -w;
  end
  shift = d;
  if abs(p + w) > 0
    shift = d - t(last - 1, last) * t(last, last - 1) / (p + w);
  end
  if mod(steps, 10) == 0
    shift = d + 0.75 * abs(t(last, last - 1));
  end
  p = t(first, first) - shift;
  q = t(first + 1, first);
  for k = first:last-1
    if k > first
      p = t(k, k - 1);
      q = t(k + 1, k - 1);
    end
    s = hypot(abs(p), abs(q));
    if s > 0
      [t, z] = full_rotation(t, z, k, p / s, q / s, with_vectors);
      if k > first
        t(k + 1, k - 1) = 0;
      end
    end
  end
end
