% zero trips
n = 0;
x = [];
for i = 1:n
  x(i) = i;
end
fprintf('%g %g\n', numel(x), isempty(x));
y = 5;
for i = 2:n
  y(i) = 1;
end
fprintf('%g ', y, numel(y)); fprintf('\n');
z = [1 2 3];
for i = 5:4
  z(i) = 9;
end
fprintf('%g ', z); fprintf('\n');
for i = 1:n
  for j = 1:3
    A(j, i) = 1;
  end
end
B = ones(2, 2);
for i = 1:3
  for j = 1:n
    B(i, j) = 7;
  end
end
fprintf('%g ', B); fprintf('%g ', size(B)); fprintf('\n');
k = 7;
for k = 1:0, disp(k), end
size(k)
i = 9; n = numel(find([1 1]));
for i = 1:n, end
i
