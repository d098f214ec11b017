% coefficients of a product of linear factors, grown in a loop
r = [1 2 3 -1];
c = 1;
for k = 1:numel(r)
  c = [c 0] - r(k) * [0 c];
end
fprintf('%g ', c, size(c)); fprintf('\n');
