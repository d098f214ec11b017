% megha: fn shown(n: f64, h: f64)
function shown(n, h)
% What statements without `;` show of other things than real matrices. n is 3, h is 0.5.
  complex_numbers(n, h);
  diagonals(n, h);
  digits(n, h);
  rows_of_texts(n);
  without(n);
end

function complex_numbers(n, h)
  z = n + 4i
  w = z * h
  v = [z, w; h, n * 1i]
  disp(v)
  disp(v(:, 1))
  u = v - v + n
  x = complex(n, 0)
  y = x * 1
  t = v'
  disp([num2str(z), ' and ', num2str(w, 3), ' and ', num2str(y), ' and ', num2str(-z / 7)])
  fprintf('%g %gi\n', real(z), imag(z));
  empty = zeros(0, n) * 1i
end

function diagonals(n, h)
  A = eye(n)
  disp(A)
  B = h * A - diag([1 2 n])
  C = A'
  D = inv(B)
  E = A + 1
  F = B .* 2
  G = full(A)
  H = A(1, :)
  I = A(2, :)
  J = A(:, 1:2)
  K = B * B / 4
  A(1, 2) = n
  for k = 1:n
    B = B * E;
  end
  B
  [L, U, P] = lu([1 2; n 4]);
  P
  Q = P * P'
  R = P * L
  one = eye(1)
  part = eye(n, 2)
end

function digits(n, h)
  x = n / 7
  format long
  x = n / 7
  y = [n; x]
  z = single(x)
  w = x + h * 1i
  k = int8(n)
  r = 0:h:1
  disp(x)
  format short
  x
  format('long')
  x
  format
  x
end

function rows_of_texts(n)
  x = ['ab'; 'cd']
  disp(x)
  fprintf('%s|%s\n', x(n - 1, :), x);
  y = char('a', num2str(n * 100), deblank('b '))
  disp(size(y))
  rule = repmat('-', n, 2)
  disp([num2str(n * h_of(n), '%9.3f'), num2str([1 2 n], '%d '), '|', num2str(n, '%d\n')])
end

function h = h_of(n)
  ++n;
  h = g = n / 7;
  h = h + g;
end

function without(n)
  A = magic(n);
  A(A > 4) = []
  B = inv(diag([n 0]))
end
