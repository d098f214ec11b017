% megha: late names
1;
function y = product(n)
  if n > 1
    y = 2 * n;
  else
    y = [1 2 3] * [4 5 6];
  end
end
function y = third(n)
  x = [1 2];
  y = 0;
  for k = 1:n
    if k > 5
      y = y + x(3);
    else
      y = y + x(1 + mod(k, 2));
    end
  end
end
function y = by_library(n)
  y = n;
  if n < 0
    y = cross([1 2 3], [1 2]);
  elseif n > 90
    while undefined_everywhere > 3
      y = y + 1;
    end
  end
end
n = numel(find([0 4 5 0 7]));
disp(product(n))
disp(third(n))
disp(by_library(n))
x = zeros(1, 3);
switch n
  case 1
    x = x + [1 2];
  case 2
    x = [x; 1 2];
  otherwise
    x = x + n;
end
disp(x)
if n < 2 || numel(x + [1 2 3]) > n
  disp('first')
elseif n > 3 && sum(x + [1 2]) > 0
  disp('second')
else
  disp('third')
end
if n > 3 && sum(x + [1 2]) > 0
  disp('left')
end
while n > 3 && any(x + 1 > [1 2 3 4])
  n = n - 1;
end
if numel(find(x)) > 5
  do
    n = n + 1;
  until any(x > [1 2])
end
disp(n)
