% Bessel functions of the first and second kind, of real orders and arguments.

% Of an order that is not negative: Miller's backward recurrence, scaled by Neumann's sum, or for large arguments Hankel's expansion
% (W. Gautschi, 1967; M. Abramowitz and I. A. Stegun, 9.1.87 and 9.2.5).
function y = besselj(order, x, scaled)
  % Real arguments need no scale.
  if is_scalar_type(order) && is_scalar_type(x)
    y = bessel_first(order, x);
  else
    [order, x] = each_with_each(order, x);
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = bessel_first(order(i), x(i));
    end
  end
end

function y = bessely(order, x, scaled)
  if is_scalar_type(order) && is_scalar_type(x)
    y = bessel_second(order, x);
  else
    [order, x] = each_with_each(order, x);
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = bessel_second(order(i), x(i));
    end
  end
end

function h = besselh(order, kind, x)
  if nargin < 3
    h = complex(besselj(order, kind), bessely(order, kind));
  elseif is_constant(kind)
    if kind == 1
      h = complex(besselj(order, x), bessely(order, x));
    elseif kind == 2
      h = complex(besselj(order, x), -bessely(order, x));
    else
      error('besselh: K must be 1 or 2');
    end
  else
    refuse('the kind must be 1 or 2');
  end
end

% A row of orders and a column of arguments give a table; else sizes are those of the array, or of both.
function [order, x] = each_with_each(order, x)
  if is_scalar_type(order)
    order = order + zeros(size(x));
  elseif is_scalar_type(x)
    x = x + zeros(size(order));
  else
    both = zeros(size(order)) + zeros(size(x));
    order = order + both;
    x = x + both;
  end
end

function y = bessel_first(order, x)
  factor = 1;
  if order == fix(order) && mod(order, 2) ~= 0
    if order < 0, factor = -factor; end
    if x < 0, factor = -factor; end
  end
  if order ~= fix(order) && x < 0
    error('besselj: the result for an order that is not whole and a negative argument is complex');
  end
  if order ~= fix(order) && order < 0
    [y, second] = ordinary_pair(-order, x);
    y = cos_of_turns(order) * y + sin_of_turns(order) * second;
  else
    y = factor * first_of_positive(abs(order), abs(x));
  end
end

function y = first_of_positive(order, x)
  if x == 0
    y = double(order == 0);
  elseif x > max(25, order * order / 2)
    y = bessel_far(order, x);
  else
    y = bessel_near(order, x);
  end
end

function y = bessel_second(order, x)
  if x < 0
    error('bessely: the result for a negative argument is complex');
  end
  if order >= 0
    [first, y] = ordinary_pair(order, x);
  else
    [first, y] = ordinary_pair(-order, x);
    y = cos_of_turns(order) * y;
    if order ~= fix(order), y = y - sin_of_turns(order) * first; end
  end
end

% Of an angle in half turns, exact for whole ones and halves.
function y = sin_of_turns(x)
  y = sin(pi * mod(x, 2));
  if x == fix(x), y = 0; end
end

function y = cos_of_turns(x)
  y = cos(pi * mod(x, 2));
  if x - 0.5 == fix(x - 0.5), y = 0; end
end

function [y, z] = bessel_far(order, x)
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
  z = sqrt(2 / (pi * x)) * (p * s + q * c);
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
  weight = exp(log_gamma(a + k) - log_gamma(k + 1));
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

% The second kind by N. M. Temme (J. Comput. Phys. 19, 1975): its series for small arguments, the continued fraction of J. Steed
% (A. R. Barnett et al., Comput. Phys. Commun. 8, 1974) for others, then recurrence upwards from an order of at most one half.
function [j, y] = ordinary_pair(order, x)
  if order == Inf || isnan(order) || isnan(x)
    j = NaN;
    y = NaN;
  elseif x == 0
    j = double(order == 0);
    y = -Inf;
  elseif x > max(25, order * order / 2)
    [j, y] = bessel_far(order, x);
  else
    j = bessel_near(order, x);
    n = floor(order + 0.5);
    m = order - n;
    if x < 2
      [y, after] = second_of_small(m, x);
    else
      [y, after] = second_by_fraction(m, x);
    end
    for k = 1:n
      before = y;
      y = after;
      after = 2 * (m + k) / x * y - before;
    end
  end
end

% The functions of orders m and m + 1.
function [y, next] = second_of_small(m, x)
  [even, odd, above, below] = parts_of_gamma(m);
  d = log(2 / x);
  e = m * d;
  turn = angle_over_sine(pi * m);
  f = 2 / pi * turn * (odd * cosh(e) + even * ratio_of_sinh(e) * d);
  p = exp(e) / (pi * above);
  q = exp(-e) / (pi * below);
  r = pi * sin(pi * m / 2) / angle_over_sine(pi * m / 2);
  c = 1;
  s = f + r * q;
  t = p;
  k = 0;
  change = Inf;
  while abs(change) > 1e-17 * (1 + abs(s)) && k < 200
    k = k + 1;
    f = (k * f + p + q) / (k * k - m * m);
    c = -c * x * x / 4 / k;
    p = p / (k - m);
    q = q / (k + m);
    change = c * (f + r * q);
    s = s + change;
    t = t + c * p - k * change;
  end
  y = -s;
  next = -2 * t / x;
end

function [y, next] = second_by_fraction(m, x)
  % p + iq of Steed's second fraction, by Lentz's method; with the logarithmic derivative of the first kind it gives the rest.
  a = 0.25 - m * m;
  p = -0.5 / x;
  q = 1;
  br = 2 * x;
  bi = 2;
  f = a / x / (p * p + q * q);
  cr = br + q * f;
  ci = bi + p * f;
  n = br * br + bi * bi;
  dr = br / n;
  di = -bi / n;
  er = cr * dr - ci * di;
  ei = cr * di + ci * dr;
  f = p * er - q * ei;
  q = p * ei + q * er;
  p = f;
  k = 2;
  while abs(er - 1) + abs(ei) > 1e-16 && k < 10000
    a = a + 2 * (k - 1);
    bi = bi + 2;
    dr = a * dr + br;
    di = a * di + bi;
    f = a / (cr * cr + ci * ci);
    cr = br + cr * f;
    ci = bi - ci * f;
    n = dr * dr + di * di;
    dr = dr / n;
    di = -di / n;
    er = cr * dr - ci * di;
    ei = cr * di + ci * dr;
    f = p * er - q * ei;
    q = p * ei + q * er;
    p = f;
    k = k + 1;
  end
  % Below one order less than zero the first kind comes from the orders above.
  if m < 0
    one = bessel_near(m + 1, x);
    j = 2 * (m + 1) / x * one - bessel_near(m + 2, x);
  else
    j = bessel_near(m, x);
    one = bessel_near(m + 1, x);
  end
  slope = m / x * j - one;
  y = (p * j - slope) / q;
  next = m / x * y - (p * y + q * j);
end

% The reciprocal of sin(x) / x.
function y = angle_over_sine(x)
  y = 1;
  if abs(x) > 1e-15, y = x / sin(x); end
end

function y = ratio_of_sinh(x)
  y = 1;
  if abs(x) > 1e-15, y = sinh(x) / x; end
end

% Temme's two functions of m from the series of 1 / gamma(1 + m) (M. Abramowitz and I. A. Stegun, 6.1.34), and that
% reciprocal above and below.
function [even, odd, above, below] = parts_of_gamma(m)
  c = [1, 0.57721566490153286061, -0.65587807152025388108, -0.042002635034095235529, 0.1665386113822914895, ...
    -0.042197734555544336748, -0.0096219715278769735621, 0.0072189432466630995424, -0.0011651675918590651121, ...
    -0.00021524167411495097282, 0.00012805028238811618615, -0.000020134854780788238656, -1.2504934821426706573e-6, ...
    1.1330272319816958824e-6, -2.0563384169776071035e-7, 6.1160951044814158179e-9, 5.0020076444692229301e-9, ...
    -1.1812745704870201446e-9, 1.0434267116911005105e-10, 7.782263439905071254e-12, -3.6968056186422057082e-12];
  even = 0;
  odd = 0;
  s = m * m;
  for k = 19:-2:1
    even = even * s + c(k);
    odd = odd * s - c(k + 1);
  end
  above = even - m * odd;
  below = even + m * odd;
end
