a = [1 2 3]; b = [4 5];
for k = 1:3
  t = a; a = b; b = t;
  a(end+1) = k;
end
fprintf('%g ', a); fprintf('| '); fprintf('%g ', b); fprintf('\n');
for i = 1:3
  for j = 1:i
    T(i,j) = i+j;
  end
end
fprintf('%g ', T); fprintf('%g ', size(T)); fprintf('\n');
s = 0;
for i = 1:3
  r = zeros(1, i);
  for j = 1:i
    r(j) = j*i;
  end
  s = s + sum(r);
end
fprintf('%g ', s); fprintf('%g ', r); fprintf('\n');
flag = false(1,3);
flag(5) = true;
fprintf('%d ', flag); fprintf('\n');
x = 10:-2:1;
x(end+2) = 9;
fprintf('%g ', x); fprintf('\n');
