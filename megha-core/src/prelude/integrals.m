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
