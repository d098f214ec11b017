1;
function v = two(v, k)
  v(k) = [4 5];
end
function A = triangle(n)
  A = 1;
  for j = 2:n
    A(j, [1 j]) = 1;
    for k = 2:j - 1
      A(j, k) = A(j - 1, k - 1) + A(j - 1, k);
    end
  end
end
function v = behind(v, n)
  v(end + (1:n)) = 1:n;
  v(numel(v) + 2 * (1:n)) = -(1:n);
end
v = [1 2 3];
v([2 5]) = 9;
disp(v)
disp(two([1 2 3], [2 7]))
disp(two((1:3)', [5 1]))
A = [1 2; 3 4];
A(3, [1 3]) = 5;
disp(A)
A(:, [4 5]) = [7 1; 8 2; 9 3];
disp(A)
A([1 5], :) = -1;
disp(A)
disp(triangle(5))
disp(behind(1:2, 2))
disp(behind((1:2)', 3))
B = zeros(2);
k = [1 2 4];
B(k, k) = magic(3);
disp(B)
b = int8([1 2]);
b([4 3]) = 300;
disp(b)
t = [true false];
t([5 3]) = true;
disp(t)
disp(class(t))
n = 4;
c = zeros(n, 1);
c(n - (0:2)) = 1;
disp(c')
c(n + 2 - (0:2)) = 7;
disp(c')
s = 3;
s([2 n]) = [6 7];
disp(s)
