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

% Of an order that is not negative: Miller's backward recurrence, scaled by Neumann's sum, or for large arguments Hankel's expansion
% (W. Gautschi, 1967; M. Abramowitz and I. A. Stegun, 9.1.87 and 9.2.5).
function y = besselj(order, x)
  if is_scalar_type(order) && is_scalar_type(x)
    y = bessel_first(order, x);
  elseif is_scalar_type(order)
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = bessel_first(order, x(i));
    end
  elseif is_scalar_type(x)
    y = zeros(size(order));
    for i = 1:numel(order)
      y(i) = bessel_first(order(i), x);
    end
  else
    refuse('the order or the argument must be one number');
  end
end

function y = bessel_first(order, x)
  factor = 1;
  if order == fix(order) && mod(order, 2) ~= 0
    if order < 0, factor = -factor; end
    if x < 0, factor = -factor; end
  end
  if order ~= fix(order) && (order < 0 || x < 0)
    error('besselj: an order that is not whole is supported for orders and arguments that are not negative');
  end
  order = abs(order);
  x = abs(x);
  if x == 0
    y = double(order == 0);
  elseif x > max(25, order * order / 2)
    y = factor * bessel_far(order, x);
  else
    y = factor * bessel_near(order, x);
  end
end

function y = bessel_far(order, x)
  p = 1;
  q = 0;
  t = 1;
  k = 0;
  last = Inf;
  while abs(t) > 1e-17 && abs(t) < last && k < 100
    last = abs(t);
    k = k + 1;
    t = t * (4 * order * order - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    if abs(t) < last
      switch mod(k, 4)
        case 1
          q = q + t;
        case 2
          p = p - t;
        case 3
          q = q - t;
        otherwise
          p = p + t;
      end
    end
  end
  % The phase of a large argument, by the sum of angles so that no digit of x is lost.
  shift = (0.5 * order + 0.25) * pi;
  c = cos(x) * cos(shift) + sin(x) * sin(shift);
  s = sin(x) * cos(shift) - cos(x) * sin(shift);
  y = sqrt(2 / (pi * x)) * (p * c - q * s);
end

function y = bessel_near(order, x)
  n = floor(order);
  a = order - n;
  m = 2 * ceil((max(n, x) + 20 + 5 * sqrt(max(n, x))) / 2);
  above = 0;
  now = 1e-300;
  sum_of = 0;
  % The weight of the k-th even term is (a + 2k) gamma(a + k) / k!, by its recurrence downwards.
  k = m / 2;
  weight = exp(gammaln(a + k) - gammaln(k + 1));
  if m == 0, weight = 1; end
  y = 0;
  for i = m:-1:0
    if mod(i, 2) == 0
      k = i / 2;
      if k == 0
        if a == 0
          sum_of = sum_of + now;
        else
          sum_of = sum_of + gamma(a + 1) * now;
        end
      else
        sum_of = sum_of + (a + 2 * k) * weight * now;
        if k > 1, weight = weight * k / (a + k - 1); end
      end
    end
    if i == n, y = now; end
    if i > 0
      below = 2 * (a + i) / x * now - above;
      above = now;
      now = below;
      if abs(now) > 1e200
        now = now * 1e-200;
        above = above * 1e-200;
        sum_of = sum_of * 1e-200;
        y = y * 1e-200;
      end
    end
  end
  y = y / sum_of * (x / 2) ^ a;
end
