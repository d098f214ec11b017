% Whole numbers, roots, and functions of single numbers.

function p = primes(n)
  if ~(n < Inf), error('primes: N must be finite (not +Inf or NaN)'); end
  m = max(floor(n), 2);
  prime = true(1, m);
  prime(1) = false;
  prime(2) = n >= 2;
  for i = 2:floor(sqrt(m))
    if prime(i)
      for j = i*i:i:m
        prime(j) = false;
      end
    end
  end
  p = find(prime);
end

% Of a number below zero what holds of its absolute value.
function y = isprime(x)
  if any(fix(x) ~= x), error('isprime: X contains non-integer entries'); end
  if is_scalar_type(x)
    y = prime_number(double(abs(x)));
  else
    y = false(size(x));
    for i = 1:numel(x)
      y(i) = prime_number(double(abs(x(i))));
    end
  end
end

function y = prime_number(n)
  y = n == 2 || (n > 2 && mod(n, 2) == 1);
  d = 3;
  while y && d * d <= n
    y = mod(n, d) ~= 0;
    d = d + 2;
  end
end

function [f, count] = factor(n)
  if nargout > 1
    all = prime_factors(n);
    f = unique(all);
    count = zeros(size(f));
    for i = 1:numel(f)
      count(i) = sum(all == f(i));
    end
  else
    f = prime_factors(n);
  end
end

function f = prime_factors(n)
  f = zeros(1, 0);
  m = n;
  d = 2;
  while m > 1
    if d * d > m
      d = m;
    end
    if mod(m, d) == 0
      m = m / d;
      f(end + 1) = d;
    else
      d = d + 1;
    end
  end
  if isempty(f), f = n; end
end

function y = factorial(n)
  if any(n(:) < 0 | n(:) ~= fix(n(:)))
    error('factorial: all N must be real non-negative integers');
  end
  y = round(gamma(n + 1));
end

function c = nchoosek(n, k)
  if is_scalar_type(n)
    if n < k || n ~= fix(n) || k < 0 || k ~= fix(k)
      error('nchoosek: N must be a non-negative integer >= K');
    end
    k = min(k, n - k);
    c = 1;
    for i = 1:k
      c = c * (n - k + i) / i;
      c = round(c);
    end
  else
    c = combinations(n, k);
  end
end

% The ways to choose from the elements of a vector, a row for each.
function c = combinations(v, k)
  n = numel(v);
  count = 0;
  if k <= n
    count = nchoosek(n, k);
  end
  c = zeros(count, k);
  at = 1:k;
  for r = 1:count
    for j = 1:k
      c(r, j) = v(at(j));
    end
    last = 0;
    for j = 1:k
      if at(j) < n - k + j
        last = j;
      end
    end
    if last > 0
      at(last) = at(last) + 1;
      for j = last+1:k
        at(j) = at(j - 1) + 1;
      end
    end
  end
end

function y = cast(x, name)
  switch name
    case 'double'
      y = double(x);
    case 'single'
      y = single(x);
    case 'logical'
      y = logical(x);
    case 'int8'
      y = int8(x);
    case 'int16'
      y = int16(x);
    case 'int32'
      y = int32(x);
    case 'int64'
      y = int64(x);
    case 'uint8'
      y = uint8(x);
    case 'uint16'
      y = uint16(x);
    case 'uint32'
      y = uint32(x);
    case 'uint64'
      y = uint64(x);
    otherwise
      refuse('the class must be numeric or logical');
  end
end

function y = flintmax(class_name)
  if nargin < 1
    y = 9007199254740992;
  elseif strcmp(class_name, 'single')
    y = single(16777216);
  elseif strcmp(class_name, 'double')
    y = 9007199254740992;
  else
    error('flintmax: not defined for this class');
  end
end

function y = mpower(a, b)
  y = a ^ b;
end

function y = betaln(a, b)
  s = sign_of_gamma(a) .* sign_of_gamma(b) .* sign_of_gamma(a + b);
  if any(s(:) < 0)
    error('betaln: the logarithm of a negative number is complex');
  end
  y = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
end

function s = sign_of_gamma(x)
  s = merge(x < 0 & mod(floor(x), 2) == 1 & x ~= fix(x), -1, 1);
end

% With three results also the factors of a linear combination that is the divisor.
function [y, u, v] = gcd(a, b, varargin)
  if nargin > 2
    if nargout > 1, refuse('with several results it takes two numbers'); end
    y = gcd(gcd(a, b), varargin{:});
  elseif nargout > 1
    if ~is_scalar_type(a) || ~is_scalar_type(b), refuse('with three results it takes numbers'); end
    [y, u, v] = combined_divisor(a, b);
  elseif isinteger(a) && ~isinteger(b)
    y = gcd(a, convert_like(b, a));
  elseif isinteger(b) && ~isinteger(a)
    y = gcd(convert_like(a, b), b);
  elseif is_scalar_type(a) && is_scalar_type(b)
    y = common_divisor(abs(a), abs(b));
  else
    x = abs(a) + zeros(size(b), 'like', b);
    z = abs(b) + zeros(size(a), 'like', a);
    y = x;
    for i = 1:numel(x)
      y(i) = common_divisor(x(i), z(i));
    end
  end
end

function [p, u, v] = combined_divisor(a, b)
  p = abs(a);
  q = abs(b);
  all_whole(p, q);
  u = 1;
  v = 0;
  s = 0;
  t = 1;
  while q ~= 0
    k = floor(p / q);
    r = mod(p, q);
    p = q;
    q = r;
    r = u - k * s;
    u = s;
    s = r;
    r = v - k * t;
    v = t;
    t = r;
  end
  if a < 0, u = -u; end
  if b < 0, v = -v; end
end

% Of NaN and infinite numbers Euclid's algorithm would not end.
function all_whole(p, q)
  if ~isinteger(p) && ~isinteger(q) && (p ~= fix(p) || q ~= fix(q) || p == Inf || q == Inf)
    error('gcd: all values must be integers');
  end
end

% Euclid's algorithm. Of doubles below 2^53 the remainder is exact by quotient and product: rounding takes no quotient to the next whole number.
function p = common_divisor(p, q)
  all_whole(p, q);
  if ~isinteger(p) && ~isinteger(q) && ~is_single(p) && ~is_single(q) && p < flintmax && q < flintmax
    while q ~= 0
      r = p - q * floor(p / q);
      p = q;
      q = r;
    end
  else
    while q ~= 0
      r = mod(p, q);
      p = q;
      q = r;
    end
  end
end

% The quotient comes first, so that the product does not leave the class; its sign is that of both, as in Octave.
function y = lcm(a, b, varargin)
  g = gcd(a, b);
  y = a .* (b ./ merge(g == 0, ones(1, 1, 'like', g), g));
  if nargin > 2, y = lcm(y, varargin{:}); end
end

function i = sub2ind(dims, r, c, p)
  if any(r(:) < 1 | r(:) > dims(1)) || any(c(:) < 1 | c(:) > dims(2))
    error('sub2ind: index out of range');
  end
  i = double(r) + (double(c) - 1) * double(dims(1));
  if nargin > 3
    if any(p(:) < 1 | p(:) > dims(3))
      error('sub2ind: index out of range');
    end
    i = i + (double(p) - 1) * (double(dims(1)) * double(dims(2)));
  end
end

function [r, c, p] = ind2sub(dims, i)
  m = dims(1);
  if any(i(:) < 1 | i(:) > prod(dims))
    error('ind2sub: index out of range');
  end
  if nargout < 2
    r = i;
  else
    r = mod(i - 1, m) + 1;
    c = floor((i - 1) / m) + 1;
    if nargout > 2
      n = dims(2);
      p = floor((c - 1) / n) + 1;
      c = mod(c - 1, n) + 1;
    end
  end
end

% Octave's arithmetic, in the integer class: the rounded quotient is corrected.
function z = idivide(x, y, op)
  if nargin < 3, op = 'fix'; end
  z = x ./ y;
  switch op
    case 'fix'
      z = z - merge(y > 0, 1, -1) .* (z .* y > x);
    case 'floor'
      z = z - merge(y > 0, z .* y > x, z .* y < x);
    case 'ceil'
      z = z + merge(y > 0, z .* y < x, z .* y > x);
    case 'round'
    otherwise
      refuse('it rounds by fix, floor, ceil or round');
  end
end

function y = bitshift(a, n)
  if any(n(:) ~= fix(n(:))) || any(abs(n(:)) == Inf)
    error('bitshift: K must be a scalar or array of integers');
  end
  % No number has so many bits, and none becomes infinite on the way.
  n = min(max(double(n), -64), 64);
  if isinteger(a)
    % The sign's bit is reached from the next one, not by a longer way.
    up = merge(double(intmin_like(a)) < 0 & n >= integer_bits(a) - 1, 64, n);
    y = merge(n < 0, shifted_right(a, convert_like(-n, a)), shifted_left(a, convert_like(up, a)));
  else
    if any(a(:) < 0 | a(:) ~= fix(a(:)))
      error('bitshift: a must be whole and not negative');
    end
    y = mod(floor(a .* 2 .^ n), 2 ^ 53);
  end
end

function y = bitcmp(a, k)
  if nargin > 1
    y = complement_of_bits(a, k);
  elseif isinteger(a)
    y = bitxor(a, convert_like(merge(double(intmin_like(a)) < 0, -1, 2 ^ integer_bits(a) - 1), a));
  else
    y = 2 ^ 53 - 1 - bits_of_float(a);
  end
end

% The whole number whose bits functions of bits take, as a conversion to uint64 rounds.
function y = bits_of_float(a)
  y = max(round(a), 0);
end

% A number of bits, or MATLAB's name of the class that doubles are taken for.
function y = complement_of_bits(a, k)
  if is_text(k)
    switch k
      case 'uint8'
        k = 8;
      case 'uint16'
        k = 16;
      case 'uint32'
        k = 32;
      otherwise
        refuse('it takes doubles for uint8, uint16 or uint32');
    end
  end
  if isinteger(a) && double(intmin_like(a)) < 0
    refuse('the bits of signed integers are complemented all or none');
  end
  if any(k(:) < 1 | k(:) > 53), error('bitcmp: K must be in the range [1,53]'); end
  ones = 2 .^ double(k);
  y = convert_like(ones - 1 - mod(double(a), ones), a);
end

function y = bitget(a, n)
  if isinteger(a)
    y = bitand(a, bitshift(convert_like(1, a), double(n) - 1)) ~= 0;
  else
    if isfloat(a), a = bits_of_float(a); end
    y = mod(floor(double(a) .* 2 .^ (1 - double(n))), 2) == 1;
  end
end

function y = bitset(a, n, value)
  if nargin < 3, value = 1; end
  if any(a(:) < 0), error('bitset: A must be >= 0'); end
  if isinteger(a)
    bit = bitshift(convert_like(1, a), double(n) - 1);
    y = merge(value ~= 0, bitor(a, bit), bitand(a, bitcmp(bit)));
    return
  end
  p = 2 .^ (double(n) - 1);
  d = double(a);
  if isfloat(a), d = bits_of_float(d); end
  one = mod(floor(d ./ p), 2);
  y = convert_like(d + p .* ((value ~= 0) - one), a);
end

function y = nthroot(x, n)
  if ~is_scalar_type(n), refuse('the order must be one number'); end
  if any(x(:) < 0) && mod(n, 2) ~= 1
    error('nthroot: N must be an odd integer if X contains negative values');
  end
  if isinteger(x) && abs(n) == 3, x = double(x); end
  if n < 0
    y = 1 ./ positive_root(x, -n);
  else
    y = positive_root(x, n);
  end
end

function y = positive_root(x, n)
  if islogical(x), x = double(x); end
  y = sign(x) .* abs(x) .^ (1 / n);
  better = ((x ./ (y .^ (n - 1))) + y * (n - 1)) / n;
  y = merge(isfinite(better) & y ~= 0, better, y);
end

function y = cbrt(x)
  y = nthroot(x, 3);
end

% What an array must hold for a store through these subscripts.
function m = largest_or_zero(subscripts)
  if isempty(subscripts)
    m = 0;
  else
    m = max(subscripts(:), [], 1);
  end
end

function y = eps_of(x)
  a = abs(x);
  e = floor(log2(merge(a > 0, a, 1)));
  p = 2 .^ e;
  e = e - (p > a) + (2 * p <= a);
  if is_single(x)
    y = 2 .^ max(e - 23, -149);
  else
    y = 2 .^ max(merge(a > 0, e, -1074) - 52, -1074);
  end
  y = merge(isfinite(a), y, NaN);
end

function y = nextpow2(x)
  a = double(abs(x));
  e = ceil(log2(merge(a > 0, a, 1)));
  e = e - (2 .^ (e - 1) >= a) + (2 .^ e < a);
  y = merge(a == 0, 0, merge(isnan(a), a, e));
end

function y = sec(x)
  y = 1 ./ cos(x);
end

function y = csc(x)
  y = 1 ./ sin(x);
end

function y = cot(x)
  y = 1 ./ tan(x);
end

function y = sech(x)
  y = 1 ./ cosh(x);
end

function y = csch(x)
  y = 1 ./ sinh(x);
end

function y = coth(x)
  y = 1 ./ tanh(x);
end

function y = asec(x)
  y = acos(1 ./ x);
end

function y = acsc(x)
  y = asin(1 ./ x);
end

function y = acot(x)
  y = atan(1 ./ x);
end

function y = acoth(x)
  y = atanh(1 ./ x);
end

function y = sinc(x)
  y = merge(x == 0, 1, sin(pi * x) ./ (pi * merge(x == 0, 1, x)));
end

function y = pow2(x, e)
  if nargin < 2
    y = 2 .^ x;
  else
    y = x .* 2 .^ e;
  end
end

function y = asech(x)
  y = acosh(1 ./ x);
end

function y = acsch(x)
  y = asinh(1 ./ x);
end

function y = secd(x)
  y = 1 ./ cosd(x);
end

function y = cscd(x)
  y = 1 ./ sind(x);
end

function y = cotd(x)
  y = 1 ./ tand(x);
end

function y = atan2d(y, x)
  y = 180 / pi * atan2(y, x);
end

function y = signbit(x)
  y = x < 0 | (x == 0 & 1 ./ x < 0);
end

% Of a number that need not be whole (M. Abramowitz and I. A. Stegun, 6.1.21).
function y = bincoeff(n, k)
  if is_scalar_type(n) && is_scalar_type(k)
    y = coefficient(n, k);
  else
    if is_scalar_type(n), n = n + zeros(size(k)); end
    if is_scalar_type(k), k = k + zeros(size(n)); end
    y = zeros(size(n));
    for i = 1:numel(n)
      y(i) = coefficient(n(i), k(i));
    end
  end
end

function y = coefficient(n, k)
  if isnan(n) || k < 0 || k ~= fix(k)
    y = NaN;
  else
    y = 1;
    for i = 1:k
      y = y * (n - k + i) / i;
    end
    if n == fix(n), y = round(y); end
  end
end

function p = list_primes(n)
  if nargin < 1, n = 25; end
  p = zeros(1, n);
  k = 0;
  candidate = 1;
  while k < n
    candidate = candidate + 1;
    if prime_number(candidate)
      k = k + 1;
      p(k) = candidate;
    end
  end
end

function y = asind(x)
  y = asin(x) * 180 / pi;
end

function y = acosd(x)
  y = acos(x) * 180 / pi;
end

function y = atand(x)
  y = 180 / pi * atan(x);
end

function z = realpow(x, y)
  if any(x(:) < 0) && any(y(:) ~= fix(y(:)))
    error('realpow: produced complex result');
  end
  z = x .^ y;
end

function y = sind(x)
  x = mod(x - 180, 360) - 180;
  y = merge(x == -180, 0, sin(x / 180 * pi));
end

function y = cosd(x)
  y = sind(x + 90);
end

function y = tand(x)
  turns = x / 180;
  y = merge(mod(turns, 1) == 0, 0, merge(mod((x - 90) / 180, 1) == 0, Inf, tan(turns * pi)));
end

function y = deg2rad(x)
  y = x * (pi / 180);
end

function y = rad2deg(x)
  y = x * (180 / pi);
end

function y = logspace(a, b, n)
  if nargin < 3, n = 50; end
  % Octave and MATLAB take pi for the end of the unit circle, not a power.
  if b == pi, b = log10(pi); end
  y = 10 .^ linspace(a, b, n);
end

% Stirling's series after the recurrence has led to large arguments; around the zeros 1 and 2 the Taylor series at 2 (Abramowitz
% and Stegun, 6.1.33), whose coefficients are (-1)^k (zeta(k) - 1) / k.
function y = log_gamma(x)
  small = x < 0.5;
  a = merge(small, 1 - x, x);
  product = merge(a < 15, a, 1) .* merge(a < 14, a + 1, 1) .* merge(a < 13, a + 2, 1) .* merge(a < 12, a + 3, 1) .* merge(a < 11, a + 4, 1);
  product = product .* merge(a < 10, a + 5, 1) .* merge(a < 9, a + 6, 1) .* merge(a < 8, a + 7, 1) .* merge(a < 7, a + 8, 1) .* merge(a < 6, a + 9, 1);
  product = product .* merge(a < 5, a + 10, 1) .* merge(a < 4, a + 11, 1) .* merge(a < 3, a + 12, 1) .* merge(a < 2, a + 13, 1) .* merge(a < 1, a + 14, 1);
  b = a + max(ceil(15 - a), 0);
  r = 1 ./ (b .* b);
  series = (1/12 - r .* (1/360 - r .* (1/1260 - r .* (1/1680 - r .* (1/1188 - r * (691/360360)))))) ./ b;
  y = (b - 0.5) .* log(b) - b + 0.5 * log(2 * pi) + series - log(product);
  y = merge(small, log(pi ./ abs(sin(pi * x))) - y, y);
  z = merge(x < 1.5, x - 1, x - 2);
  near = abs(z) <= 0.5;
  z = merge(near, z, 0);
  taylor = ((((1.3304764374244489e-10) .* z - 2.7595228851242331e-10) .* z + 5.731367241678862e-10) .* z - 1.1921401405860912e-9) .* z;
  taylor = ((((taylor + 2.4836745438024783e-9) .* z - 5.1834750419700467e-9) .* z + 1.0838659214896954e-8) .* z - 2.2711094608943165e-8) .* z;
  taylor = ((((taylor + 4.7698101693639806e-8) .* z - 1.00432248239681e-7) .* z + 2.1207184805554666e-7) .* z - 4.492469198764566e-7) .* z;
  taylor = ((((taylor + 9.5514121304074198e-7) .* z - 2.0392157538013662e-6) .* z + 4.3748667899074878e-6) .* z - 9.4394882752683959e-6) .* z;
  taylor = ((((taylor + 2.0507212775670692e-5) .* z - 4.4926236738133142e-5) .* z + 9.9457512781808534e-5) .* z - 0.00022315475845357938) .* z;
  taylor = ((((taylor + 0.00050966952474304242) .* z - 0.001192753911703261) .* z + 0.0028905103307415233) .* z - 0.0073855510286739853) .* z;
  taylor = ((((taylor + 0.020580808427784548) .* z - 0.067352301053198095) .* z + 0.32246703342411322) .* z + 0.42278433509846714) .* z;
  y = merge(near, taylor - merge(x < 1.5, log1p(z), 0), y);
  % Infinities and the poles, the whole numbers up to 0.
  y = merge(x == Inf | (x <= 0 & x == fix(x)), Inf, y);
end

function y = gammaln(x)
  if ~isfloat(x), x = double(x); end
  s = sign_of_gamma(x);
  if any(s(:) < 0)
    error('gammaln: the logarithm of a negative number is complex');
  end
  y = log_gamma(x);
end

function y = lgamma(x)
  y = gammaln(x);
end

function y = beta(a, b)
  c = a + b;
  if ~isfloat(a), a = double(a); end
  if ~isfloat(b), b = double(b); end
  if ~isfloat(c), c = double(c); end
  y = sign_of_gamma(a) .* sign_of_gamma(b) .* sign_of_gamma(c) .* exp(log_gamma(a) + log_gamma(b) - log_gamma(c));
end

% Each row is the permutation that precedes that of the row above.
function p = perms(v)
  n = numel(v);
  m = factorial(n);
  p = v(ones(m, n));
  order = n:-1:1;
  for k = 1:m
    for j = 1:n
      p(k, j) = v(order(j));
    end
    i = n - 1;
    while i > 0 && order(i) < order(i + 1)
      i = i - 1;
    end
    if i > 0
      j = n;
      while order(j) > order(i)
        j = j - 1;
      end
      held = order(i);
      order(i) = order(j);
      order(j) = held;
      order(i + 1:n) = order(n:-1:i + 1);
    end
  end
end

% Winitzki's approximation, then Halley's method: each step triples the digits.
function x = erfinv(y)
  a = merge(abs(y) < 1, abs(y), 0);
  l = log1p(-a .* a);
  b = 2 / (pi * 0.147) + l / 2;
  x = sqrt(sqrt(b .* b - l / 0.147) - b);
  for step = 1:3
    e = merge(a > 0.5, (1 - a) - erfc(x), erf(x) - a) .* exp(x .* x) * (sqrt(pi) / 2);
    x = x - e ./ (1 + x .* e);
  end
  x = merge(abs(y) == 1, Inf, merge(abs(y) < 1, x, NaN)) .* merge(y < 0, -1, 1);
end

% x = f * 2 ^ e with 0.5 <= abs(f) < 1, or zero.
function [f, e] = binary_parts(x)
  if ~isfloat(x), x = double(x); end
  f = x;
  e = zeros(size(x), 'like', x);
  for k = 1:numel(x)
    v = abs(x(k));
    if v > 0 && v < Inf
      n = floor(log2(v)) + 1;
      while scaled_down(v, n) >= 1
        n = n + 1;
      end
      while scaled_down(v, n) < 0.5
        n = n - 1;
      end
      f(k) = scaled_down(x(k), n);
      e(k) = n;
    end
  end
end

function f = scaled_down(x, n)
  if n > 1000
    f = x / 2 / 2 ^ (n - 1);
  else
    f = x / 2 ^ n;
  end
end
