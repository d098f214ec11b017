t = zeros(1,3);
for k=1:3
  if k == 2
    t = [1 2];
    break
  end
  t(k) = k;
end
fprintf('%g ', t); fprintf('\n');
for k=1:3
  u = 1:k;
end
fprintf('%g ', u); fprintf('\n');
