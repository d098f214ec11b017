% class and shape change on reassignment around loops
x = 3;
for k = 1:2
  x = x * ones(2,2);
  y = x(1, :);
  x = sum(y);
end
fprintf('%g ', x); fprintf('%g ', y); fprintf('\n');
b = true;
for k = 1:3
  b = b + k;
end
fprintf('%g ', b); fprintf('\n');
m = 5;
if m > 3
  q = m > 4;
else
  q = 2.5;
end
fprintf('%g ', q); fprintf('\n');
n = 6; p = 1;
while n > 1
  if mod(n, 2) == 0
    p = [p; n];
  end
  n = n - 1;
end
fprintf('%g ', p); fprintf('%g ', size(p)); fprintf('\n');
