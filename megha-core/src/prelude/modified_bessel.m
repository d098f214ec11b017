% Modified Bessel functions of real orders and arguments, and the functions of Airy.

function y = besseli(order, x, scaled)
  if nargin < 3, scaled = 0; end
  if is_scalar_type(order) && is_scalar_type(x)
    y = growing(order, x, scaled);
  else
    [order, x] = each_with_each(order, x);
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = growing(order(i), x(i), scaled);
    end
  end
end

function y = besselk(order, x, scaled)
  if nargin < 3, scaled = 0; end
  if is_scalar_type(order) && is_scalar_type(x)
    y = falling(order, x, scaled);
  else
    [order, x] = each_with_each(order, x);
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = falling(order(i), x(i), scaled);
    end
  end
end

function y = growing(order, x, scaled)
  factor = 1;
  if x < 0
    if order ~= fix(order)
      error('besseli: the result for an order that is not whole and a negative argument is complex');
    end
    if mod(order, 2) ~= 0, factor = -1; end
  end
  [y, fallen] = modified_pair(abs(order), abs(x));
  if order < 0 && order ~= fix(order)
    y = y - 2 / pi * sin_of_turns(order) * fallen * exp(-2 * x);
  end
  if scaled ~= 0
    y = factor * y;
  else
    y = factor * y * exp(abs(x));
  end
end

function y = falling(order, x, scaled)
  if x < 0
    error('besselk: the result for a negative argument is complex');
  end
  [grown, y] = modified_pair(abs(order), x);
  if scaled == 0
    y = y * exp(-x);
  end
end

% The modified functions of an order that is not negative, by the same methods: the growing one times exp(-x), the falling one
% times exp(x).
function [i, k] = modified_pair(order, x)
  if isnan(order) || isnan(x)
    i = NaN;
    k = NaN;
  elseif x == 0
    i = double(order == 0);
    k = Inf;
  elseif x == Inf
    i = 0;
    k = 0;
  else
    n = floor(order + 0.5);
    m = order - n;
    if x < 2
      [k, after] = falling_of_small(m, x);
    else
      [k, after] = falling_by_fraction(m, x);
    end
    for l = 1:n
      before = k;
      k = after;
      after = 2 * (m + l) / x * k + before;
    end
    if x > max(30, order * order / 2)
      i = growing_far(order, x);
    else
      % From the ratio to its neighbour, a continued fraction, and the Wronskian.
      i = 1 / (x * (after + k * ratio_of_growing(order, x)));
    end
    if k == Inf
      i = 0;
    end
  end
end

function y = growing_far(order, x)
  y = 1;
  t = 1;
  k = 0;
  while abs(t) > 1e-17 && k < 100
    k = k + 1;
    t = -t * (4 * order * order - (2 * k - 1) * (2 * k - 1)) / (k * 8 * x);
    y = y + t;
  end
  y = y / sqrt(2 * pi * x);
end

% The growing function of the next order by that of the order.
function r = ratio_of_growing(order, x)
  tiny = 1e-300;
  f = tiny;
  c = f;
  d = 0;
  change = 0;
  l = 1;
  a = 1;
  while abs(change - 1) > 1e-16 && l < 100000
    b = 2 * (order + l) / x;
    d = 1 / (b + a * d);
    c = b + a / c;
    change = c * d;
    f = f * change;
    l = l + 1;
  end
  r = f;
end

function [k, next] = falling_of_small(m, x)
  [even, odd, above, below] = parts_of_gamma(m);
  d = log(2 / x);
  e = m * d;
  f = angle_over_sine(pi * m) * (odd * cosh(e) + even * ratio_of_sinh(e) * d);
  p = exp(e) / (2 * above);
  q = exp(-e) / (2 * below);
  c = 1;
  s = f;
  t = p;
  l = 0;
  change = Inf;
  while abs(change) > 1e-17 * abs(s) && l < 200
    l = l + 1;
    f = (l * f + p + q) / (l * l - m * m);
    c = c * x * x / 4 / l;
    p = p / (l - m);
    q = q / (l + m);
    change = c * f;
    s = s + change;
    t = t + c * (p - l * f);
  end
  k = s * exp(x);
  next = 2 * t / x * exp(x);
end

function [k, next] = falling_by_fraction(m, x)
  b = 2 * (1 + x);
  d = 1 / b;
  h = d;
  change = d;
  before = 0;
  now = 1;
  a = 0.25 - m * m;
  first = a;
  q = a;
  c = a;
  a = -a;
  s = 1 + q * change;
  l = 2;
  last = Inf;
  while abs(last) > 1e-16 * abs(s) && l < 10000
    a = a - 2 * (l - 1);
    c = -a * c / l;
    new = (before - b * now) / a;
    before = now;
    now = new;
    q = q + c * new;
    b = b + 2;
    d = 1 / (b + a * d);
    change = (b * d - 1) * change;
    h = h + change;
    last = q * change;
    s = s + last;
    l = l + 1;
  end
  h = first * h;
  k = sqrt(pi / (2 * x)) / s;
  next = k * (m + x + 0.5 - h) / x;
end

% M. Abramowitz and I. A. Stegun, 10.4: 0 and 1 are Ai and its derivative, 2 and 3 Bi and its derivative.
function y = airy(kind, z, scaled)
  if nargin > 2, refuse('the scaled functions are not supported'); end
  if nargin < 2
    y = airy(0, kind);
  else
    if ~is_constant(kind), refuse('the kind must be a number known when compiling'); end
    if kind ~= 0 && kind ~= 1 && kind ~= 2 && kind ~= 3
      error('airy: K must be 0, 1, 2, or 3');
    end
    if is_scalar_type(z)
      y = airy_of(kind, z);
    else
      y = zeros(size(z));
      for i = 1:numel(z)
        y(i) = airy_of(kind, z(i));
      end
    end
  end
end

function y = airy_of(kind, x)
  third = 1 / 3;
  order = third;
  if mod(kind, 2) == 1
    order = 2 * third;
  end
  a = abs(x);
  t = 2 / 3 * a * sqrt(a);
  if x == Inf && kind < 2
    y = 0;
  elseif a == 0
    % Of gamma(2/3) and gamma(1/3).
    values = [0.355028053887817239260, -0.258819403792806798405, 0.614926627446000735151, 0.448288357353826357915];
    y = values(kind + 1);
  elseif x > 0
    [i, k] = modified_pair(order, t);
    if kind == 0
      y = sqrt(a / 3) / pi * k * exp(-t);
    elseif kind == 1
      y = -a / (pi * sqrt(3)) * k * exp(-t);
    else
      both = 2 * i + 2 / pi * sin(pi * order) * k * exp(-2 * t);
      if kind == 2
        y = sqrt(a / 3) * both * exp(t);
      else
        y = a / sqrt(3) * both * exp(t);
      end
    end
  else
    [j, n] = ordinary_pair(order, t);
    if kind == 0
      y = sqrt(a) / 2 * (j - n / sqrt(3));
    elseif kind == 1
      y = a / 2 * (j + n / sqrt(3));
    elseif kind == 2
      y = -sqrt(a) / 2 * (j / sqrt(3) + n);
    else
      y = a / 2 * (j / sqrt(3) - n);
    end
  end
end
