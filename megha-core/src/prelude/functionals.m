% Functions of functions: zeros and minima. The methods are the classical ones, so results agree with MATLAB's within
% the tolerances that it documents, not to the last bit.

% The first result that is stored gives the class.
function [y, w] = arrayfun(f, x, z)
  if is_scalar_type(x)
    if nargout > 1 && nargin < 3
      [y, w] = f(x);
    elseif nargout > 1
      [y, w] = f(x, z);
    elseif nargin < 3
      y = f(x);
    else
      y = f(x, z);
    end
  elseif nargout > 1
    for i = 1:numel(x)
      if nargin < 3
        [y(i), w(i)] = f(x(i));
      else
        [y(i), w(i)] = f(x(i), z(i));
      end
    end
    y = reshape(y, size(x));
    w = reshape(w, size(x));
  else
    for i = 1:numel(x)
      if nargin < 3
        y(i) = f(x(i));
      else
        y(i) = f(x(i), z(i));
      end
    end
    y = reshape(y, size(x));
  end
end

function y = bsxfun(f, a, b)
  y = f(a, b);
end

% Brent's method, Algorithms for Minimization without Derivatives (1973), chapter 4.
function [x, value, flag] = fzero(f, start)
  if is_scalar_type(start)
    [a, b, fa, fb] = bracket(f, start);
  else
    if numel(start) ~= 2
      error('fzero: the second argument is a number or the two ends of an interval');
    end
    a = start(1);
    b = start(2);
    fa = feval(f, a);
    fb = feval(f, b);
  end
  if ~(sign(fa) * sign(fb) <= 0)
    error('fzero: not a valid initial bracketing: the function has the same sign at both ends');
  end
  c = a;
  fc = fa;
  step = b - a;
  last = step;
  while true
    if abs(fc) < abs(fb)
      a = b; b = c; c = a;
      fa = fb; fb = fc; fc = fa;
    end
    tolerance = 2 * eps * abs(b);
    half = 0.5 * (c - b);
    if abs(half) <= tolerance || fb == 0
      break
    end
    if abs(last) < tolerance || abs(fa) <= abs(fb)
      step = half;
      last = half;
    else
      s = fb / fa;
      if a == c
        p = 2 * half * s;
        q = 1 - s;
      else
        q = fa / fc;
        r = fb / fc;
        p = s * (2 * half * q * (q - r) - (b - a) * (r - 1));
        q = (q - 1) * (r - 1) * (s - 1);
      end
      if p > 0
        q = -q;
      else
        p = -p;
      end
      if 2 * p < min(3 * half * q - abs(tolerance * q), abs(last * q))
        last = step;
        step = p / q;
      else
        step = half;
        last = half;
      end
    end
    a = b;
    fa = fb;
    if abs(step) > tolerance
      b = b + step;
    elseif half > 0
      b = b + tolerance;
    else
      b = b - tolerance;
    end
    fb = feval(f, b);
    if (fb > 0) == (fc > 0)
      c = a;
      fc = fa;
      step = b - a;
      last = step;
    end
  end
  x = b;
  value = fb;
  flag = 1;
end

% Points around a start, as GNU Octave tries them, until the function changes its sign.
function [a, b, fa, fb] = bracket(f, a)
  fa = feval(f, a);
  b = a;
  fb = fa;
  if fa ~= 0
    if a == 0
      unit = 1;
    else
      unit = a;
    end
    tries = [0.9 * unit, 1.1 * unit, unit - 1, unit + 1, 0.5 * unit, 1.5 * unit, -unit, 2 * unit, -10 * unit, 10 * unit];
    for k = 1:10
      b = tries(k);
      fb = feval(f, b);
      if sign(fa) * sign(fb) <= 0
        break
      end
    end
  end
end

% Brent, chapter 5: golden sections and parabolas.
function [x, value, flag] = fminbnd(f, a, b)
  if a > b
    error('fminbnd: the lower bound is greater than the upper one');
  end
  golden = (3 - sqrt(5)) / 2;
  x = a + golden * (b - a);
  w = x;
  v = x;
  value = feval(f, x);
  fw = value;
  fv = value;
  step = 0;
  last = 0;
  for evaluations = 1:500
    middle = 0.5 * (a + b);
    tolerance = sqrt(eps) * abs(x) + 1e-8 / 3;
    if abs(x - middle) <= 2 * tolerance - 0.5 * (b - a)
      break
    end
    parabola = false;
    if abs(last) > tolerance
      r = (x - w) * (value - fv);
      q = (x - v) * (value - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2 * (q - r);
      if q > 0
        p = -p;
      end
      q = abs(q);
      if abs(p) < abs(0.5 * q * last) && p > q * (a - x) && p < q * (b - x)
        parabola = true;
        last = step;
        step = p / q;
        u = x + step;
        if u - a < 2 * tolerance || b - u < 2 * tolerance
          step = tolerance * (sign(middle - x) + (middle == x));
        end
      end
    end
    if ~parabola
      if x >= middle
        last = a - x;
      else
        last = b - x;
      end
      step = golden * last;
    end
    u = x + max(abs(step), tolerance) * (sign(step) + (step == 0));
    fu = feval(f, u);
    if fu <= value
      if u >= x
        a = x;
      else
        b = x;
      end
      v = w; fv = fw;
      w = x; fw = value;
      x = u; value = fu;
    else
      if u < x
        a = u;
      else
        b = u;
      end
      if fu <= fw || w == x
        v = w; fv = fw;
        w = u; fw = fu;
      elseif fu <= fv || v == x || v == w
        v = u; fv = fu;
      end
    end
  end
  flag = 1;
end

% The simplex method of Nelder and Mead as Lagarias, Reeds, Wright and Wright (1998) state it.
function [x, value, flag] = fminsearch(f, start)
  n = numel(start);
  corners = zeros(n, n + 1);
  values = zeros(1, n + 1);
  for j = 1:n + 1
    for i = 1:n
      corners(i, j) = start(i);
    end
    if j > 1
      if start(j - 1) == 0
        corners(j - 1, j) = 0.00025;
      else
        corners(j - 1, j) = 1.05 * start(j - 1);
      end
    end
    values(j) = feval(f, shaped(corners(:, j), start));
  end
  [values, order] = sort(values);
  corners = corners(:, order);
  flag = 0;
  for iteration = 1:200 * n
    if max(abs(values(2:n + 1) - values(1))) <= 1e-7 && max(max(abs(corners(:, 2:n + 1) - corners(:, 1)))) <= 1e-7
      flag = 1;
      break
    end
    middle = sum(corners(:, 1:n), 2) / n;
    worst = corners(:, n + 1);
    best = values(1);
    reflected = 2 * middle - worst;
    fr = feval(f, shaped(reflected, start));
    point = reflected;
    fp = fr;
    shrinks = false;
    if fr < best
      expanded = 3 * middle - 2 * worst;
      fe = feval(f, shaped(expanded, start));
      if fe < fr
        point = expanded;
        fp = fe;
      end
    elseif fr >= values(n)
      if fr < values(n + 1)
        point = 1.5 * middle - 0.5 * worst;
        fp = feval(f, shaped(point, start));
        shrinks = fp > fr;
      else
        point = 0.5 * middle + 0.5 * worst;
        fp = feval(f, shaped(point, start));
        shrinks = fp >= values(n + 1);
      end
    end
    if shrinks
      for j = 2:n + 1
        for i = 1:n
          corners(i, j) = 0.5 * (corners(i, 1) + corners(i, j));
        end
        values(j) = feval(f, shaped(corners(:, j), start));
      end
    else
      for i = 1:n
        corners(i, n + 1) = point(i);
      end
      values(n + 1) = fp;
    end
    [values, order] = sort(values);
    corners = corners(:, order);
  end
  x = shaped(corners(:, 1), start);
  value = values(1);
end

% A column in the sizes of another array.
function x = shaped(column, like)
  if is_scalar_type(like)
    x = column(1);
  else
    x = reshape(column, size(like));
  end
end
