% Products of slices in loops over elements: whole numbers, so that any order of a sum gives the same.
1;
function shows(x)
  fprintf('%.17g ', real(x) + 0); fprintf('%.17g ', imag(x) + 0); fprintf('\n');
end
function x = solved(L, b)
  x = zeros(size(b));
  for i = 1:numel(b)
    x(i) = (b(i) - L(i, 1:i-1) * x(1:i-1)) / L(i, i);
  end
end
function x = solved_back(U, b)
  n = numel(b); x = b;
  for i = n:-1:1
    x(i) = (x(i) - U(i, i+1:end) * x(i+1:end)) / U(i, i);
  end
end
function A = parts(A)
  for i = 1:size(A, 1)
    for j = 1:i-1
      A(i, j) = A(i, j) - A(i, 1:j-1) * A(1:j-1, j);
    end
    for j = i:size(A, 1)
      A(i, j) = A(i, j) - dot(A(i, 1:i-1), A(1:i-1, j));
    end
  end
end
function y = rows(first, col, val, x)
  y = zeros(numel(first) - 1, 1);
  for i = 1:numel(first) - 1
    c = col(first(i) + 1:first(i + 1)) + 1;
    v = val(first(i) + 1:first(i + 1));
    y(i) = v.' * x(c);
  end
end
function B = triangle(A, B)
  for i = 1:size(B, 1)
    for j = 1:size(B, 2)
      B(i, j) = B(i, j) + dot(A(i+1:end, i), B(i+1:end, j));
    end
  end
end
function y = steps(x, w)
  y = zeros(1, numel(x));
  for i = 1:numel(x)
    y(i) = x(i:-1:1) * w(1:i);
    if mod(i, 3) == 0
      y(i) = y(i) + sum(x(1:2:i) .* w(1:2:i).') - 1;
    end
  end
end
function y = weighted(x, w, p)
  y = zeros(numel(x), 1);
  for i = 1:numel(x)
    y(i) = (2 * x(p(1:i)) - w(i))' * abs(w(1:i) + i);
  end
end
function [y, s] = carried(x)
  y = zeros(1, numel(x)); s = 0;
  for i = 1:numel(x)
    s = s + x(1:i) * x(1:i)';
    y(i) = s;
  end
end
function y = twice(x)
  y = x;
  for i = 2:numel(x)
    t = y(1:i-1);
    y(i-1) = 1;
    y(i) = t * t';
  end
end
function y = of_singles(x)
  y = zeros(size(x), 'single');
  for i = 1:numel(x)
    y(i) = x(1:i) * x(1:i)';
  end
end
function [C, t] = stored(C, A, B)
  t = zeros(1, size(C, 2));
  for i = 1:size(C, 1)
    for j = 1:size(C, 2)
      C(1:i-1, j) = C(1:i-1, j) + 2 * B(i, j) * A(i, 1:i-1).';
      t(j) = t(j) + A(i, 1:i-1) * B(1:i-1, j);
    end
    C(i, :) = C(i, :) + B(i, :) * A(i, i) + t;
  end
end
function y = moved(x, p)
  y = x;
  for i = 2:numel(x)
    y(2:i) = y(1:i-1) + mod(x(1:i) * x(1:i)', 7);
    if x(i) > 0
      y(i:-1:1) = 1 - y(i:-1:1) + mod(x(p(1:i)) * x(1:i)', 5);
      y(p(1:i)) = mod(x(1:i) * x(i:-1:1)', 3) + i;
    end
  end
end
function y = by_places(x, p)
  y = x;
  for i = 1:numel(x)
    y(p(1:i)) = x(1:i) * 2 + x(1:i) * x(1:i)';
    y(i) = y(i) - x(1:i) * x(i:-1:1)';
  end
end
function go(n)
  A = mod((1:n)' * (3:n+2) * 7919, 11) - 5; b = mod((1:n)' * 6007, 13) - 6; L = A - diag(diag(A)) + eye(n);
  shows(solved(L, b)); shows(solved_back(L, b)); shows(parts(mod(A, 3) - 1)); shows(triangle(A, A + 1));
  first = uint32(cumsum([0; mod((1:n)' * 5, 4)])); m = double(first(end));
  col = uint32(mod((1:m)' * 31, n)); val = mod((1:m)' * 17, 7) - 3;
  shows(rows(first, col, val, b));
  shows(steps(b', A(:, 1))); shows(weighted(b, A(:, end), [n:-1:1]'));
  [y, s] = carried(b'); shows([y, s]); shows(double(of_singles(single(b'))));
  [C, t] = stored(A, A + 1, A - 2); shows([C(:); t(:)]); shows(moved(b', mod((1:n) * 3, n) + 1)); shows(by_places(b', mod((1:n) * 2, n) + 1));
  if n < 6, shows(twice(b')); end
  shows(solved(L + 1i * tril(A, -1), b)); shows(steps(b' * 1i, A(:, 1)));
end
go(2)
go(5)
go(12)
