1;
% masks whose sizes are those of the array, but are found another way
function tt = erode(t, c, m)
  tt = t;
  col = zeros(size(t, 1), 1);
  row = zeros(1, size(t, 2));
  for j = 1:m
    ind = tt == 0;
    ngbr = 3 * ([ind(2:end, :); row] + [row; ind(1:end-1, :)] + [ind(:, 2:end) col] + [col ind(:, 1:end-1)]);
    tt(ngbr >= c) = 0;
  end
end
function t = under(t, c)
  below = [t(2:end, :); zeros(1, size(t, 2))];
  t(below >= c) = -1;
end
disp(erode([1 1 0 1; 1 1 1 1; 0 1 1 1; 1 1 1 1; 1 1 1 0], 6, 2))
disp(under([3 1 4; 1 5 9; 2 6 5], [1 6 1; 2 5 4; 0 1 2]))
disp(under([3 1 4; 1 5 9; 2 6 5], 5))
disp(size(erode(zeros(0, 3), 6, 2)))
