% Octave's steps and assignments in a row, and functions with any number of arguments.
x = 1; ++x; x, ++x
x++
x, --x; x--; x
a = b = c = 3; disp([a b c])
p(2) = q = 4
v = [1 2]; ++v; v, v(2)++; v
f = @(varargin) numel(varargin); f(1, 2, 3), f()
g = @(x, varargin) x + sum([varargin{:}]); g(1, 2, 3), g(1)
h = @(varargin) g(varargin{:}); h(4, 5)
isOctave = exist('OCTAVE_VERSION', 'builtin') ~= 0
if exist('OCTAVE_VERSION'), disp('so'); end
