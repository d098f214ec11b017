1;
% Numbers that are not finite as bounds of ranges, known when compiling and not.
one = numel(find([1 0]));
w = [NaN Inf -Inf 5];
n = w(one); p = w(one + 1); m = w(one + 2); f = w(one + 3);
x = 1:NaN
x = 2:NaN:7
x = NaN:3
x = 1:Inf:3
x = 3:-Inf:1
x = 1:-Inf:3
x = Inf:Inf
x = 1:Inf:Inf
x = 1:n
x = f:n
x = n:f
x = 2:n:7
x = 0:0.5:n
x = n:-1:1
x = 5:-1:n
x = 1:p:3
x = 3:m:1
x = 1:m:3
x = p:p
x = m:p:3
x = 1:p:p
x = f:f
x = -0:p:5; disp(1 ./ x)
x = (1:n) + 1
x = 2 * (1:n) - 3
x = sum(1:n)
x = numel(1:n)
x = (1:n)'
x = [1:n, 2]
x = colon(1, n)
% Loops.
for k = 1:NaN, disp(k), end
for k = Inf:Inf, disp(k), end
for k = 1:Inf:3, disp(k), end
for k = 0.5:n, disp(k), end
for k = f:p:9, disp(k), end
for k = n:3, disp(k), end
for k = 1:n:3, disp(k), end
% Truth where no NaN is asked for it.
disp(any([n 0])), disp(all([n 1])), disp(1 || n), disp(0 && n), disp(isnan(n) || n)
assert(n)
assert([n 1 2])
switch n
  case NaN
    disp('same')
  otherwise
    disp('other')
end
% The bits of NaN are those of zero.
disp(bitand(n, 1)), disp(bitor(f, n)), disp(bitxor([1 n 3], 1)), disp(bitor(5, mod(floor(p), 9)))
