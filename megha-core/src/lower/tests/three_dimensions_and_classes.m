% 3-d creation, logical growth, int growth
for k = 1:2
  for i = 1:2
    for j = 1:3
      T(i,j,k) = i + 10*j + 100*k;
    end
  end
end
fprintf('%g ', T); fprintf('%g ', size(T)); fprintf('\n');
for i = 1:5
  big(i) = i > 2;
end
fprintf('%g ', big); fprintf('\n');
c = int32([]);
for i = 1:4
  c(i) = i * 1.4;
end
fprintf('%d ', c); fprintf('\n');
d = int32(7);
d(3) = 2.6;
fprintf('%d ', d); fprintf('\n');
