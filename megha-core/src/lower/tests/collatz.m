n = 27; seq = n;
while n ~= 1
  if mod(n,2) == 0
    n = n/2;
  else
    n = 3*n+1;
  end
  seq = [seq n];
end
fprintf('%g ', numel(seq)); fprintf('\n'); fprintf('%g ', max(seq)); fprintf('\n'); fprintf('%g ', seq(5)); fprintf('\n');
