% Statistics of samples, and counts.

function v = var(x, w, dim)
  if nargin < 2
    w = 0;
  elseif isempty(w)
    w = 0;
  end
  if nargin < 3, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  if is_scalar_type(w)
    v = plain_variance(x, w, dim);
  else
    v = weighted_variance(x, w, dim);
  end
end

function v = weighted_variance(x, w, dim)
  n = size(x, dim);
  if dim > 2, refuse('weights are supported along the first two dimensions'); end
  if numel(w) ~= n
    error('var: the length of W must be equal to the size of X in the dimension along which variance is calculated');
  end
  if any(w(:) < 0)
    error('var: W must be 0, 1, or a vector of positive integers');
  end
  if dim == 1
    w = reshape(w, n, 1);
  else
    w = reshape(w, 1, n);
  end
  whole = sum(w(:));
  d = x - sum(w .* x, dim) / whole;
  v = sum(w .* real(d .* conj(d)), dim) / whole;
end

function v = plain_variance(x, w, dim)
  n = size(x, dim);
  m = sum(x, dim) / n;
  d = x - m;
  k = n - 1 + (w == 1 || n == 1);
  % Of no elements the mean is NaN, and so is the variance.
  v = sum(real(d .* conj(d)), dim) / k + 0 * real(m);
end

function s = std(x, w, dim)
  if nargin < 2
    s = sqrt(abs(var(x)));
  elseif nargin < 3
    s = sqrt(abs(var(x, w)));
  else
    s = sqrt(abs(var(x, w, dim)));
  end
end

function y = meansq(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = sum(x .* x, dim) / size(x, dim);
end

function y = range(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = max(x, [], dim) - min(x, [], dim);
end

function y = center(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = x - sum(x, dim) / size(x, dim);
end

function y = zscore(x)
  dim = default_dimension(x);
  s = std(x, 0, dim);
  y = (x - sum(x, dim) / size(x, dim)) ./ merge(s == 0, 1, s);
end

function m = median(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if isempty(x)
    error('median: X cannot be an empty matrix');
  end
  if is_scalar_type(x)
    m = x;
  elseif isinteger(x)
    if integer_bits(x) > 32, refuse('64-bit integers are not supported; convert with double(..)'); end
    m = median(double(x), dim);
    if mod(size(x, dim), 2) == 0
      % The sum of the two in the middle is of their class.
      m = double(convert_like(2 * m, x)) / 2;
    end
    m = convert_like(m, x);
  elseif ndims(x) > 2 || dim > 2
    m = with_lines(column_medians(lines_of(x, dim)), x, dim);
  elseif dim == 1
    m = column_medians(x);
  else
    s = middle_elements(x, 2);
    m = between(s(:, 1), s(:, 2));
  end
end

function m = column_medians(x)
  s = middle_elements(x, 1);
  m = between(s(1, :), s(2, :));
end

% Equal ones may be too large to be added.
function m = between(low, high)
  m = merge(low == high, low, (low + high) / 2);
end

function [m, f] = mode(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if is_vector_type(x) && (is_scalar_type(x) || is_row_type(x) == (dim == 2))
    [m, f] = sorted_mode(sort(x(:), 1));
  else
    [m, f] = column_modes(lines_of(x, dim));
    m = with_lines(m, x, dim);
    f = with_lines(f, x, dim);
  end
end

function [m, f] = column_modes(x)
  s = sort(x, 1);
  m = zeros(1, size(x, 2), 'like', x);
  f = zeros(1, size(x, 2));
  for j = 1:size(x, 2)
    [m(1, j), f(1, j)] = sorted_mode(s(:, j));
  end
end

% The first of the longest runs of equal elements.
function [m, f] = sorted_mode(s)
  f = 0;
  run = 0;
  at = 1;
  for i = 1:numel(s)
    run = run + 1;
    if i > 1
      if s(i) ~= s(i - 1)
        run = 1;
      end
    end
    if run > f
      f = run;
      at = i;
    end
  end
  m = s(at);
end

function c = cov(x, y)
  if nargin > 1
    c = sum((x(:) - mean(x(:))) .* (y(:) - mean(y(:)))) / max(numel(x) - 1, 1);
  elseif is_vector_type(x)
    c = var(x);
  else
    default_dimension(x);
    d = x - sum(x, 1) / size(x, 1);
    c = (d' * d) / max(size(x, 1) - 1, 1);
  end
end

function r = corr(x, y)
  if ~is_vector_type(x) || ~is_vector_type(y), refuse('only vectors are supported'); end
  dx = x(:) - mean(x(:));
  dy = y(:) - mean(y(:));
  r = sum(dx .* dy) / sqrt(sum(dx .* dx) * sum(dy .* dy));
end

function r = corrcoef(x, y)
  if nargin > 1
    k = corr(x(:), y(:));
    r = [1, k; k, 1];
  else
    c = cov(x);
    s = sqrt(abs(diag(c)));
    r = c ./ (s * s');
  end
end

function [n, at] = histc(x, edges, dim)
  if is_vector_type(x)
    [n, at] = counts(x(:), edges);
    at = reshape(at, size(x));
    if is_row_type(x), n = n.'; end
  else
    if nargin < 3, dim = default_dimension(x); end
    c = lines_of(x, dim);
    n = zeros(numel(edges), size(c, 2));
    at = zeros(size(c));
    for j = 1:size(c, 2)
      [counted, place] = counts(c(:, j), edges);
      n(:, j) = counted;
      at(:, j) = place;
    end
    n = with_lines(n, x, dim);
    at = with_lines(at, x, dim);
  end
end

% The last edge is an interval of its own: what lies above it does not count.
function [n, at] = counts(x, edges)
  k = numel(edges);
  if is_single(x) || is_single(edges)
    x = single(x);
    edges = single(edges);
  end
  x = double(x);
  edges = double(edges);
  at = lookup(edges, x);
  if k > 0
    at = merge(at == k & x ~= edges(k), 0, at);
  end
  if is_scalar_type(at)
    n = double((1:k)' == at);
  else
    n = sums_at(at + 1, 1, k + 1);
    n = n(2:k+1);
  end
end

function [n, centers] = hist(y, x)
  if ~is_vector_type(y), refuse('only vectors are supported; use y(:)'); end
  if nargin < 2, x = 10; end
  if is_scalar_type(x)
    low = min(y);
    high = max(y);
    if low == high
      low = low - 0.5;
      high = high + 0.5;
    end
    half = (high - low) / x / 2;
    centers = linspace(low + half, high - half, x);
  else
    centers = x(:)';
  end
  k = numel(centers);
  n = zeros(1, k);
  for i = 1:numel(y)
    if ~isnan(y(i))
      b = 1;
      while b < k && y(i) > (centers(b) + centers(min(b + 1, k))) / 2
        b = b + 1;
      end
      n(b) = n(b) + 1;
    end
  end
end

function a = accumarray(subs, values, sz, f, fill)
  if nargin > 4
    if isempty(f)
      a = accumulated(subs, values, sz, @(members) sum(members), fill);
    else
      a = accumulated(subs, values, sz, f, fill);
    end
  elseif nargin > 3
    a = accumulated(subs, values, sz, f, 0);
  elseif is_vector_type(subs) && (is_scalar_type(subs) || ~is_row_type(subs))
    if is_scalar_type(subs) || is_complex_type(values) || is_single(values) || isinteger(values) || nargin > 2
      if nargin < 3
        a = zeros(max(subs(:)), 1);
      else
        a = zeros(sz(1), sz(2));
      end
      for i = 1:numel(subs)
        p = subs(i);
        a(p) = a(p) + values(min(i, numel(values)));
      end
    else
      if numel(values) ~= 1 && numel(values) ~= numel(subs)
        error('accumarray: dimension mismatch');
      end
      subs = double(subs);
      if is_scalar_type(values)
        a = sums_at(subs, double(values), max(subs));
      else
        a = sums_at(subs, double(values(:)), max(subs));
      end
    end
  else
    % One row is one place, as any row is.
    if size(subs, 2) ~= 2
      error('accumarray: subscripts of one or two columns are supported');
    end
    if nargin < 3
      a = zeros(max(subs(:, 1)), max(subs(:, 2)));
    else
      a = zeros(sz(1), sz(2));
    end
    for i = 1:size(subs, 1)
      r = subs(i, 1);
      c = subs(i, 2);
      a(r, c) = a(r, c) + values(min(i, numel(values)));
    end
  end
end

function a = accumulated(subs, values, sz, f, fill)
  if ~is_vector_type(subs), refuse('a function is supported with a vector of subscripts'); end
  if isempty(sz)
    a = zeros(max(subs(:)), 1);
  else
    a = zeros(sz(1), sz(2));
  end
  a = a + fill;
  places = double(subs(:));
  values = values(:) + zeros(numel(subs), 1);
  counts = sums_at(places, 1, numel(a));
  if strcmp(func2str(f), 'max') && isfloat(values)
    a = extremes_at(places, values, zeros(size(a, 1), size(a, 2), 'like', values), fill, 1);
  elseif strcmp(func2str(f), 'min') && isfloat(values)
    a = extremes_at(places, values, zeros(size(a, 1), size(a, 2), 'like', values), fill, -1);
  else
    % Members of a place side by side, in their order.
    last = cumsum(counts);
    next = last - counts;
    members = values;
    for i = 1:numel(places)
      p = places(i);
      next(p) = next(p) + 1;
      members(next(p)) = values(i);
    end
    for p = 1:numel(a)
      if counts(p) > 0
        a(p) = f(members(last(p)-counts(p)+1:last(p)));
      end
    end
  end
end

% Where there are no values stands Octave's neutral value, which is the one to fill with only if that is zero and no value lies beyond it.
function a = extremes_at(places, values, a, fill, sign)
  if fill ~= 0 || ~all(values * sign >= 0), a(:) = NaN; end
  for i = 1:numel(places)
    p = places(i);
    if values(i) * sign > a(p) * sign || isnan(a(p))
      a(p) = values(i);
    end
  end
end

% Octave's and MATLAB's rule: the sorted elements stand at (k - 0.5) / n.
function q = quantile(x, p, dim)
  if nargin < 2, p = [0, 0.25, 0.5, 0.75, 1]; end
  if nargin < 3 && is_vector_type(x)
    q = vector_quantiles(sort(x(:)), p);
  else
    if nargin < 3, dim = default_dimension(x); end
    q = with_lines(column_quantiles(lines_of(x, dim), p), x, dim);
  end
end

function q = vector_quantiles(s, p)
  if is_scalar_type(p)
    q = quantile_of(s, p);
  else
    q = zeros(size(p));
    for i = 1:numel(p)
      q(i) = quantile_of(s, p(i));
    end
  end
end

function q = column_quantiles(x, p)
  q = zeros(numel(p), size(x, 2));
  for j = 1:size(x, 2)
    s = sort(x(:, j));
    for i = 1:numel(p)
      q(i, j) = quantile_of(s, p(i));
    end
  end
end

% Of sorted numbers; those that are NaN, the last ones, do not count.
function q = quantile_of(s, p)
  n = sum(~isnan(s));
  place = p * n + 0.5;
  low = max(min(floor(place), n - 1), 1);
  part = max(min(place - low, 1), 0);
  q = (1 - part) * s(low) + part * s(max(min(low + 1, n), 1));
  if p < 0 || p > 1
    q = NaN;
  end
end

function q = prctile(x, p, dim)
  if nargin < 2, p = [0, 25, 50, 75, 100]; end
  if nargin < 3
    q = quantile(x, p / 100);
  else
    q = quantile(x, p / 100, dim);
  end
end

% Means of windows that are cut off at the ends.
function y = movmean(x, width)
  if ~is_scalar_type(width), refuse('the window is one number'); end
  if ~is_vector_type(x), refuse('only vectors are supported'); end
  n = numel(x);
  y = zeros(size(x));
  for i = 1:n
    low = max(i - floor(width / 2), 1);
    high = min(i + ceil(width / 2) - 1, n);
    y(i) = sum(x(low:high)) / (high - low + 1);
  end
end

function y = skewness(x)
  dim = default_dimension(x);
  d = x - mean(x, dim);
  y = mean(d .^ 3, dim) ./ sqrt(mean(d .^ 2, dim)) .^ 3;
end

function y = kurtosis(x)
  dim = default_dimension(x);
  d = x - mean(x, dim);
  y = mean(d .^ 4, dim) ./ mean(d .^ 2, dim) .^ 2;
end

function y = movmedian(x, width)
  if ~is_scalar_type(width), refuse('the window is one number'); end
  if ~is_vector_type(x), refuse('only vectors are supported'); end
  n = numel(x);
  y = zeros(size(x));
  for i = 1:n
    low = max(i - floor(width / 2), 1);
    high = min(i + ceil(width / 2) - 1, n);
    part = sort(reshape(x(low:high), high - low + 1, 1));
    k = high - low + 1;
    y(i) = (part(floor((k + 1) / 2)) + part(floor(k / 2) + 1)) / 2;
  end
end

function [low, high] = bounds(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  low = min(x, [], dim);
  high = max(x, [], dim);
end

function y = mad(x, kind, dim)
  if nargin < 2, kind = 0; end
  if nargin < 3, dim = default_dimension(x); end
  if kind == 0
    y = mean(abs(x - mean(x, dim)), dim);
  else
    y = median(abs(x - median(x, dim)), dim);
  end
end

function y = iqr(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = diff(quantile(x, [0.25, 0.75], dim), 1, dim);
end
