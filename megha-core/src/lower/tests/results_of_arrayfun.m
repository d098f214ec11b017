% Results of arrayfun have the class of the function's, and there may be two.
x = [5 2 8 1 9];
is_large = arrayfun(@(v) v > 4, x);
disp(x(is_large)), disp(class(is_large))
[d, at] = arrayfun(@(v) min(abs(x - v)), [3 7; 9 1]);
disp(d), disp(at)
[a, b] = arrayfun(@(p, q) max([p q]), [1 5], [2 4]);
disp([a; b])
disp(arrayfun(@(v) v * 2, x(x > 7)))
disp(size(arrayfun(@(v) v * 2, x(x > 70))))
n = numel(find(x > 1));
M = reshape(1:n*n, n, n);
M(1:n+1:n*n) = [];
disp(size(M)), disp(M(1:3)')
