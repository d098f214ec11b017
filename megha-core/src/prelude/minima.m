% Zeros and minima of functions. What stops them is often a wide tolerance, so results agree with GNU Octave's only if the same points are
% tried: the methods are the published ones with Octave's choices of start, steps and ends.

% G. E. Alefeld, F. A. Potra and Y. Shi, Algorithm 748: enclosing zeros of continuous functions (1995): inverse cubic and quadratic
% interpolation between two to four points, and bisection where the interval does not halve.
function [x, value, flag, info] = fzero(f, start, options)
  wanted = eps;
  rounds = Inf;
  calls = Inf;
  tells = 1;
  if nargin > 2
    wanted = optimget(options, 'TolX', wanted);
    rounds = optimget(options, 'MaxIter', rounds);
    calls = optimget(options, 'MaxFunEvals', calls);
    tells = display_level(optimget(options, 'Display', 'notify'));
  end
  a = start(1);
  fa = feval(f, a);
  if is_scalar_type(start)
    [b, fb, used] = other_side(f, a, fa);
  else
    b = start(2);
    fb = feval(f, b);
    used = 2;
  end
  if b < a
    c = a; a = b; b = c;
    fc = fa; fa = fb; fb = fc;
  end
  if ~(sign(fa) * sign(fb) <= 0)
    error('fzero: not a valid initial bracketing');
  end
  slope = (fb - fa) / (b - a);
  if fa == 0
    b = a; fb = fa;
  elseif fb == 0
    a = b; fa = fb;
  end
  % The better end, and the two points that the interval lost last.
  u = b; fu = fb;
  if abs(fa) < abs(fb)
    u = a; fu = fa;
  end
  d = u; fd = fu;
  e = u; fe = fu;
  x = u;
  value = fu;
  flag = 0;
  kind = 1;
  half = 0.5 * (b - a);
  done = 0;
  while done < rounds && used < calls
    if kind == 1
      if b - a <= 2 * (2 * abs(u) * eps + wanted)
        x = u; value = fu;
        flag = 1;
        break
      end
      if abs(fa) <= 1e3 * abs(fb) && abs(fb) <= 1e3 * abs(fa)
        c = u - (a - b) / (fa - fb) * fu;
      else
        c = 0.5 * (a + b);
      end
      d = u; fd = fu;
      kind = 5;
    elseif kind == 4
      c = u - 2 * (b - a) / (fb - fa) * fu;
      if abs(c - u) > 0.5 * (b - a)
        c = 0.5 * (b + a);
      end
      kind = 5;
    elseif kind == 5
      c = 0.5 * (b + a);
      kind = 2;
    else
      c = a;
      distinct = fa ~= fb && fa ~= fd && fa ~= fe && fb ~= fd && fb ~= fe && fd ~= fe;
      if distinct
        c = inverse_cubic(a, b, d, e, fa, fb, fd, fe);
      end
      if ~distinct || sign(c - a) * sign(c - b) > 0
        c = zero_of_parabola(a, b, d, fa, fb, fd, kind);
      end
      kind = kind + 1;
    end
    margin = 1.4 * (2 * abs(u) * eps + wanted);
    if b - a <= 2 * margin
      c = (a + b) / 2;
    else
      c = max(a + margin, min(b - margin, c));
    end
    fc = feval(f, c);
    x = c;
    value = fc;
    done = done + 1;
    used = used + 1;
    if sign(fc - fa) * sign(fc - fb) >= 0
      fe = fc;
    else
      e = d; fe = fd;
    end
    if sign(fa) * sign(fc) < 0
      d = b; fd = fb;
      b = c; fb = fc;
    elseif sign(fb) * sign(fc) < 0
      d = a; fd = fa;
      a = c; fa = fc;
    elseif fc == 0
      a = c; fa = fc;
      b = c; fb = fc;
      flag = 1;
      break
    else
      error('fzero: zero point is not bracketed');
    end
    u = b; fu = fb;
    if abs(fa) < abs(fb)
      u = a; fu = fa;
    end
    if b - a <= 2 * (2 * abs(u) * eps + wanted)
      flag = 1;
      break
    end
    if kind == 5 && b - a <= half
      kind = 2;
    end
    if kind == 2
      half = 0.5 * (b - a);
    end
  end
  if flag == 1 && b ~= a
    if abs((fb - fa) / (b - a) / slope) > max(1e6, 0.5 / (eps + wanted))
      flag = -5;
    end
  end
  if tells > 0 && flag == -5
    fprintf('\nAlgorithm seemingly converged to a singular point.\n\n');
  elseif tells > 0 && flag == 0
    fprintf('\nMaximum number of iterations or function evaluations reached.\n\n');
  elseif tells == 2
    fprintf('\nAlgorithm converged.\n\n');
  end
  info = struct('iterations', done, 'funcCount', used, 'algorithm', 'bisection, interpolation', 'bracketx', [a, b], 'brackety', [fa, fb]);
end

% Points around a start until the function changes its sign.
function [b, fb, used] = other_side(f, a, fa)
  unit = a;
  if a == 0
    unit = 0.1;
  elseif abs(a) < 0.001
    unit = sign(a) * 0.1;
  end
  b = a;
  fb = fa;
  used = 1;
  for part = [-0.01, 0.025, -0.05, 0.1, -0.25, 0.5, -1, 2.5, -5, 10, -50, 100, -500, 1000]
    b = unit + unit * part;
    fb = feval(f, b);
    used = used + 1;
    if sign(fa) * sign(fb) <= 0
      break
    end
  end
end

% Where the inverse function's cubic polynomial through four points is for the value 0.
function c = inverse_cubic(a, b, d, e, fa, fb, fd, fe)
  first = (d - e) * fd / (fe - fd);
  second = (b - d) * fb / (fd - fb);
  third = (a - b) * fa / (fb - fa);
  from_d = (b - d) * fd / (fd - fb);
  from_b = (a - b) * fb / (fb - fa);
  twice = (from_d - first) * fb / (fe - fb);
  again = (from_b - second) * fa / (fd - fa);
  thrice = ((from_b - second) * fd / (fd - fa) - twice) * fa / (fe - fa);
  c = a + third + again + thrice;
end

% Newton's steps to the zero of the parabola through three points.
function c = zero_of_parabola(a, b, d, fa, fb, fd, steps)
  rise = (fb - fa) / (b - a);
  bend = ((fd - fb) / (d - b) - rise) / (d - a);
  c = a - fa / rise;
  if bend ~= 0
    for i = 1:steps
      height = fa + (rise + bend * (c - b)) * (c - a);
      steepness = rise + bend * (2 * c - a - b);
      if steepness == 0
        c = a - fa / rise;
        break
      end
      c = c - height / steepness;
    end
  end
end

% R. P. Brent, Algorithms for minimization without derivatives (1973), chapter 5: golden sections and parabolas.
function [x, value, flag, info] = fminbnd(f, a, b, options)
  if a > b
    error('fminbnd: the lower bound cannot be greater than the upper one');
  end
  wanted = 1e-4;
  rounds = 500;
  calls = 500;
  tells = 1;
  if nargin > 3
    wanted = optimget(options, 'TolX', wanted);
    rounds = optimget(options, 'MaxIter', rounds);
    calls = optimget(options, 'MaxFunEvals', calls);
    tells = display_level(optimget(options, 'Display', 'notify'));
  end
  golden = 0.5 * (3 - sqrt(5));
  x = a + golden * (b - a);
  w = x;
  v = x;
  value = feval(f, x);
  fw = value;
  fv = value;
  step = 0;
  last = 0;
  flag = 0;
  done = 0;
  used = 1;
  while done < rounds && used < calls
    middle = 0.5 * (a + b);
    tolerance = 2 * eps * abs(x) + wanted / 3;
    if abs(x - middle) <= 2 * tolerance - 0.5 * (b - a)
      flag = 1;
      break
    end
    parabola = false;
    if abs(last) > tolerance
      r = (x - w) * (value - fv);
      q = (x - v) * (value - fw);
      p = (x - v) * q - (x - w) * r;
      q = 2 * (q - r);
      p = p * -sign(q);
      q = abs(q);
      r = last;
      last = step;
      if abs(p) < abs(0.5 * q * r) && p > q * (a - x) && p < q * (b - x)
        parabola = true;
        step = p / q;
        u = x + step;
        if min(u - a, b - u) < 2 * tolerance
          step = tolerance * (sign(middle - x) + (middle == x));
        end
      end
    end
    if ~parabola
      last = b - x;
      if x >= middle
        last = a - x;
      end
      step = golden * last;
    end
    u = x + max(abs(step), tolerance) * (sign(step) + (step == 0));
    fu = feval(f, u);
    done = done + 1;
    used = used + 1;
    if fu < value
      if u < x
        b = x;
      else
        a = x;
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
  if flag == 1 && tells == 2
    fprintf('Optimization terminated:\n the current x satisfies the termination criteria using OPTIONS.TolX of %e\n\n', wanted);
  elseif flag == 0 && tells > 0
    fprintf('Exiting: Maximum number of iterations has been exceeded\n         - increase MaxIter option.\n');
    fprintf('         Current function value: %.6f\n\n', value);
  end
  info = struct('iterations', done, 'funcCount', used, 'algorithm', 'golden section search, parabolic interpolation', 'bracket', [a, b]);
end

% Whether an iteration tells its end: never, where it fails, always.
function level = display_level(name)
  level = 0;
  if strcmp(name, 'notify')
    level = 1;
  elseif strcmp(name, 'final') || strcmp(name, 'iter')
    level = 2;
  end
end

% The simplex method of J. A. Nelder and R. Mead (1965) as N. J. Higham's nmsmax of the Test Matrix Toolbox (1993) has it: it looks for a
% maximum, so the heights of the corners are the function's values with the other sign; the highest corner comes first.
function [x, value, flag, info] = fminsearch(f, start, options)
  n = numel(start);
  wanted = 1e-4;
  level = 1e-4;
  rounds = 200 * n;
  calls = 200 * n;
  tells = 1;
  if nargin > 2
    wanted = optimget(options, 'TolX', wanted);
    level = optimget(options, 'TolFun', level);
    rounds = optimget(options, 'MaxIter', rounds);
    calls = optimget(options, 'MaxFunEvals', calls);
    tells = display_level(optimget(options, 'Display', 'notify'));
  end
  corners = zeros(n, n + 1);
  heights = zeros(n + 1, 1);
  origin = reshape(start, n, 1);
  % A regular simplex.
  legs = max(max(abs(origin)), 1) / (n * sqrt(2)) * [sqrt(n + 1) - 1 + n, sqrt(n + 1) - 1];
  for j = 1:n + 1
    corner = origin;
    if j > 1
      for i = 1:n
        corner(i) = origin(i) + legs(2);
      end
      corner(j - 1) = origin(j - 1) + legs(1);
    end
    corners(:, j) = corner;
    heights(j) = -real(feval(f, shaped(corner, start)));
  end
  [heights, corners] = highest_first(heights, corners, n);
  flag = 0;
  used = n + 1;
  done = 0;
  while true
    done = done + 1;
    if done > rounds
      if tells > 0
        fprintf('Exceeded maximum iterations\n');
      end
      break
    end
    if used >= calls
      if tells > 0
        fprintf('Exceeded maximum number of function evaluations\n');
      end
      break
    end
    longest = 0;
    drop = 0;
    for j = 2:n + 1
      longest = max(longest, sum(abs(corners(:, j) - corners(:, 1)), 1));
      drop = max(drop, abs(heights(1) - heights(j)));
    end
    width = longest / max(1, sum(abs(corners(:, 1)), 1));
    if width <= wanted && drop <= level
      if tells == 2
        fprintf('Algorithm converged.  Simplex size %9.4e <= %9.4e and step in function value %9.4e <= %9.4e\n', ...
          width, wanted, drop, level);
      end
      flag = 1;
      break
    end
    middle = sum(corners(:, 1:n), 2) / n;
    lowest = corners(:, n + 1);
    reflected = 2 * middle - lowest;
    height = -real(feval(f, shaped(reflected, start)));
    used = used + 1;
    chosen = reflected;
    top = height;
    shrinks = false;
    % Further out, or half the way back.
    outwards = height > heights(1);
    if outwards || ~(height > heights(n))
      trial = 2 * reflected - middle;
      if ~outwards
        trial = 0.5 * lowest + 0.5 * middle;
        if height > heights(n + 1)
          trial = 0.5 * reflected + 0.5 * middle;
        end
      end
      reached = -real(feval(f, shaped(trial, start)));
      used = used + 1;
      if reached > heights(merge(outwards, 1, n))
        chosen = trial;
        top = reached;
      else
        shrinks = ~outwards;
      end
    end
    if shrinks
      for j = 2:n + 1
        corners(:, j) = (corners(:, 1) + corners(:, j)) / 2;
        heights(j) = -real(feval(f, shaped(corners(:, j), start)));
      end
      used = used + n;
    else
      corners(:, n + 1) = chosen;
      heights(n + 1) = top;
    end
    [heights, corners] = highest_first(heights, corners, n);
  end
  x = shaped(corners(:, 1), start);
  value = -heights(1);
  info = struct('iterations', done, 'funcCount', used, 'algorithm', 'Nelder-Mead simplex direct search');
end

function [heights, corners] = highest_first(heights, corners, n)
  [~, order] = sort(heights);
  order = order(n + 1:-1:1);
  heights = heights(order);
  corners = corners(:, order);
end

% A column in the sizes of another array.
function x = shaped(column, like)
  if is_scalar_type(like)
    x = column(1);
  else
    x = reshape(column, size(like));
  end
end
