% continued fraction, while with a growing list, and a result used in products
x = pi; a = [];
while numel(a) < 6
  a(end+1) = floor(x);
  x = 1 / (x - a(end));
end
h = [1, a(1)]; k = [0, 1];
for n = 2:numel(a)
  h(n+1) = a(n) * h(n) + h(n-1);
  k(n+1) = a(n) * k(n) + k(n-1);
end
fprintf('%g ', a, h, k); fprintf('%.8f\n', h(end) / k(end));
