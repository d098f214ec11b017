1;
function s = first_big(varargin)
  s = 'none';
  for k = 1:nargin
    v = varargin{k};
    if any(isnan(v)), continue, end
    if sum(v) > 5
      s = v(1);
      break
    end
    disp(v)
  end
end
function s = g(varargin)
  s = 0;
  for k = 1:nargin
    if sum(varargin{k}) > 5, return, end
    s = s + sum(varargin{k});
  end
end
n = numel(find([1 0 1 1]));
s = g(n, [n n], 1)
s = g(1, n)
function r = count(varargin)
  r = 0;
  for k = 1:numel(varargin)
    if isempty(varargin{k}), continue, end
    if ischar(varargin{k}), break, end
    if any(varargin{k} > 100), continue, end
    if any(varargin{k} > 10), break, end
    r = r + numel(varargin{k});
  end
end
count(n, [], [n 2], [1 1 1]*n*100, [3 4], 20*n, 5)
count(n, 'a', 7)

k = 1; c = {'a', 3, [1 2]};
while k <= numel(c)
  if ischar(c{k}), k = k + 2; continue, end
  disp(c{k});
  k = k + 1;
end
do
  k = k - 1;
  disp(c{k})
until k == 1
for v = {1, 'two', [3 3 3]}
  v{1}
end
m = 0;
for k = 1:3
  for j = 1:k
    m = m + sum(c{j});
    if j == 2, break, end
  end
end
m
function varargout = doubled(varargin)
  for k = 1:nargout
    varargout{k} = varargin{k} * 2;
  end
end
function s = total(varargin)
  s = 0;
  for k = 1:nargin
    if ischar(varargin{k}), s = s + 100; else s = s + sum(varargin{k}(:)); end
  end
end
function s = options(varargin)
  tol = 1; n = 2;
  for k = 1:2:nargin
    switch lower(varargin{k})
      case 'tol'
        tol = varargin{k+1};
      case {'n', 'num'}
        n = varargin{k+1};
      otherwise
        error('unknown');
    end
  end
  s = tol * n;
end
function varargout = counted(n)
  varargout = cell(1, nargout);
  for k = 1:nargout
    varargout{k} = n + k;
  end
end
[a, b, c] = doubled(1, [2 3], 4)
total(1, [2 3], 'x'), total()
options('Tol', 3), options('num', 5, 'tol', 7)
[a, b] = counted(1)
