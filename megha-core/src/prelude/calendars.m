% Dates as numbers of days.

% Of a vector [year, month, day, ...], or of the parts.
function d = datenum(year, month, day, hour, minute, second)
  if nargin == 1
    if size(year, 2) < 3, refuse('a date has at least year, month and day'); end
    d = day_number(year(:, 1), year(:, 2), year(:, 3));
    if size(year, 2) > 3, d = d + year(:, 4) / 24; end
    if size(year, 2) > 4, d = d + year(:, 5) / 1440; end
    if size(year, 2) > 5, d = d + year(:, 6) / 86400; end
  else
    if nargin < 3, day = 1; end
    d = day_number(year, month, day);
    if nargin > 3, d = d + hour / 24; end
    if nargin > 4, d = d + minute / 1440; end
    if nargin > 5, d = d + second / 86400; end
  end
end

% Years begin in March, so that the day between them comes last. Of a month that is no whole number the rest counts in days of that
% month, of a year in days of the year.
function d = day_number(year, month, day)
  % Months before the first are the first.
  month = max(month, 1);
  whole = floor(month);
  lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  number = mod(whole - 1, 12) + 1;
  long = reshape(lengths(number), size(number));
  long = long + (number == 2 & is_leap_year(floor(year)));
  day = day + (month - whole) .* long;
  year = year + ceil((whole - 14) / 12);
  first = floor(year);
  day = day + (year - first) .* (365 + is_leap_year(first + 1));
  before = floor((153 * mod(whole - 3, 12) + 2) / 5);
  d = day + before + 60 + 365 * first + floor(first / 4) - floor(first / 100) + floor(first / 400);
end

function y = is_leap_year(year)
  if nargin < 1
    now_is = clock();
    year = now_is(1);
  end
  y = (mod(year, 4) == 0 & mod(year, 100) ~= 0) | mod(year, 400) == 0;
end

function d = eomday(year, month)
  days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  d = reshape(days(month), size(month)) + (month == 2 & is_leap_year(year));
end
