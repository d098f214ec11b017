% early return with different sizes, nested functions
1;
function r = f(n)
  r = [];
  for i = 1:n
    if i > 3
      return;
    end
    r = [r, i];
  end
  r = [r; r];
end
function s = g(n)
  s = 0;
  if n > 2
    s = ones(2, n);
    return
  end
  s(n) = 4;
end
fprintf('%g ', f(2)); fprintf('%g ', size(f(2))); fprintf('\n');
fprintf('%g ', f(5)); fprintf('%g ', size(f(5))); fprintf('\n');
fprintf('%g ', g(1)); fprintf('\n');
fprintf('%g ', g(2)); fprintf('\n');
fprintf('%g ', g(3)); fprintf('\n');
