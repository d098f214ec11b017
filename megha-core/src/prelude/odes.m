% Initial value problems by pairs of Runge and Kutta's methods, step by step as GNU Octave takes them: E. Hairer, S. P. Norsett and
% G. Wanner, Solving ordinary differential equations I (2008), chapter II.4, for the first step and the control of steps.

% The pair of J. R. Dormand and P. J. Prince, orders 5 and 4.
function [t, y] = ode45(f, span, start, varargin)
  nodes = [0, 1/5, 3/10, 4/5, 8/9, 1, 1];
  stages = [0, 1/5, 3/40, 44/45, 19372/6561, 9017/3168, 35/384; ...
    0, 0, 9/40, -56/15, -25360/2187, -355/33, 0; ...
    0, 0, 0, 32/9, 64448/6561, 46732/5247, 500/1113; ...
    0, 0, 0, 0, -212/729, 49/176, 125/192; ...
    0, 0, 0, 0, 0, -5103/18656, -2187/6784; ...
    0, 0, 0, 0, 0, 0, 11/84];
  weights = [5179/57600, 0, 7571/16695, 393/640, -92097/339200, 187/2100, 1/40];
  [t, y] = solved(f, span, start, nodes, stages, weights, 5, varargin{:});
end

% The pair of P. Bogacki and L. F. Shampine, orders 3 and 2.
function [t, y] = ode23(f, span, start, varargin)
  nodes = [0, 1/2, 3/4, 1];
  stages = [0, 1/2, 0, 2/9; 0, 0, 3/4, 1/3; 0, 0, 0, 4/9];
  weights = [7/24, 1/4, 1/3, 1/8];
  [t, y] = solved(f, span, start, nodes, stages, weights, 3, varargin{:});
end

% The pair with these nodes and coefficients, a column of `stages` for each stage, of which the last is the solution of the higher
% order; `weights` give the other. What stands behind the start are options, arguments of the function, or both.
function [t, y] = solved(f, span, start, nodes, stages, weights, order, varargin)
  points = numel(span);
  if points < 2
    error('ode45: TRANGE must contain at least 2 elements');
  end
  first = span(1);
  final = span(points);
  if first == final
    error('ode45: invalid time span, TRANGE(1) == TRANGE(2)');
  end
  direction = sign(final - first);
  absolute = 1e-6;
  relative = 1e-3;
  largest = 0.1 * abs(final - first);
  h = NaN;
  from = 1;
  if nargin > 7
    if isstruct(varargin{1})
      options = varargin{1};
      absolute = optimget(options, 'AbsTol', absolute);
      relative = optimget(options, 'RelTol', relative);
      largest = optimget(options, 'MaxStep', largest);
      h = optimget(options, 'InitialStep', h);
      from = 2;
    end
  end
  n = numel(start);
  absolute = reshape(absolute, numel(absolute), 1);
  state = reshape(start, n, 1);
  count = numel(nodes);
  slopes = zeros(n, count);
  slopes(:, 1) = feval(f, first, state, varargin{from:end});
  if isnan(h)
    size_of_state = relative_to(state, state, state, absolute, relative);
    size_of_slope = relative_to(slopes(:, 1), slopes(:, 1), slopes(:, 1), absolute, relative);
    trial = 1e-6;
    if ~(size_of_state < 1e-5 || size_of_slope < 1e-5)
      trial = 0.01 * (size_of_state / size_of_slope);
    end
    ahead = zeros(n, 1);
    ahead(:, 1) = feval(f, first + trial, state + trial * slopes(:, 1), varargin{from:end});
    ahead = ahead - slopes(:, 1);
    steepest = max(size_of_slope, 1 / trial * relative_to(ahead, ahead, ahead, absolute, relative));
    if steepest <= 1e-15
      h = max(1e-6, trial * 1e-3);
    else
      h = (1e-2 / steepest) ^ (1 / (order + 1));
    end
    h = direction * min(100 * trial, h);
  end
  h = direction * min(abs(h), largest);
  safety = 0.38 ^ (1 / (order + 1));
  now = first;
  lost = 0;
  t = first;
  y = zeros(0, n);
  y(1, :) = state.';
  saved = 1;
  next = 1;
  rejected = 0;
  ahead = zeros(n, 1);
  while direction * now < direction * final
    % Kahan's sum, so that many small steps end where one large one would.
    term = h - lost;
    later = now + term;
    carry = (later - now) - term;
    for s = 2:count
      change = zeros(n, 1);
      for k = 1:s-1
        change = change + slopes(:, k) * (h * stages(k, s));
      end
      moved = state + change;
      place = now + h * nodes(s);
      if s == count
        place = later;
      end
      slopes(:, s) = feval(f, place, moved, varargin{from:end});
    end
    change = zeros(n, 1);
    for k = 1:count
      change = change + slopes(:, k) * (h * weights(k));
    end
    doubt = relative_to(moved, state, moved - (state + change), absolute, relative);
    lost = carry;
    if doubt <= 1
      rejected = 0;
      if points == 2
        saved = saved + 1;
        t(saved, 1) = later;
        y(saved, :) = moved.';
      else
        while next <= points
          if direction * span(next) > direction * later
            break
          end
          if direction * span(next) > direction * now
            saved = saved + 1;
            t(saved, 1) = span(next);
            part = (span(next) - now) / (later - now);
            if order == 5
              y(saved, :) = quartic(state, moved, slopes, later - now, part).';
            else
              y(saved, :) = cubic(state, moved, slopes, later - now, part).';
            end
          end
          next = next + 1;
        end
      end
      now = later;
      state = moved;
      slopes(:, 1) = slopes(:, count);
    else
      rejected = rejected + 1;
      if rejected >= 5000
        error('integrate_adaptive: Solving was not successful.  The iterative integration loop exited at time t = %f before the endpoint at tend = %f was reached.', now, final);
      end
    end
    h = h * min(1.5, max(0.8, safety * (1 / (doubt + eps)) ^ (1 / (order + 1))));
    h = direction * min(abs(h), largest);
    if ~(abs(h) > eps(t(saved)))
      break
    end
    h = direction * min(abs(h), abs(final - now));
  end
  if direction * t(saved) < direction * final
    warning('integrate_adaptive:unexpected_termination', 'Solving was not successful.  The iterative integration loop exited at time t = %f before the endpoint at tend = %f was reached.', t(saved), final);
  end
end

% The largest element of a deviation, each in units of what is tolerated between two states.
function d = relative_to(x, before, deviation, absolute, relative)
  d = max(abs(deviation) ./ max(absolute, relative * max(abs(x), abs(before))), [], 1);
end

% The polynomial through both ends of a step, their slopes and a state of order 4 in its middle.
function x = quartic(before, behind, slopes, h, s)
  weights = [6025192743/30085553152, 0, 51252292925/65400821598, -2691868925/45128329728, 187940372067/1594534317056, ...
    -1776094331/19743644256, 11237099/235043384];
  change = zeros(numel(before), 1);
  for k = 1:7
    change = change + slopes(:, k) * weights(k);
  end
  middle = before + 0.5 * h * change;
  x = (1 - 11 * s ^ 2 + 18 * s ^ 3 - 8 * s ^ 4) * before + (s - 4 * s ^ 2 + 5 * s ^ 3 - 2 * s ^ 4) * (h * slopes(:, 1)) ...
    + (16 * s ^ 2 - 32 * s ^ 3 + 16 * s ^ 4) * middle + (-5 * s ^ 2 + 14 * s ^ 3 - 8 * s ^ 4) * behind ...
    + (s ^ 2 - 3 * s ^ 3 + 2 * s ^ 4) * (h * slopes(:, 7));
end

% The polynomial through both ends of a step and their slopes.
function x = cubic(before, behind, slopes, h, s)
  x = ((1 + 2 * s) * (1 - s) ^ 2) * before + (s * (1 - s) ^ 2 * h) * slopes(:, 1) ...
    + ((3 - 2 * s) * s ^ 2) * behind + ((s - 1) * s ^ 2 * h) * slopes(:, size(slopes, 2));
end
