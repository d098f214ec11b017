n = 5;
if n > sum([1 2 3])
  y = ones(1,3);
else
  y = [1 2 3 4 5];
end
fprintf('%g ', y); fprintf('\n');
a = 3;
if sum(y) > 3
  a = [1; 2];
end
fprintf('%g ', a); fprintf('\n');
