1;
function r = f(x)
  if x > 3
    r = [1 2 3];
    return;
  end
  r = x;
end
fprintf('%g ', f(2)); fprintf('\n'); fprintf('%g ', f(4)); fprintf('\n');
