1;
% deletion by masks that are shorter than the array
function q = without_repeats(q)
  q = sort(q);
  q(q(1:end-1) == q(2:end)) = [];
end
function m = without_equal_neighbours(m)
  m(:, ~diff(sum(m, 1))) = [];
end
disp(without_repeats([3 1 3 2 1 3]));
disp(without_repeats([2; 2; 1])');
disp(without_repeats(7));
for limit = 0:2
  disp(without_repeats(find([1 0 1] < limit)));
end
disp(without_equal_neighbours([1 2 1 4; 3 2 3 5]));
x = 1:4;
x([false true]) = [];
disp(x);
