% appending with end, strings of conditions, switch
res = [];
for t = 0:0.25:1
  switch floor(t * 4)
    case {0, 1}
      res = [res; t, 0];
    case 2
      res(end+1, :) = [t, 1];
    otherwise
      res = [res; [t, 2]];
  end
end
fprintf('%g ', res); fprintf('%g ', size(res)); fprintf('\n');
s = [];
for i = 1:3
  s = [s, zeros(1, i), i];
end
fprintf('%g ', s); fprintf('%g ', length(s)); fprintf('\n');
k = 0;
a = [];
while true
  k = k + 1;
  if k > 4, break; end
  a = [k, a];
end
fprintf('%g ', a); fprintf('\n');
