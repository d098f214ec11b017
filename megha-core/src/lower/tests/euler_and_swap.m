% interpolation search, two arrays of one size, swap
x(1) = 0; y(1) = 1;
h = 0.1;
i = 1;
while x(i) < 0.45
  x(i+1) = x(i) + h;
  y(i+1) = y(i) + h * y(i);
  i = i + 1;
end
fprintf('%g ', x); fprintf('%g ', y); fprintf('%g ', x * y'); fprintf('\n');
a = [1 2]; b = [];
for k = 1:4
  if mod(k,2)
    a(end+1) = k;
  else
    b = [b, a];
  end
  t = a; a = b; b = t;
end
fprintf('%g ', a); fprintf('| '); fprintf('%g ', b); fprintf('\n');
