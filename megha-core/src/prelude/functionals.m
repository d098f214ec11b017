% Functions of functions.

function y = arrayfun(f, x, z)
  if is_scalar_type(x)
    if nargin < 3
      y = f(x);
    else
      y = f(x, z);
    end
  elseif nargin < 3
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = f(x(i));
    end
  else
    y = zeros(size(x));
    for i = 1:numel(x)
      y(i) = f(x(i), z(i));
    end
  end
end

% Element-wise functions expand their operands themselves.
function z = bsxfun(f, x, y)
  z = f(x, y);
end
