x = [];
for k = 1:4
  x = [x; k, k^2];
end
fprintf('%g ', x); fprintf('\n'); fprintf('%g ', size(x)); fprintf('\n');
