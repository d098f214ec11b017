% arrays that exist on some ways only, sizes from branches inside loops
1;
function w = window(n, wide)
  if wide
    w = ones(1, 2*n + 1);
  else
    w = ones(1, n);
  end
  w = w / numel(w);
end
for t = 1:3
  w = window(t, mod(t, 2) == 1);
  s(t) = sum(w .* (1:numel(w)));
  len(t, 1) = numel(w);
end
fprintf('%g ', s, len); fprintf('%g ', size(len)); fprintf('\n');
if s(1) > 1
  extra(2) = 5;
end
fprintf('%g ', extra); fprintf('\n');
