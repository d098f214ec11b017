x = []; y = [];
for i = 1:10
  if mod(i,3) == 0
    x = [x i];
  else
    y = [y; i];
  end
end
fprintf('%g ', x); fprintf('\n'); fprintf('%g ', y'); fprintf('\n'); fprintf('%g ', numel(x)); fprintf('\n'); fprintf('%g ', length(y)); fprintf('\n');
