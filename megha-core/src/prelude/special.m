% Special functions of real numbers.

% The derivative of the logarithm of gamma: its asymptotic series after the recurrence has led to large arguments, and the reflection
% below zero (M. Abramowitz and I. A. Stegun, 6.3).
function y = psi(x)
  if is_scalar_type(x)
    y = digamma(x);
  else
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = digamma(x(i));
    end
  end
end

function y = digamma(x)
  y = 0;
  if x <= 0 && x == fix(x)
    y = -Inf;
  else
    if x < 0
      y = -pi / tan(pi * x);
      x = 1 - x;
    end
    while x < 12
      y = y - 1 / x;
      x = x + 1;
    end
    r = 1 / (x * x);
    series = r * (1/12 - r * (1/120 - r * (1/252 - r * (1/240 - r * (1/132 - r * (691/32760 - r / 12))))));
    y = y + log(x) - 0.5 / x - series;
  end
end

% Incomplete gamma functions: the series below a + 1, above it the continued fraction by Lentz's method (M. Abramowitz and I. A.
% Stegun, 6.5.29 and 6.5.31).
function y = gammainc(x, a, tail)
  if nargin < 3, tail = 'lower'; end
  upper = is_upper(tail);
  if is_scalar_type(x) && is_scalar_type(a)
    y = part_of_gamma(x, a, upper);
  else
    if is_scalar_type(x), x = x + zeros(size(a)); end
    if is_scalar_type(a), a = a + zeros(size(x)); end
    if ~all(size(x) == size(a)), error('gammainc: X and A must be of common size or scalars'); end
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = part_of_gamma(x(i), a(i), upper);
    end
  end
end

function y = part_of_gamma(x, a, upper)
  if a < 0, error('gammainc: A must be non-negative'); end
  if x < 0, error('gammainc: a negative X is not supported'); end
  if isnan(x) || isnan(a)
    y = NaN;
  elseif a == 0 || x == Inf
    y = 1 - upper;
  elseif x == 0 || a == Inf
    y = double(upper);
  else
    if a < 50 && x < 500
      scale = exp(-x) * x ^ a / gamma(a + 1);
    else
      scale = exp(a * log(x) - x - log_gamma(a + 1));
    end
    if x < a + 1
      t = 1;
      y = 1;
      k = a;
      while t > 1e-17 * y
        k = k + 1;
        t = t * x / k;
        y = y + t;
      end
      y = scale * y;
      if upper, y = 1 - y; end
    else
      b = x + 1 - a;
      c = 1e300;
      d = 1 / b;
      y = d;
      k = 0;
      change = 0;
      while abs(change - 1) > 1e-16 && k < 100000
        k = k + 1;
        p = -k * (k - a);
        b = b + 2;
        d = 1 / (p * d + b);
        c = b + p / c;
        change = d * c;
        y = y * change;
      end
      y = scale * a * y;
      if ~upper, y = 1 - y; end
    end
  end
end

function upper = is_upper(tail)
  if ~(strcmp(tail, 'lower') || strcmp(tail, 'upper')), refuse('the tail is lower or upper'); end
  upper = strcmp(tail, 'upper');
end

% The incomplete beta function: the continued fraction 26.5.8 of M. Abramowitz and I. A. Stegun by Lentz's method.
function y = betainc(x, a, b, tail)
  if nargin < 4, tail = 'lower'; end
  upper = is_upper(tail);
  if is_scalar_type(x) && is_scalar_type(a) && is_scalar_type(b)
    y = part_of_beta(x, a, b, upper);
  else
    if is_scalar_type(x), x = x + zeros(size(a)) + zeros(size(b)); end
    if is_scalar_type(a), a = a + zeros(size(x)); end
    if is_scalar_type(b), b = b + zeros(size(x)); end
    if ~all(size(x) == size(a)) || ~all(size(x) == size(b))
      error('betainc: X, A, and B must have consistent sizes');
    end
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = part_of_beta(x(i), a(i), b(i), upper);
    end
  end
end

function y = part_of_beta(x, a, b, upper)
  if x < 0 || x > 1, error('betainc: X must be in the range [0, 1]'); end
  if a <= 0, error('betainc: A must be strictly positive'); end
  if b <= 0, error('betainc: B must be strictly positive'); end
  if isnan(x) || isnan(a) || isnan(b)
    y = NaN;
  elseif x == 0 || x == 1
    y = double((x == 1) ~= upper);
  else
    if a + b < 100
      scale = x ^ a * (1 - x) ^ b * (gamma(a + b) / gamma(a) / gamma(b));
    else
      scale = exp(a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b));
    end
    if x < (a + 1) / (a + b + 2)
      y = scale * fraction_of_beta(x, a, b) / a;
      if upper, y = 1 - y; end
    else
      y = scale * fraction_of_beta(1 - x, b, a) / b;
      if ~upper, y = 1 - y; end
    end
  end
end

function y = fraction_of_beta(x, a, b)
  c = 1;
  d = 1 / (1 - (a + b) * x / (a + 1));
  y = d;
  k = 0;
  change = 0;
  while abs(change - 1) > 1e-16 && k < 10000
    k = k + 1;
    p = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    d = 1 / (1 + p * d);
    c = 1 + p / c;
    y = y * d * c;
    p = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
    d = 1 / (1 + p * d);
    c = 1 + p / c;
    change = d * c;
    y = y * change;
  end
end

% The exponential integral E1: its series up to one, then its continued fraction (M. Abramowitz and I. A. Stegun, 5.1.11, 5.1.22).
function y = expint(x)
  if is_scalar_type(x)
    y = exponential_integral(x);
  else
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = exponential_integral(x(i));
    end
  end
end

function y = exponential_integral(x)
  if x < 0, error('expint: the result for a negative argument is complex'); end
  if isnan(x)
    y = NaN;
  elseif x == Inf
    y = 0;
  elseif x <= 1
    y = -0.57721566490153286061 - log(x);
    t = -1;
    for k = 1:25
      t = -t * x / k;
      y = y + t / k;
    end
  else
    b = x + 1;
    c = 1e300;
    d = 1 / b;
    y = d;
    k = 0;
    change = 0;
    while abs(change - 1) > 1e-16 && k < 10000
      k = k + 1;
      b = b + 2;
      d = 1 / (b - k * k * d);
      c = b - k * k / c;
      change = c * d;
      y = y * change;
    end
    y = y * exp(-x);
  end
end

% The complete elliptic integrals, by the arithmetic-geometric mean (M. Abramowitz and I. A. Stegun, 17.6).
function [k, e] = ellipke(m)
  if any(m(:) > 1), error('ellipke: all elements of M must be <= 1'); end
  one = m == 1;
  q = merge(one, 0, m);
  a = ones(size(m));
  b = sqrt(1 - q);
  s = q / 2;
  for step = 1:10
    c = (a - b) / 2;
    d = (a + b) / 2;
    b = sqrt(a .* b);
    a = d;
    s = s + 2 ^ (step - 1) * c .* c;
  end
  k = merge(one, Inf, pi / 2 ./ a);
  e = merge(one, 1, pi / 2 ./ a .* (1 - s));
end

% exp(x^2) erfc(x): for larger arguments its continued fraction (M. Abramowitz and I. A. Stegun, 7.1.14), from the end.
function y = erfcx(x)
  far = x > 2;
  z = merge(far, x, 3);
  t = z;
  for k = 60:-1:1
    t = z + k / 2 ./ t;
  end
  near = merge(far, 0, x);
  y = merge(far, 1 ./ (sqrt(pi) * t), exp(near .* near) .* erfc(near));
end

% Like erfinv, from the small end.
function x = erfcinv(y)
  p = merge(y > 1, 2 - y, y);
  a = merge(p > 0 & p <= 1, p, 1);
  l = log(a .* (2 - a));
  b = 2 / (pi * 0.147) + l / 2;
  x = sqrt(sqrt(b .* b - l / 0.147) - b);
  for step = 1:3
    e = (a - erfc(x)) .* exp(x .* x) * (sqrt(pi) / 2);
    x = x - e ./ (1 + x .* e);
  end
  x = merge(p == 0, Inf, merge(p > 0 & p <= 1, x, NaN)) .* merge(y > 1, -1, 1);
end

% Legendre functions of degree n and all orders up to it, a row for each, by the recurrence of the degrees.
function p = legendre(n, x, kind)
  if nargin < 3, kind = 'unnorm'; end
  if n < 0 || n ~= fix(n), error('legendre: N must be a real non-negative integer'); end
  if any(x(:) < -1 | x(:) > 1)
    error('legendre: X must be real-valued vector in the range -1 <= X <= 1');
  end
  if ~is_vector_type(x), refuse('the arguments must be a vector'); end
  points = numel(x);
  p = zeros(n + 1, points);
  switch kind
    case 'unnorm'
      start = 1;
      plain = true;
    case 'norm'
      start = sqrt(n + 0.5);
      plain = false;
    case 'sch'
      start = sqrt(2);
      plain = false;
    otherwise
      refuse('the normalisation is unnorm, norm or sch');
  end
  for j = 1:points
    t = x(j);
    scale = start;
    for m = 1:n
      below = scale;
      here = (2 * m - 1) * t * scale;
      for k = m+1:n
        next = ((2 * k - 1) * t * here - (k + m - 2) * below) / (k - m + 1);
        below = here;
        here = next;
      end
      p(m, j) = here;
      if plain
        scale = -scale * (2 * m - 1);
      else
        scale = scale * (2 * m - 1) / sqrt((n - m + 1) * (n + m));
      end
      scale = scale * sqrt(1 - t * t);
    end
    p(n + 1, j) = scale;
    if strcmp(kind, 'sch')
      p(1, j) = p(1, j) / sqrt(2);
    end
  end
end
