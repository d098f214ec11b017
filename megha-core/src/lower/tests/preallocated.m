% arrays that have been created with a size, and stores past it
n = numel(find([1 0 1 1 1]));
x = zeros(1, 3);
k = 0;
while k < n + 2
  k = k + 1;
  x(k) = k^2;
end
fprintf('%d ', size(x), x); fprintf('\n');

y = ones(2, 1);
p = [2 5 1];
for i = 1:3
  y(p(i)) = 10 * i;
end
fprintf('%d ', size(y), y); fprintf('\n');

stack = zeros(1, 2); top = 0;
for i = 1:6
  if mod(i, 3) == 0
    top = top - 1;
  else
    top = top + 1;
    stack(top) = i;
  end
end
stack(top + 3) = 7;
fprintf('%d ', size(stack), stack); fprintf('\n');

A = zeros(2, 2);
r = 1;
while r <= n
  A(r, mod(r, 3) + 1) = r;
  r = r + 1;
end
fprintf('%d ', size(A), A); fprintf('\n');

z = zeros(1, n);
for i = 1:n
  z(i + n - 3) = i;
end
fprintf('%d ', size(z), z); fprintf('\n');

% nothing is stored, nothing grows
w = 1:2;
for i = 1:numel(find([0 0]))
  w(i + 5) = i;
end
fprintf('%d ', size(w), w); fprintf('\n');

u = zeros(1, n);
u(2:n+1) = 1:n;
u(n + (3:4)) = [8 9];
fprintf('%d ', size(u), u); fprintf('\n');

t = false(1, 3);
k = 2;
while ~all(t)
  t(k) = true;
  k = mod(k, 3) + 1;
end
t(k + 2) = true;
fprintf('%d ', size(t), t); fprintf('\n');

function v = put(v, k, x)
  v(k) = x;
end
v = put(put(1:n, n + 2, 5), 2, -1);
fprintf('%d ', size(v), v); fprintf('\n');
