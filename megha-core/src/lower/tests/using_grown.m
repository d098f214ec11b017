% sums, max, sorting of grown arrays
v = [];
x = 7;
for i = 1:9
  x = mod(x * 5 + 3, 16);
  v(i) = x;
end
fprintf('%g ', sum(v), max(v), mean(v)); fprintf('\n');
w = v .* 2 + (1:9);
fprintf('%g ', w); fprintf('\n');
M = [];
for i = 1:3
  M = [M, v(i:i+2)'];
end
fprintf('%g ', M); fprintf('%g ', M * M'); fprintf('%g ', sum(M)); fprintf('\n');
total = 0;
for c = M
  total = total + c(1) * c(3);
end
fprintf('%g\n', total);
