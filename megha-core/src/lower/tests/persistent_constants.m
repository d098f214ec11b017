1;
% persistent variables that keep constants, called several times
function y = weighted(x)
  persistent w n
  if isempty(w)
    n = 4;
    w = zeros(1, n);
    for i = 1:n
      w(i) = twice(i) + offset();
    end
  end
  y = sum(w .* x(1:n));
end
function y = twice(x)
  y = 2 * x;
end
function y = offset()
  persistent c
  c = 0.5;
  y = c;
end
function [k, t] = grown(x)
  persistent t0
  limits = [1 2 5];
  if ( isempty ( t0 ) )
    for i = 1:numel(limits)
      t0(i) = limits(i) ^ 2;
    end
  end
  k = find(t0 >= x, 1);
  t = t0;
end
function y = shares(x)
  persistent a b
  if isempty(a) || isempty(b)
    [a, b] = size(ones(2, 3));
  end
  y = a * x + b;
end
for k = 1:3
  disp(weighted(k + (0:5)));
  disp(shares(k));
end
[k, t] = grown(3)
[k, t] = grown(20)
