% Functions that are called for each element.

% The first result that is stored gives the class.
function [y, w] = arrayfun(f, x, z)
  if is_scalar_type(x)
    if nargout > 1 && nargin < 3
      [y, w] = f(x);
    elseif nargout > 1
      [y, w] = f(x, z);
    elseif nargin < 3
      y = f(x);
    else
      y = f(x, z);
    end
  elseif nargout > 1
    for i = 1:numel(x)
      if nargin < 3
        [y(i), w(i)] = f(x(i));
      else
        [y(i), w(i)] = f(x(i), z(i));
      end
    end
    y = reshape(y, size(x));
    w = reshape(w, size(x));
  else
    for i = 1:numel(x)
      if nargin < 3
        y(i) = f(x(i));
      else
        y(i) = f(x(i), z(i));
      end
    end
    y = reshape(y, size(x));
  end
end

function y = bsxfun(f, a, b)
  y = f(a, b);
end
