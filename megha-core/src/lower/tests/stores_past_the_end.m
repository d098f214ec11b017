1;
% stores that create or enlarge through subscripts of which only the run knows the largest, or whether there are any
function p = pairs(n)
  p = [];
  first = 1;
  for i = 1:n-1
    count = n - i;
    p(:, first:first+count-1) = [i * ones(1, count); i+1:n];
    first = first + count;
  end
end
function r = ranks(m)
  [rows, columns] = size(m);
  [~, order] = sort(m, 2);
  r = zeros(rows, columns);
  for i = 1:rows
    place(order(i, :)) = 1:columns;
    r(i, :) = place;
  end
end
disp(pairs(4));
disp(size(pairs(2)));
disp(ranks([3 1 2; 5 9 7]));
disp(ranks([0.5; 0.25]));
hits = find([1 0 1 1] > 2);
x = 7;
x(hits) = 1;
x(find([0 1 0 1])) = 5;
disp(x);
