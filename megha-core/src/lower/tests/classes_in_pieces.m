x = 5;
for k = 1:4
  if k > 2, x = int8(k); continue, end
  y = x;
end
x, y, class(x)
x = uint8(3);
for k = 1:3
  if k == 2, x = double(x) / 2; continue, end
  x = x + 1;
end
x, class(x)
s = 0;
for k = 1:5
  if k < 3, continue, end
  s = s + int32(k);
  if s > 6, break, end
end
s, class(s), s / 2
f = @(x) x;
for k = 1:3
  f = @(x) f(x) * k;
end
f(2)
f = @sin;
for k = 1:3
  y = f(k)
  if k == 2, f = @cos; end
end
f(1)
