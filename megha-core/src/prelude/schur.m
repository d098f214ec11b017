% The triangular form of real matrices: Francis's implicit double steps.

% The eigenvalues of a Hessenberg matrix, whose rows before low and behind high are triangular. With vectors the whole matrix
% becomes triangular but for blocks of two rows that hold a complex pair, and z collects the reflections.
function [h, z, re, im] = francis(h, z, low, high, with_vectors)
  n = size(h, 1);
  re = diag(h);
  im = zeros(n, 1);
  last = high;
  steps = 0;
  while last >= low
    first = block_start(h, low, high, last);
    if first > low
      h(first, first - 1) = 0;
    end
    if first == last
      re(last) = h(last, last);
      last = last - 1;
      steps = 0;
    elseif first == last - 1
      [a, b, c, d, cosine, sine] = standard_block(h(last - 1, last - 1), h(last - 1, last), h(last, last - 1), h(last, last));
      if with_vectors
        h = turned_rows(h, last, cosine, sine);
        h = turned_columns(h, last, last - 2, cosine, sine);
        z = turned_columns(z, last, n, cosine, sine);
        h(last - 1, last - 1) = a;
        h(last - 1, last) = b;
        h(last, last - 1) = c;
        h(last, last) = d;
      end
      re(last - 1) = a;
      re(last) = d;
      if c ~= 0
        im(last - 1) = sqrt(abs(b)) * sqrt(abs(c));
        im(last) = -im(last - 1);
      end
      last = last - 2;
      steps = 0;
    else
      steps = steps + 1;
      if steps > 300
        error('eig: the iterations do not converge');
      end
      [h, z] = double_step(h, z, first, last, steps, with_vectors);
    end
  end
end

% The row where the last unreduced block begins: the subdiagonal element before it counts as zero.
function k = block_start(h, low, high, last)
  k = last;
  searching = true;
  while searching && k > low
    small = abs(h(k, k - 1));
    near = abs(h(k - 1, k - 1)) + abs(h(k, k));
    if near == 0
      if k - 2 >= low, near = near + abs(h(k - 1, k - 2)); end
      if k + 1 <= high, near = near + abs(h(k + 1, k)); end
    end
    if small <= 1e-292
      searching = false;
    elseif small <= eps * near
      ab = max(small, abs(h(k - 1, k)));
      ba = min(small, abs(h(k - 1, k)));
      aa = max(abs(h(k, k)), abs(h(k - 1, k - 1) - h(k, k)));
      bb = min(abs(h(k, k)), abs(h(k - 1, k - 1) - h(k, k)));
      s = aa + ab;
      searching = ba * (ab / s) > max(1e-292, eps * (bb * (aa / s)));
    end
    if searching, k = k - 1; end
  end
end

% Two shifts at once, in real arithmetic: the first reflection makes a bulge, the others chase it down.
function [h, z] = double_step(h, z, first, last, steps, with_vectors)
  n = size(h, 1);
  from = first;
  to = last;
  if with_vectors
    from = 1;
    to = n;
  end
  [r1, i1, r2, i2] = shifts(h, first, last, steps);
  m = last - 2;
  [p, q, r] = bulge(h, m, r1, i1, r2, i2);
  while m > first && ~(abs(h(m, m - 1)) * (abs(q) + abs(r)) <= eps * abs(p) * (abs(h(m - 1, m - 1)) + abs(h(m, m)) + abs(h(m + 1, m + 1))))
    m = m - 1;
    [p, q, r] = bulge(h, m, r1, i1, r2, i2);
  end
  for k = m:last-1
    three = k < last - 1;
    if k > m
      p = h(k, k - 1);
      q = h(k + 1, k - 1);
      r = 0;
      if three, r = h(k + 2, k - 1); end
    end
    below = sqrt(q * q + r * r);
    tau = 0;
    beta = p;
    if below > 0
      beta = -positive(p) * hypot(p, below);
      tau = (beta - p) / beta;
      q = q / (p - beta);
      r = r / (p - beta);
    else
      q = 0;
      r = 0;
    end
    if k > m
      h(k, k - 1) = beta;
      h(k + 1, k - 1) = 0;
      if three, h(k + 2, k - 1) = 0; end
    elseif m > first
      h(k, k - 1) = h(k, k - 1) * (1 - tau);
    end
    for j = k:to
      s = h(k, j) + q * h(k + 1, j);
      if three, s = s + r * h(k + 2, j); end
      h(k, j) = h(k, j) - s * tau;
      h(k + 1, j) = h(k + 1, j) - s * (tau * q);
      if three, h(k + 2, j) = h(k + 2, j) - s * (tau * r); end
    end
    h = reflected_columns(h, k, from, min(k + 3, last), tau, q, r, three);
    if with_vectors
      z = reflected_columns(z, k, 1, n, tau, q, r, three);
    end
  end
end

function h = reflected_columns(h, k, from, to, tau, q, r, three)
  for i = from:to
    s = h(i, k) + q * h(i, k + 1);
    if three, s = s + r * h(i, k + 2); end
    h(i, k) = h(i, k) - s * tau;
    h(i, k + 1) = h(i, k + 1) - s * (tau * q);
    if three, h(i, k + 2) = h(i, k + 2) - s * (tau * r); end
  end
end

% The eigenvalues of the last two rows; in each tenth step others, lest the iteration go round in a circle.
function [r1, i1, r2, i2] = shifts(h, first, last, steps)
  a = h(last - 1, last - 1);
  b = h(last - 1, last);
  c = h(last, last - 1);
  d = h(last, last);
  if mod(steps, 20) == 0
    s = abs(h(last, last - 1)) + abs(h(last - 1, last - 2));
    a = 0.75 * s + h(last, last);
    b = -0.4375 * s;
    c = s;
    d = a;
  elseif mod(steps, 10) == 0
    s = abs(h(first + 1, first)) + abs(h(first + 2, first + 1));
    a = 0.75 * s + h(first, first);
    b = -0.4375 * s;
    c = s;
    d = a;
  end
  s = abs(a) + abs(b) + abs(c) + abs(d);
  r1 = 0;
  i1 = 0;
  r2 = 0;
  i2 = 0;
  if s > 0
    a = a / s;
    b = b / s;
    c = c / s;
    d = d / s;
    middle = (a + d) / 2;
    determinant = (a - middle) * (d - middle) - b * c;
    root = sqrt(abs(determinant));
    if determinant >= 0
      r1 = middle * s;
      r2 = r1;
      i1 = root * s;
      i2 = -i1;
    else
      r1 = middle + root;
      r2 = middle - root;
      if abs(r1 - d) <= abs(r2 - d)
        r1 = r1 * s;
        r2 = r1;
      else
        r2 = r2 * s;
        r1 = r2;
      end
    end
  end
end

% The direction of the first reflection if the step begins at row m.
function [p, q, r] = bulge(h, m, r1, i1, r2, i2)
  s = abs(h(m, m) - r2) + abs(i2) + abs(h(m + 1, m));
  c = h(m + 1, m) / s;
  p = c * h(m, m + 1) + (h(m, m) - r1) * ((h(m, m) - r2) / s) - i1 * (i2 / s);
  q = c * (h(m, m) + h(m + 1, m + 1) - r1 - r2);
  r = c * h(m + 2, m + 1);
  s = abs(p) + abs(q) + abs(r);
  p = p / s;
  q = q / s;
  r = r / s;
end

% The rotation that makes a block of two rows triangular, or its diagonal equal if it holds a complex pair, and the block then.
function [a, b, c, d, cosine, sine] = standard_block(a, b, c, d)
  cosine = 1;
  sine = 0;
  if c == 0
  elseif b == 0
    cosine = 0;
    sine = 1;
    t = d;
    d = a;
    a = t;
    b = -c;
    c = 0;
  elseif a - d == 0 && positive(b) ~= positive(c)
  else
    difference = a - d;
    p = 0.5 * difference;
    most = max(abs(b), abs(c));
    least = min(abs(b), abs(c)) * positive(b) * positive(c);
    scale = max(abs(p), most);
    z = (p / scale) * p + (most / scale) * least;
    if z >= 4 * eps
      z = p + positive(p) * sqrt(scale) * sqrt(z);
      a = d + z;
      d = d - (most / z) * least;
      tau = hypot(c, z);
      cosine = z / tau;
      sine = c / tau;
      b = b - c;
      c = 0;
    else
      s = b + c;
      tau = hypot(s, difference);
      cosine = sqrt(0.5 * (1 + abs(s) / tau));
      sine = -(p / (tau * cosine)) * positive(s);
      aa = a * cosine + b * sine;
      bb = -a * sine + b * cosine;
      cc = c * cosine + d * sine;
      dd = -c * sine + d * cosine;
      a = aa * cosine + cc * sine;
      b = bb * cosine + dd * sine;
      c = -aa * sine + cc * cosine;
      d = -bb * sine + dd * cosine;
      middle = 0.5 * (a + d);
      a = middle;
      d = middle;
      if c ~= 0 && b == 0
        b = -c;
        c = 0;
        t = cosine;
        cosine = -sine;
        sine = t;
      elseif c ~= 0 && positive(b) == positive(c)
        p = positive(c) * sqrt(abs(b)) * sqrt(abs(c));
        tau = 1 / sqrt(abs(b + c));
        cosine2 = sqrt(abs(b)) * tau;
        sine2 = sqrt(abs(c)) * tau;
        a = middle + p;
        d = middle - p;
        b = b - c;
        c = 0;
        t = cosine * cosine2 - sine * sine2;
        sine = cosine * sine2 + sine * cosine2;
        cosine = t;
      end
    end
  end
end

function h = turned_rows(h, last, cosine, sine)
  for j = last+1:size(h, 2)
    t = cosine * h(last - 1, j) + sine * h(last, j);
    h(last, j) = cosine * h(last, j) - sine * h(last - 1, j);
    h(last - 1, j) = t;
  end
end

function h = turned_columns(h, last, rows, cosine, sine)
  for i = 1:rows
    t = cosine * h(i, last - 1) + sine * h(i, last);
    h(i, last) = cosine * h(i, last) - sine * h(i, last - 1);
    h(i, last - 1) = t;
  end
end
