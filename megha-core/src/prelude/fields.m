% Differences in the plane and figures in it.

% A quarter of the Laplacian, in one dimension half of the second derivative; at the edges the straight line through the two next.
function l = del2(f, hx, hy)
  if nargin < 2, hx = 1; end
  if nargin < 3, hy = hx; end
  if ~is_scalar_type(hx) || ~is_scalar_type(hy), refuse('only equal spacing is supported'); end
  if ndims(f) > 2, refuse('arrays of more than two dimensions are not supported'); end
  l = (curvature(f, hy) + curvature(f.', hx).') / 2;
end

function d = curvature(f, h)
  n = size(f, 1);
  d = zeros(size(f));
  if n >= 3
    for j = 1:size(f, 2)
      for i = 2:n-1
        d(i, j) = ((f(i - 1, j) - f(i, j)) / h + (f(i + 1, j) - f(i, j)) / h) / (2 * h);
      end
      d(1, j) = 2 * d(2, j) - d(min(3, n - 1), j);
      d(n, j) = 2 * d(n - 1, j) - d(max(n - 2, 2), j);
    end
  end
end

% The crossings of a ray are counted, and who is on an edge is inside.
function [in, on] = inpolygon(x, y, xv, yv)
  if is_scalar_type(x)
    [in, on] = point_in_polygon(x, y, xv, yv);
  else
    if ~all(size(x) == size(y)), error('inpolygon: X and Y must be real arrays of the same size'); end
    in = false(size(x));
    on = false(size(x));
    for k = 1:numel(x)
      [inside, edge] = point_in_polygon(x(k), y(k), xv, yv);
      in(k) = inside;
      on(k) = edge;
    end
  end
end

function [in, on] = point_in_polygon(x, y, xv, yv)
  n = numel(xv);
  if n ~= numel(yv), error('inpolygon: XV and YV must be real vectors of the same size'); end
  in = false;
  on = false;
  j = n;
  for i = 1:n
    dx = xv(j) - xv(i);
    dy = yv(j) - yv(i);
    side = dx * (y - yv(i)) - (x - xv(i)) * dy;
    if ((yv(i) <= y && y < yv(j)) || (yv(j) <= y && y < yv(i))) && 0 < side * dy
      in = ~in;
    end
    if min(yv(i), yv(j)) <= y && y <= max(yv(i), yv(j)) && min(xv(i), xv(j)) <= x && x <= max(xv(i), xv(j))
      if side == 0 || dx == 0
        on = true;
      end
    end
    j = i;
  end
  in = in || on;
end

% Areas that rectangles [x, y, width, height] have in common.
function area = rectint(a, b)
  if size(a, 2) ~= 4 || size(b, 2) ~= 4, error('rectint: the rectangles are rows [x, y, width, height]'); end
  area = zeros(size(a, 1), size(b, 1));
  for j = 1:size(b, 1)
    for i = 1:size(a, 1)
      w = min(a(i, 1) + a(i, 3), b(j, 1) + b(j, 3)) - max(a(i, 1), b(j, 1));
      h = min(a(i, 2) + a(i, 4), b(j, 2) + b(j, 4)) - max(a(i, 2), b(j, 2));
      area(i, j) = max(w, 0) * max(h, 0);
    end
  end
end
