x = 1;
for k = 1:4
  x = [x, k];
end
fprintf('%g ', x); fprintf('\n'); fprintf('%g ', sum(x)); fprintf('\n');
