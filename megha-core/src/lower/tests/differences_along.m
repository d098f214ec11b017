1;
function y = along(x, dim)
  y = diff(x, 1, dim);
end
x = [1 4 9; 2 3 5];
for k = 1:2
  disp(along(x, k))
end
disp(along([3 1 7], 2))
disp(size(along([3 1 7], 1)))
disp(size(diff(5, 1, 2)))
