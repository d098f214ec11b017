% triangular and partial
n = 4;
for i = 1:n
  for j = i:n
    U(i,j) = 10*i + j;
  end
end
fprintf('%g ', U); fprintf('%g ', size(U)); fprintf('\n');
for k = n:-1:1
  d(k) = k^2;
end
fprintf('%g ', d); fprintf('\n');
for k = 1:n
  e(2*k) = k;
end
fprintf('%g ', e); fprintf('%g ', size(e)); fprintf('\n');
for k = 2:n
  w(k) = k;
end
fprintf('%g ', w); fprintf('\n');
v = zeros(3,1);
for k = 1:n
  v(k) = k;
end
fprintf('%g ', v); fprintf('\n');
