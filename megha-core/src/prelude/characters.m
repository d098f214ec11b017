% Texts whose characters are known only at run time, as rows of codes.

function c = upper_codes(c)
  c = c - 32 * (c >= 97 & c <= 122);
end

function c = lower_codes(c)
  c = c + 32 * (c >= 65 & c <= 90);
end

% Of several rows, the columns go that are blank in all.
function c = trimmed_codes(c)
  solid = find(any(~(are_blank(c) | c == 0), 1));
  if isempty(solid)
    c = zeros(size(c, 1), 0);
  else
    c = c(:, solid(1):solid(end));
  end
end

function c = deblanked_codes(c)
  solid = find(any(~(are_blank(c) | c == 0), 1));
  if isempty(solid)
    c = zeros(size(c, 1), 0);
  else
    c = c(:, 1:solid(end));
  end
end

% Numbers as codes: the nearest whole one, 0 where there is no such character.
function c = rounded_codes(x)
  x = double(x);
  if any(isnan(x(:)))
    error('invalid conversion from NaN to character');
  end
  c = round(x);
  c(c < 0 | c > 255) = 0;
end

function print_rows(c)
  for i = 1:size(c, 1)
    printf('%s\n', char(c(i, :)));
  end
end

% Rows below each other, filled with blanks up to the longest.
function c = rows_filled(a, b)
  n = max(size(a, 2), size(b, 2));
  c = 32 * ones(size(a, 1) + size(b, 1), n);
  c(1:size(a, 1), 1:size(a, 2)) = a;
  c(size(a, 1)+1:end, 1:size(b, 2)) = b;
end

function r = are_blank(c)
  r = c == 32 | (c >= 9 & c <= 13);
end

function r = are_digits(c)
  r = c >= 48 & c <= 57;
end

function r = are_letters(c)
  r = are_upper(c) | are_lower(c);
end

function r = are_upper(c)
  r = c >= 65 & c <= 90;
end

function r = are_lower(c)
  r = c >= 97 & c <= 122;
end

function r = same_start(a, b, n)
  r = numel(a) >= n && numel(b) >= n && all(a(1:n) == b(1:n));
end

function c = repeated_codes(c, m, n)
  c = repmat(c, m, n);
end

% The digits of whole numbers in a base, a row for each number, all of the longest one's length.
function c = digits_in_base(x, base, length)
  x = double(x(:));
  if base < 2 || base > 36 || base ~= fix(base)
    error('dec2base: BASE must be an integer between 2 and 36, or a string of symbols');
  end
  if any(x < 0 | x ~= fix(x) | x >= 2 ^ 53)
    error('dec2base: input must be real non-negative integers');
  end
  largest = max(x);
  n = 1;
  while largest >= base ^ n
    n = n + 1;
  end
  n = max(n, length);
  c = zeros(numel(x), n);
  for k = n:-1:1
    d = mod(x, base);
    c(:, k) = 48 + d + 7 * (d > 9);
    x = floor(x / base);
  end
end

% The whole number that the digits of a base in each row say; NaN if one is none.
function x = whole_said(c, base)
  x = zeros(size(c, 1), 1);
  for row = 1:size(c, 1)
    said = 0;
    for k = 1:size(c, 2)
      code = c(row, k);
      if code ~= 32
        d = code - 48;
        if code >= 97
          d = code - 87;
        elseif code >= 65
          d = code - 55;
        elseif d > 9
          d = base;
        end
        if d < 0 || d >= base
          said = NaN;
        end
        said = said * base + d;
      end
    end
    x(row) = said;
  end
end

function x = numbers_said(c)
  x = zeros(size(c, 1), 1);
  for row = 1:size(c, 1)
    x(row) = number_said(c(row, :));
  end
end

% The number that a text says, by decimal digits: NaN if it says none. Up to 15 digits and powers of ten up to 22 it is rounded
% once.
function x = number_said(c)
  c = trimmed_codes(c);
  n = numel(c);
  k = 1;
  negative = false;
  if n > 0 && (c(1) == 43 || c(1) == 45)
    negative = c(1) == 45;
    k = 2;
  end
  x = 0;
  digits = 0;
  power = 0;
  point = false;
  while k <= n && (are_digits(c(k)) || (c(k) == 46 && ~point))
    if c(k) == 46
      point = true;
    else
      x = 10 * x + (c(k) - 48);
      digits = digits + 1;
      power = power - point;
    end
    k = k + 1;
  end
  good = digits > 0;
  if good && k < n && any(c(k) == [68, 69, 100, 101])
    k = k + 1;
    exponent = 0;
    down = c(k) == 45;
    if c(k) == 43 || c(k) == 45
      k = k + 1;
    end
    good = k <= n;
    while k <= n && are_digits(c(k))
      exponent = 10 * exponent + (c(k) - 48);
      k = k + 1;
    end
    if down
      exponent = -exponent;
    end
    power = power + exponent;
  end
  if ~good || k <= n
    x = NaN;
  elseif x ~= 0 && (x >= 1e15 || abs(power) > 22)
    error('numbers in texts may have up to 15 digits and powers of ten up to 22');
  elseif power < 0
    x = x / 10 ^ -power;
  else
    x = x * 10 ^ power;
  end
  if negative
    x = -x;
  end
end
