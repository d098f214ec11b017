% texts and functions that depend on the way taken
1;
function s = label(n)
  switch n
    case 1
      s = 'one';
    case 2
      s = 'two';
    otherwise
      s = 'many';
  end
end
function y = applied(f, x)
  y = f(x) + 1;
end
for x = find([1 0 1 0 1]) - 1
  if x > 1, s = 'a'; else s = 'bc'; end
  disp(s)
  if strcmp(s, 'a'), y = 1; else y = 2; end
  switch s
    case 'a'
      disp('is a');
    otherwise
      disp('other');
  end
  if x > 3, f = @(t) t + x; elseif x > 1, f = @sin; else f = @cos; end
  z = f(1);
  for k = 1:3
    z = applied(f, z);
  end
  fprintf('%s: %g %d %d\n', s, z, length(s), y);
  g = @(u) f(u) * 2;
  fprintf('%g\n', g(3));
  name = label(x);
  fprintf('[%s]\n', upper(name));
  t = label(x + 1)
end
