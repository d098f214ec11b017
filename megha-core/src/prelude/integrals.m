% Integrals of functions and of differential equations.

function [q, bound] = quad(f, a, b)
  [q, bound] = integrated(f, a, b);
end

function [q, bound] = quadl(f, a, b)
  [q, bound] = integrated(f, a, b);
end

function [q, bound] = quadv(f, a, b)
  [q, bound] = integrated(f, a, b);
end

function [q, bound] = quadgk(f, a, b)
  [q, bound] = integrated(f, a, b);
end

function q = integral(f, a, b)
  q = integrated(f, a, b);
end

function q = integral2(f, xa, xb, ya, yb)
  q = integrated(@(x) integrated(@(y) feval(f, x, y), ya, yb), xa, xb);
end

function q = dblquad(f, xa, xb, ya, yb)
  q = integrated(@(y) integrated(@(x) feval(f, x, y), xa, xb), ya, yb);
end

% Gauss and Kronrod's rule of 7 and 15 points on intervals that are halved until the two agree. The variable is changed so
% that limits may be infinite and the function may have weak singularities there (L. F. Shampine, Vectorized adaptive
% quadrature in MATLAB, 2008).
function [q, bound] = integrated(f, a, b)
  points = [0.991455371120812639206854697526329, 0.949107912342758524526189684047851, ...
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788, ...
    0.586087235467691130294144691693133, 0.405845151377397166906606412076961, ...
    0.207784955007898467600689403773245, 0];
  weights = [0.022935322010529224963732008058970, 0.063092092629978553290700663189204, ...
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238, ...
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014, ...
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714];
  gauss = [0, 0.129484966168869693270611432679082, 0, 0.279705391489276667901467771423780, ...
    0, 0.381830050505118944950369775488975, 0, 0.417959183673469387755102040816327];
  way = 1;
  low = min(a, b);
  high = max(a, b);
  if isinf(low) && isinf(high)
    way = 4;
  elseif isinf(high)
    way = 2;
  elseif isinf(low)
    way = 3;
  end
  starts = zeros(1, 200);
  widths = zeros(1, 200);
  waiting = 10;
  for k = 1:10
    if way == 2 || way == 3
      starts(k) = (k - 1) / 10;
      widths(k) = 0.1;
    else
      starts(k) = (k - 1) / 5 - 1;
      widths(k) = 0.2;
    end
  end
  q = 0;
  bound = 0;
  while waiting > 0
    start = starts(waiting);
    width = widths(waiting);
    waiting = waiting - 1;
    many = 0;
    few = 0;
    for k = -7:7
      node = 8 - abs(k);
      t = start + 0.5 * width * (1 + (sign(k) + (k == 0)) * points(node));
      if way == 1
        x = 0.25 * (high - low) * t * (3 - t * t) + 0.5 * (high + low);
        slope = 0.75 * (high - low) * (1 - t * t);
      elseif way == 2
        x = low + (t / (1 - t)) ^ 2;
        slope = 2 * t / (1 - t) ^ 3;
      elseif way == 3
        x = high - (t / (1 - t)) ^ 2;
        slope = 2 * t / (1 - t) ^ 3;
      else
        x = t / (1 - t * t);
        slope = (1 + t * t) / (1 - t * t) ^ 2;
      end
      y = feval(f, x) * slope;
      many = many + weights(node) * y;
      few = few + gauss(node) * y;
    end
    many = 0.5 * width * many;
    doubt = abs(many - 0.5 * width * few);
    if doubt <= max(1e-10, 1e-8 * abs(q + many)) * width || ~(width > 1e-12) || isnan(many)
      q = q + many;
      bound = bound + doubt;
    else
      waiting = waiting + 2;
      starts(waiting) = start;
      widths(waiting) = 0.5 * width;
      starts(waiting - 1) = start + 0.5 * width;
      widths(waiting - 1) = 0.5 * width;
    end
  end
  if a > b
    q = -q;
  end
end

% Dormand and Prince's pair of orders 5 and 4 with the step control, default tolerances and points between the steps of L. F.
% Shampine and M. W. Reichelt, The MATLAB ODE suite (1997).
function [t, y] = ode45(f, span, start)
  nodes = [0, 1/5, 3/10, 4/5, 8/9, 1, 1];
  stages = [0, 1/5, 3/40, 44/45, 19372/6561, 9017/3168, 35/384; ...
    0, 0, 9/40, -56/15, -25360/2187, -355/33, 0; ...
    0, 0, 0, 32/9, 64448/6561, 46732/5247, 500/1113; ...
    0, 0, 0, 0, -212/729, 49/176, 125/192; ...
    0, 0, 0, 0, 0, -5103/18656, -2187/6784; ...
    0, 0, 0, 0, 0, 0, 11/84];
  errors = [71/57600; 0; -71/16695; 71/1920; -17253/339200; 22/525; -1/40];
  between = [1, -183/64, 37/12, -145/128; 0, 0, 0, 0; 0, 1500/371, -1000/159, 1000/371; ...
    0, -125/32, 125/12, -375/64; 0, 9477/3392, -729/106, 25515/6784; 0, -11/7, 11/3, -55/28; 0, 3/2, -4, 5/2];
  relative = 1e-3;
  threshold = 1e-3;
  n = numel(start);
  points = numel(span);
  if points < 2
    error('ode45: the second argument holds the ends of an interval, or more times');
  end
  now = span(1);
  final = span(points);
  direction = sign(final - now);
  largest = 0.1 * abs(final - now);
  state = reshape(start, n, 1);
  slopes = zeros(n, 7);
  first = feval(f, now, state);
  for i = 1:n
    slopes(i, 1) = first(i);
  end
  t = now;
  y = zeros(0, n);
  y(1, :) = state.';
  count = 1;
  next = 2;
  size_of_step = min(largest, abs(span(2) - now));
  rate = max(abs(slopes(:, 1)) ./ max(abs(state), threshold), [], 1) / (0.8 * relative ^ 0.2);
  if size_of_step * rate > 1
    size_of_step = 1 / rate;
  end
  while direction * (final - now) > 0
    least = 16 * eps(now);
    size_of_step = min(largest, max(least, size_of_step));
    if 1.1 * size_of_step >= abs(final - now)
      size_of_step = abs(final - now);
    end
    failed = false;
    while true
      h = direction * size_of_step;
      for s = 2:7
        moved = state;
        for k = 1:s-1
          moved = moved + h * stages(k, s) * slopes(:, k);
        end
        slope = feval(f, now + nodes(s) * h, moved);
        for i = 1:n
          slopes(i, s) = slope(i);
        end
      end
      doubt = 0;
      for i = 1:n
        deviation = 0;
        for k = 1:7
          deviation = deviation + errors(k) * slopes(i, k);
        end
        doubt = max(doubt, abs(deviation) / max(max(abs(state(i)), abs(moved(i))), threshold));
      end
      doubt = doubt * size_of_step;
      if doubt <= relative || size_of_step <= least
        break
      end
      if failed
        size_of_step = max(least, 0.5 * size_of_step);
      else
        size_of_step = max(least, size_of_step * max(0.1, 0.8 * (relative / doubt) ^ 0.2));
        failed = true;
      end
    end
    if ~(doubt <= relative)
      warning('ode45: unable to meet the tolerances without reducing the step below the smallest value allowed');
      break
    end
    later = now + h;
    if size_of_step == abs(final - now)
      later = final;
    end
    if points == 2
      for k = 1:4
        part = k / 4;
        count = count + 1;
        t(count, 1) = merge(k == 4, later, now + part * h);
        y(count, :) = (state + h * (slopes * (between * [part; part^2; part^3; part^4]))).';
        if k == 4
          y(count, :) = moved.';
        end
      end
    else
      while next <= points
        if direction * (later - span(next)) < 0
          break
        end
        part = (span(next) - now) / h;
        count = count + 1;
        t(count, 1) = span(next);
        y(count, :) = (state + h * (slopes * (between * [part; part^2; part^3; part^4]))).';
        if span(next) == later
          y(count, :) = moved.';
        end
        next = next + 1;
      end
    end
    if ~failed
      if 1.25 * (doubt / relative) ^ 0.2 > 0.2
        size_of_step = size_of_step / (1.25 * (doubt / relative) ^ 0.2);
      else
        size_of_step = 5 * size_of_step;
      end
    end
    now = later;
    state = moved;
    for i = 1:n
      slopes(i, 1) = slopes(i, 7);
    end
  end
end
