% megha: fn corners(n: f64, m: f64, k: f64, h: f64)
function corners(n, m, k, h)
% Corners of the language that are easy to get wrong. n is 3, m is 0, k is 2, h is 0.1; they are arguments so that only the run
% knows them.
  ranges(n, h);
  loops(n, m);
  texts(n);
  A = magic(3);
  A(1, 2, 1) = 7;
  disp(A(:, :, 1))
  disp(A(2, 1, end))
  disp(A(n, :, :, k - 1))
  x = 5;
  disp(x([true false false]))
  x(k - 1, 1, 1) = 6;
  disp(x)
  B = [2 1; 1 3] ^ -1;
  disp(B)
  B = [2 1; 1 n] ^ -2;
  disp(B)
  x = intmax('uint64')
  x = [1 2 n];
  x .*= [2 k 4];
  x ./= 2;
  x .^= k
  fprintf('%d\n', intmax('int64'));
  if n > 3
    refuse('never');
  end
end

function ranges(n, h)
  x = 0:0.1:0.3;
  fprintf('%d ', x(end) > 0.3, sum(x <= 0.3), x == [0 .1 .2 .3]);
  fprintf('%.17g ', x, 0.3:-0.1:0, 0:-0.1:-0.3, 0.1:0.2:0.7, -1:0.1:-0.7, 1:0.2:2);
  fprintf('%.17g ', 0:h:n*h, n*h:-h:0, 0:h:0.3, 0.3:-h:0, 1:h:1.3, h:2*h:0.7);
  fprintf('%.17g ', h:1:2.1, 0:n:9, h*0:1:3 - 1e-16);
  fprintf('\n');
  for t = 0:0.1:0.3
    fprintf('%.17g ', t);
  end
  for t = n*0.1:-h:0
    fprintf('%.17g ', t);
  end
  s = 0;
  for t = 0:h:0.3
    s = s + (t <= 0.3);
  end
  fprintf('%d\n', s);
end

function loops(n, m)
  for k = 1:3
  end
  for k = 5:1
  end
  k
  for q = []
  end
  q
  for q = zeros(3, 0)
  end
  q
  for q = int8([])
  end
  disp(class(q))
  for q = zeros(0, 3)
    disp('never');
  end
  disp(size(q))
  for q = zeros(m, n)
    disp('never');
  end
  for q = zeros(n, m)
    disp('never');
  end
  for q = ones(n - 1, n)
    fprintf('%d ', q);
  end
  fprintf('%d\n', numel(q));
  for c = 'ab'
    c
    fprintf('%s %d\n', c, c);
  end
end

function texts(n)
  y = 'x';
  w = y'
  z = [51', y']
  fprintf('%s|\n', [72 105]);
  fprintf('%d %s|\n', n, [72 105] + 0 * n);
  fprintf('%s %s|\n', 72 + 0 * n, [105 33]);
end

function refuse(text)
  error(text);
end
