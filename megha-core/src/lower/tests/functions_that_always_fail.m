1;
% Functions that only raise an error, called for their results where the run may not come.
function x = root(k)
  printf('looking for root %d\n', k);
  error('no root %d', k);
end
function x = either(k)
  if k > 3
    error('large');
  else
    error('small');
  end
end
function y = chosen(k)
  switch k
    case 1
      y = 10;
    case 2
      y = root(k) + 1;
    otherwise
      if k < 0 || either(k) > 2
        y = -1;
      else
        y = 3;
      end
  end
end
function y = looped(n)
  y = 0;
  for k = 1:n
    if k == 4
      y = y + root(k);
    end
    y = y + k;
  end
end
disp(chosen(1)); disp(chosen(-1)); disp(looped(3));
