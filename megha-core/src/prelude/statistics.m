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
  if ~is_scalar_type(dim), refuse('weights are supported along one dimension'); end
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
  n = prod(size(x, dim));
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
  if ~isfloat(x), x = double(x); end
  if nargin < 2
    y = mean(x .* x);
  else
    y = sum(x .* x, dim) / prod(size(x, dim));
  end
end

function y = range(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  y = max(x, [], dim) - min(x, [], dim);
end

function y = center(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  y = x - sum(x, dim) / prod(size(x, dim));
end

function [y, m, s] = zscore(x, w, dim)
  if nargin < 2, w = 0; end
  if isempty(w), w = 0; end
  if nargin < 3, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  s = std(x, w, dim);
  m = sum(x, dim) / prod(size(x, dim));
  y = (x - m) ./ merge(s == 0, 1, s);
end

function m = median(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if ~is_scalar_type(dim), refuse('only one dimension is supported'); end
  if isempty(x)
    error('median: X cannot be an empty matrix');
  end
  if is_scalar_type(x)
    m = x;
  elseif islogical(x)
    % Of one of each in the middle it is true.
    m = median(double(x), dim) ~= 0;
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
  if is_vector_type(x) && (is_scalar_type(x) || dim == 1 + is_row_type(x))
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
      at = i - run + 1;
    end
  end
  m = s(at);
end

% Of the columns of one matrix, or of each column of one with each of the other. One number is no second sample, but says
% that the divisor is their number.
function c = cov(x, y, w)
  if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
  if ~isfloat(x), x = double(x); end
  if nargin > 2
    if w ~= 0 && w ~= 1, error('cov: normalization OPT must be 0 or 1'); end
    c = covariances(x, y, w);
  elseif nargin < 2
    c = covariances_of_one(x, 0);
  elseif is_scalar_type(y)
    if y ~= 0 && y ~= 1, error('cov: normalization OPT must be 0 or 1'); end
    c = covariances_of_one(x, y);
  else
    c = covariances(x, y, 0);
  end
end

function c = covariances_of_one(x, w)
  if is_scalar_type(x)
    c = 0;
  elseif is_vector_type(x)
    c = var(x, w);
    if numel(x) == 0, c = 0 / (w - 1); end
  else
    default_dimension(x);
    n = size(x, 1);
    d = x - sum(x, 1) / n;
    c = d' * d / merge(n == 1, 1, n - 1 + w);
  end
end

function c = covariances(x, y, w)
  if is_vector_type(x), x = x(:); end
  if is_vector_type(y), y = y(:); end
  n = size(x, 1);
  if size(y, 1) ~= n, error('cov: X and Y must have the same number of observations'); end
  dx = x - sum(x, 1) / n;
  dy = y - sum(y, 1) / n;
  % Of one number the covariance is zero.
  divisor = merge(n == 1, 1, n - 1 + w);
  if is_vector_type(x) && is_vector_type(y)
    c = sum(dx .* dy) / divisor;
  else
    c = dx' * dy / divisor;
  end
end

function r = corr(x, y)
  if nargin < 2
    if is_vector_type(x)
      r = 1;
    else
      c = cov(x);
      s = sqrt(diag(c));
      r = c ./ (s * s');
    end
  elseif is_vector_type(x) && is_vector_type(y)
    dx = x(:) - mean(x(:));
    dy = y(:) - mean(y(:));
    r = sum(dx .* dy) / sqrt(sum(dx .* dx) * sum(dy .* dy));
  else
    r = cov(x, y) ./ (std(x)' * std(y));
  end
end

% Of order p about the mean, or with 'r' about zero, with 'a' of absolute values.
function m = moment(x, p, a, b)
  if nargin < 3
    m = moment_along(x, p, '', default_dimension(x));
  elseif nargin < 4
    if is_text(a)
      m = moment_along(x, p, a, default_dimension(x));
    else
      m = moment_along(x, p, '', a);
    end
  elseif is_text(a)
    m = moment_along(x, p, a, b);
  else
    m = moment_along(x, p, b, a);
  end
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
    n = counts_at(at + 1, k + 1);
    n = n(2:k+1);
  end
end

% Counts in bins that are given by their number or their centers, of each column; the third argument is what they add up to.
function [n, centers] = hist(y, x, whole)
  if nargin < 2, x = 10; end
  if ndims(y) > 2, refuse('arrays of more than two dimensions are not supported'); end
  if is_scalar_type(x)
    centers = equal_centers(y, fix(x));
  else
    centers = double(x(:))';
  end
  if is_vector_type(y)
    n = counts_about(y, centers);
    if nargin > 2, n = n * (whole / sum(~isnan(y(:)))); end
  else
    n = zeros(numel(centers), size(y, 2));
    for j = 1:size(y, 2)
      n(:, j) = counts_about(y(:, j), centers).';
    end
    centers = centers.';
    if nargin > 2, n = n .* (whole ./ sum(~isnan(y), 1)); end
  end
end

function centers = equal_centers(y, k)
  if k <= 0, error('hist: number of bins NBINS must be positive'); end
  y = double(y(:));
  y = merge(isfinite(y), y, NaN);
  low = min(y);
  high = max(y);
  if low == high
    centers = (0:k-1) - floor((k - 1) / 2) + low;
  else
    centers = ((high - low) * (1:2:2*k) + 2 * k * low) / (2 * k);
  end
end

function n = counts_about(y, centers)
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
    column = nargin > 2 && numel(sz) == 2 && is_constant(sz(2)) && sz(2) == 1;
    if is_scalar_type(subs) || is_complex_type(values) || is_single(values) || isinteger(values) || nargin > 2 && ~column
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
      if nargin > 2
        n = sz(1);
      else
        n = max(subs);
      end
      if is_scalar_type(values)
        a = sums_at(subs, double(values), n);
      else
        a = sums_at(subs, double(values(:)), n);
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
  if is_vector_type(subs) && (is_scalar_type(subs) || ~is_row_type(subs))
    if isempty(sz)
      a = zeros(max(subs(:)), 1);
    else
      a = zeros(sz(1), sz(2));
    end
  else
    if size(subs, 2) ~= 2
      error('accumarray: subscripts of one or two columns are supported');
    end
    if isempty(sz)
      a = zeros(max(subs(:, 1)), max(subs(:, 2)));
    else
      a = zeros(sz(1), sz(2));
    end
    if any(subs(:, 1) > size(a, 1)) || any(subs(:, 2) > size(a, 2))
      error('accumarray: index out of range');
    end
    subs = subs(:, 1) + (subs(:, 2) - 1) * size(a, 1);
  end
  a = a + fill;
  if is_scalar_type(subs)
    a(subs) = f(values(1));
  else
    a = accumulated_lines(double(subs(:)), values, a, f, fill);
  end
end

% The places that several rows of subscripts name.
function a = accumulated_lines(places, values, a, f, fill)
  values = values(:) + zeros(numel(places), 1);
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
% Other methods are those of R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages (1996), by their numbers.
function q = quantile(x, p, dim, method)
  if nargin < 2, p = [0, 0.25, 0.5, 0.75, 1]; end
  if nargin < 4, method = 5; end
  if ~isfloat(x), x = double(x); end
  if ~is_constant(method), refuse('the method must be a number known when compiling'); end
  if nargin < 3 && is_vector_type(x)
    q = vector_quantiles(sort(x(:)), p, method);
  else
    if nargin < 3, dim = default_dimension(x); end
    q = with_lines(column_quantiles(lines_of(x, dim), p, method), x, dim);
  end
end

function q = vector_quantiles(s, p, method)
  if is_scalar_type(p)
    q = quantile_of(s, p, method);
  else
    q = zeros(size(p), 'like', s);
    for i = 1:numel(p)
      q(i) = quantile_of(s, p(i), method);
    end
  end
end

function q = column_quantiles(x, p, method)
  q = zeros(numel(p), size(x, 2), 'like', x);
  for j = 1:size(x, 2)
    s = sort(x(:, j));
    for i = 1:numel(p)
      q(i, j) = quantile_of(s, p(i), method);
    end
  end
end

% Of sorted numbers; those that are NaN, the last ones, do not count.
function q = quantile_of(s, p, method)
  n = sum(~isnan(s));
  switch method
    case 4
      place = p * n;
    case 5
      place = p * n + 0.5;
    case 6
      place = p * (n + 1);
    case 7
      place = p * (n - 1) + 1;
    case 8
      place = p * (n + 1/3) + 1/3;
    case 9
      place = p * (n + 0.25) + 0.375;
    otherwise
      refuse('the methods 4 to 9 are supported');
  end
  low = max(min(floor(place), n - 1), 1);
  part = max(min(place - low, 1), 0);
  high = max(min(low + 1, n), 1);
  q = merge(part == 0 | low == high, s(low), (1 - part) * s(low) + part * s(high));
  if p < 0 || p > 1
    q = convert_like(NaN, q);
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

% With the flag 0 without the bias of small samples.
function y = skewness(x, flag, dim)
  if nargin < 2, flag = 1; end
  if isempty(flag), flag = 1; end
  if nargin < 3, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  d = x - mean(x, dim);
  y = mean(d .^ 3, dim) ./ sqrt(mean(d .^ 2, dim)) .^ 3;
  if flag == 0
    n = prod(size(x, dim));
    y = y * merge(n > 2, sqrt(n * (n - 1)) / (n - 2), NaN);
  end
end

function y = kurtosis(x, flag, dim)
  if nargin < 2, flag = 1; end
  if isempty(flag), flag = 1; end
  if nargin < 3, dim = default_dimension(x); end
  if ~isfloat(x), x = double(x); end
  d = x - mean(x, dim);
  y = mean(d .^ 4, dim) ./ mean(d .^ 2, dim) .^ 2;
  if flag == 0
    n = prod(size(x, dim));
    y = 3 + merge(n > 3, (n - 1) / ((n - 2) * (n - 3)), NaN) * ((n + 1) * y - 3 * (n - 1));
  end
end

function m = moment_along(x, p, kind, dim)
  if ~isfloat(x), x = double(x); end
  switch kind
    case {'', 'c'}
      m = mean((x - mean(x, dim)) .^ p, dim);
    case {'a', 'ac', 'ca'}
      m = mean(abs(x - mean(x, dim)) .^ p, dim);
    case 'r'
      m = mean(x .^ p, dim);
    case {'ar', 'ra'}
      m = mean(abs(x) .^ p, dim);
    otherwise
      refuse('the kinds are c, a, r and ar');
  end
end

% Smallest, quartiles, largest, mean, standard deviation, skewness and kurtosis, along a dimension.
function y = statistics(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  if size(x, dim) < 2, error('statistics: dimension of X is too small (<2)'); end
  y = cat(dim, min(x, [], dim), quantile(x, [0.25; 0.5; 0.75], dim, 7), max(x, [], dim), mean(x, dim), ...
    std(x, [], dim), skewness(x, [], dim), kurtosis(x, [], dim));
end

% The place of each element in the order, equal ones at the middle of their places.
function r = ranks(x, dim)
  if nargin < 2, dim = default_dimension(x); end
  r = with_lines(column_ranks(lines_of(x, dim)), x, dim);
end

function r = column_ranks(x)
  r = zeros(size(x));
  for j = 1:size(x, 2)
    for i = 1:size(x, 1)
      below = 0;
      same = 0;
      for k = 1:size(x, 1)
        below = below + (x(k, j) < x(i, j));
        same = same + (x(k, j) == x(i, j));
      end
      r(i, j) = below + (same + 1) / 2;
    end
  end
end

function r = spearman(x, y)
  if ~is_vector_type(x) || ~is_vector_type(y), refuse('only vectors are supported'); end
  r = corr(ranks(x(:)), ranks(y(:)));
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
