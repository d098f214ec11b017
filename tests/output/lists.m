% megha: fn lists(n: f64, h: f64)
function lists(n, h)
% Lists that are known when compiling, and texts that are taken apart when they have been made. n is 3, h is 0.5.
  variadic(n, h);
  cells(n, h);
  made(n, h);
  classes(n);
  apart(n, [n, 2], [], 40 * n, h);
  structs(n, h);
end

% Fields are variables, whole structs are passed on.
function structs(n, h)
  p.x = [h, 2 * h];
  p.v = zeros(1, 2);
  p.name = 'moved';
  for k = 1:n
    p = moved(p, h);
    if p.x(1) > 2, break, end
  end
  disp(p.name)
  disp(p.x)
  q = struct('inner', p, 'count', n);
  q.inner.x(3) = q.count;
  disp(q.inner.x)
  disp(numel(p.x))
  names = fieldnames(q);
  for k = 1:numel(names), printf('%s ', names{k}); end
  disp(isfield(q, 'count'))
end

function p = moved(p, h)
  p.v = p.v + h;
  p.x = p.x + p.v;
end

% Iterations of their own, which the run leaves.
function apart(varargin)
  s = 'start'; total = 0;
  for k = 1:numel(varargin)
    if isempty(varargin{k}), s = 'empty'; continue, end
    if any(varargin{k} > 100), s = 'large'; break, end
    total = total + sum(varargin{k});
  end
  disp(s)
  disp(total)
  f = @(x) x;
  c = {};
  for k = 1:3
    f = @(x) f(x) + k * total;
    c{end + 1} = f(k);
  end
  disp(cellfun(@(x) x / 2, c))
  w = 1;
  for k = 1:4
    if k == 3, w = single(w) / 3; continue, end
    w = w + total;
  end
  disp(w)
  disp(class(w))
end

function variadic(n, h)
  x = scaled(n)
  x = scaled(n, h)
  x = scaled(n, h, 1)
  y = total(n, h, 2) + total() + called(@scaled, n, h) + called(@(a, b, c) a * b - c, n, h, 1)
  one = several(n)
  [one, two, three] = several(n)
  for k = 1:2
    [first, x] = several(x * k);
  end
  x
  disp(kind())
  disp(kind(n))
  disp(kind('a', n))
end

function r = scaled(x, varargin)
  factor = 2;
  if numel(varargin) > 0, factor = varargin{1}; end
  r = x * factor;
  if ~isempty(varargin) && nargin > 2, r = r + varargin{end}; end
end

function r = total(varargin)
  r = 0;
  for k = 1:nargin
    r = r + varargin{k};
  end
  r = r + sum([0, varargin{:}]);
end

function r = called(f, varargin)
  r = f(varargin{:}) + feval(f, varargin{1:end});
end

function [a, varargout] = several(n)
  a = n;
  varargout{1} = n + 1;
  if nargout > 2, varargout{2} = [n, n + 2]; end
end

function r = kind(varargin)
  switch nargin
    case 0, r = 'nothing';
    case 1, r = class(varargin{1});
    otherwise, r = varargin{1};
  end
end

function cells(n, h)
  names = {'one', 'two', 'three'};
  printf('%s of %d: %s\n', names{2}, numel(names), names{end});
  printf('%s,', names{:});
  values = {n, [1 2 n], 'abc'};
  values{2} = values{2} * h;
  values{4} = @(x) x + n;
  f = values{4};
  disp(f(h)), disp(values{2}), disp(values{4}(1))
  disp(size(values, 2)), disp(isempty({}))
end

function made(n, h)
  s = '';
  for k = 1:n
    s = [s, sprintf('%d-', k)];
  end
  s
  s = s(1:end-1)
  length(s)
  x = num2str(pi * n);
  x(end:-1:1)
  if strcmp(x, '9.4248') && h < 1, disp('equal'), end
  s = num2str(h, 8);
  for k = 1:2
    s = [s, '!'];
  end
  disp(s)
  disp(upper(sprintf('%g abc', h)))
  digits = num2str(2 ^ (n + 12)) - '0'
  double(sprintf('%.1f', h))
  switch ['n=', num2str(n)]
    case 'n=3'
      disp('three')
    otherwise
      disp('other')
  end
end

function classes(n)
  % A number before a loop, truth values at its end.
  mask = ones(1, 4);
  for k = 2:3
    mask = mask & (mod(1:4, k) ~= 0);
  end
  mask
  x = (1:4) * n;
  x(mask)
  x = 'hello'(1)
  mat2str(zeros(0, n))
  A = [2 1 -1 8; -3 -1 2 -11; -2 1 2 -3];
  x = A(:, 1:3) \ A(:, 4)
  k = 0;
  odd = 0;
  do
    k = k + 1;
    if mod(k, 2) == 0, continue; end
    odd = odd + k;
    if odd > 100, break; end
  until k >= 2 * n
  k, odd
end
