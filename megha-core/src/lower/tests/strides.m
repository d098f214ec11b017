% loops whose steps or bounds only the run knows
n = numel(find([1 0 1 1 1 1 0 1 1 1 1]));
x = zeros(1, n);
for p = 1:n
  for q = p * p:p:n
    x(q) = x(q) + p;
  end
end
fprintf('%d ', numel(x), x); fprintf('\n');
for p = 1:3
  for q = n:-p:1
    x(q) = 10 * x(q) + p;
  end
  fprintf('%d ', q, x); fprintf('\n');
end

% steps of either sign, steps that lead away, a step that is no whole number
y = [];
for p = [2 -2 0.5]
  for q = 3:p:5
    y(end + 1) = q;
  end
  for q = 5:p:3
    y(end + 1) = -q;
  end
end
fprintf('%g ', y); fprintf('\n');

% past the end
z = zeros(1, 4);
for p = 3:n
  for q = p:p:n
    z(q) = p;
  end
end
fprintf('%d ', numel(z), z); fprintf('\n');

% a bound that falls, and one that turns
m = n;
w = 1:n;
while m > 2
  for k = 1:m - 1
    w(k) = w(k) + w(k + 1);
  end
  m = m - 3;
end
fprintf('%d ', m, w); fprintf('\n');
m = 2;
for k = 1:6
  if k < 3
    m = m - 1;
  else
    m = m + 2;
  end
  w(m + 1) = k;
end
fprintf('%d ', numel(w), w); fprintf('\n');
m = 5;
for k = 1:4
  w(m) = -k;
  if k == 2
    m = n + 1;
  else
    m = m - 1;
  end
end
fprintf('%d ', numel(w), w); fprintf('\n');
for k = 2:3:n + 1
  w(k - 1) = k;
end
fprintf('%d ', numel(w), w); fprintf('\n');
