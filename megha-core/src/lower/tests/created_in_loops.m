for i = 1:5
  x(i) = i^2;
end
fprintf('%g ', x); fprintf('%g ', size(x)); fprintf('\n');
y = [];
for i = 1:4
  y(end+1) = 2*i;
end
fprintf('%g ', y); fprintf('%g ', size(y)); fprintf('\n');
z(1) = 1; z(2) = 1;
for k = 3:10
  z(k) = z(k-1) + z(k-2);
end
fprintf('%g ', z); fprintf('%g ', size(z)); fprintf('\n');
a = 7;
a(3) = 2;
fprintf('%g ', a); fprintf('\n');
