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

% Years begin in March, so that the day between them comes last.
function d = day_number(year, month, day)
  if any(month(:) ~= fix(month(:))), error('datenum: parts of months are not supported'); end
  % Months before the first are the first.
  month = max(month, 1);
  year = year + ceil((month - 12) / 12);
  month = mod(month - 1, 12) + 1;
  year = year + fix((month - 14) / 12);
  since = mod(month - 3, 12);
  before = floor((153 * since + 2) / 5);
  d = day + before + 60 + 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400);
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
