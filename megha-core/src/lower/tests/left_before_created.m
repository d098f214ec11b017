1;
% Ways out of a function that assign what the rest of it creates by stores, or gives another shape.
function [x, info] = eliminated(n, a, b)
  info = 0;
  for j = 1:n-1
    if a(j) == 7
      x = [];
      info = 1;
      return;
    end
  end
  x(1:n,1) = b(1:n,1);
  for i = 1:n-1
    x(i,1) = x(i,1) - x(i+1,1);
  end
end
function y = collected(a)
  for k = 1:numel(a)
    if a(k) < 0
      y = NaN;
      return
    end
  end
  y(numel(a)) = 1;
  for k = 1:numel(a)
    y(k) = y(k) + a(k);
  end
end
function y = nested(a)
  for i = 1:size(a, 1)
    for j = 1:size(a, 2)
      if a(i, j) == 0
        y = zeros(3, 3);
        return;
      end
    end
  end
  y(2, 3) = sum(a(:));
end
function v = changed(v)
  for k = 1:3
    if v(1) > 10
      v = 0;
      return
    end
    v(1) = v(1) + 4;
  end
  v(end+1) = 1;
end
[x, info] = eliminated(3, [1; 2; 3], [4; 5; 6])
[x, info] = eliminated(3, [1; 7; 3], [4; 5; 6]); disp(numel(x)), disp(info)
disp(collected([1 2 3]));
disp(collected([1 -2 3]));
disp(size(collected([5; 6])));
disp(nested([1 2; 3 4]));
disp(nested([1 2; 0 4]));
disp(changed([1 2]));
disp(changed([9 2]));
