M = magic(4); k = [2; 3; 5];
M(k), M([1 2]), M(find(M(:, 1) > 4)), M(M > 10)'
row = M(find(M(:, 1) == 9), :)
v = row(row > 5)
s = sum(row), m = max(row), l = length(row), n = norm(row), d = dot(row, row)
column = M(:, find(M(1, :) == 13));
w = column(find(column > 9))
t = mean(column), c = conv(column, [1 1])', u = setdiff(row, 9)
none = M(find(M(:, 1) > 100), :);
size(none), sum(none), max(zeros(0, 3)), max([]), min(zeros(3, 0))
conv([1; 2; 3], [1 1])', conv([1 1], [1; 2; 3])'
sd = [std(row) var(column) median(row)]
