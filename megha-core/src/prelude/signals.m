% Signals: trends, frequency responses and spectra.

function y = detrend(x, p)
  if nargin < 2, p = 1; end
  if ndims(x) > 2, refuse('arrays of more than two dimensions are not supported'); end
  if is_text(p)
    switch p
      case 'constant'
        y = detrend(x, 0);
      case 'linear'
        y = detrend(x, 1);
      otherwise
        error('detrend: P must be "constant", "linear", or a positive integer');
    end
  elseif is_row_type(x)
    y = without_trend(x.', p).';
  else
    y = without_trend(x, p);
  end
end

function y = without_trend(x, p)
  b = (1:size(x, 1))' .^ (0:p);
  y = x - b * (b \ x);
end

function [h, w] = freqz(b, a, n, region, rate)
  if nargin < 2, a = 1; end
  if nargin < 3, n = 512; end
  if nargin < 4
    [h, w] = response(b, a, n, false, 2 * pi);
  elseif nargin > 4
    [h, w] = response(b, a, n, strcmp(region, 'whole'), rate);
  elseif is_text(region)
    [h, w] = response(b, a, n, strcmp(region, 'whole'), 2 * pi);
  else
    [h, w] = response(b, a, n, false, region);
  end
end

function [h, w] = response(b, a, n, whole, rate)
  if is_scalar_type(n)
    if n < 1, error('freqz: N must be a positive integer'); end
    points = 2 * n;
    if whole, points = n; end
    w = rate * (0:n-1)' / points;
  else
    w = n;
  end
  [br, bi] = on_circle(b, 2 * pi / rate * w);
  [ar, ai] = on_circle(a, 2 * pi / rate * w);
  h = complex(br, bi) ./ complex(ar, ai);
end

% The parts of a polynomial in exp(-iw).
function [re, im] = on_circle(c, w)
  re = zeros(size(w));
  im = zeros(size(w));
  for k = 1:numel(c)
    re = re + c(k) * cos((k - 1) * w);
    im = im - c(k) * sin((k - 1) * w);
  end
end

function [power, f] = periodogram(x, window, n, rate)
  if ~is_vector_type(x), error('periodogram: X must be a real or complex vector'); end
  x = x(:);
  weight = numel(x);
  if nargin > 1
    if ~isempty(window)
      if numel(window) ~= numel(x), error('periodogram: WIN must be a vector of the same length as X'); end
      weight = sum(window(:) .* window(:));
      x = x .* window(:);
    end
  end
  if nargin < 3, n = []; end
  if isempty(n), n = max(256, 2 ^ nextpow2(numel(x))); end
  if nargin < 4, rate = 2 * pi; end
  if numel(x) > n, error('periodogram: fewer points than elements of X are not supported'); end
  p = abs(fft(x, n)) .^ 2 / weight / rate;
  % One side, with what the other has.
  m = floor(n / 2) + 1;
  k = (1:m)';
  power = p(k) + merge(k > 1 & 2 * (k - 1) < n, p(mod(n + 1 - k, n) + 1), 0);
  f = rate * (k - 1) / n;
end

% Values between equally spaced ones by their Fourier series.
function y = interpft(x, n, dim)
  if nargin < 3
    dim = 1;
    if is_row_type(x), dim = 2; end
  end
  if n ~= fix(n), error('interpft: N must be a scalar integer'); end
  y = with_lines(columns_by_series(lines_of(x, dim), n), x, dim);
end

function y = columns_by_series(x, n)
  m = size(x, 1);
  inc = ceil(m / n);
  total = n * inc;
  f = fft(x, [], 1) / m;
  k = ceil(m / 2);
  z = complex(zeros(total, size(x, 2)));
  z(1:k, :) = f(1:k, :);
  z(total - m + k + 1:total, :) = f(k + 1:m, :);
  if total > m && 2 * k == m
    z(k + 1, :) = f(k + 1, :) / 2;
    z(total - k + 1, :) = f(k + 1, :) / 2;
  end
  y = real(total * ifft(z, [], 1));
  y = y(1:inc:total, :);
end

function y = fftconv(a, b)
  y = conv(a, b);
end

function y = fftfilt(b, x)
  y = filter(b, 1, x);
end
