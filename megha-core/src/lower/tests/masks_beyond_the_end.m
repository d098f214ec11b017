1;
% Masks mark elements behind the end of arrays that stores create and enlarge.
function y = years(month, c)
  y(month < 3) = c(month < 3) - 1;
  y(month >= 3) = c(month >= 3) - 2;
end
function y = levels(x)
  y(x > 100) = 5;
  y(x > 3) = x(x > 3);
  y(x <= 2) = -1;
end
function [r, n] = blocks(x)
  r = zeros(2, 0);
  n = [];
  for k = 1:3
    r(2, x > k) = k;
    n(x == k) = k;
  end
end
disp(years([3 4 12], [10 20 30]));
disp(years([1 4 2], [10 20 30]));
disp(years([3; 4; 12], [10; 20; 30]));
disp(years(5, 10));
disp(years(2, 10));
disp(levels([3 4 12 1]));
disp(levels([200; 4; 1]));
disp(numel(levels([2.5 3])));
[r, n] = blocks([3 1 2 4 0]);
disp(r);
disp(n);
x = 7;
x(logical([0 0 1])) = 2;
disp(x);
