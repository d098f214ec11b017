% interpolation between points in any order, subscripts of one row, limits of how many arguments are given
1;
function y = scaled(x, factor)
  error(nargchk(1, 2, nargin));
  message = nargchk(1, 2, nargin);
  if ~isempty(message)
    error(message);
  end
  if nargin < 2
    factor = 10;
  end
  y = x * factor;
end
x = [3 1 2 5];
y = [30 10 20 -50];
disp(interp1(x, y, [1.5 2.5 4; 1 5 3]));
disp(interp1(x', [y' y' / 10], [1.25; 4.5]));
disp(interp1(x, y, 2.75, 'nearest'));
disp(interp1([5 3 1], [1 2 3], [1 2 4.5]));
[~, order] = sort([0.3 0.1 0.2]);
disp(interp1(order, 1:3, 1:3));
disp(accumarray([2 3], 4));
disp(accumarray([1; 3; 1], [5; 6; 7])');
disp(scaled(3));
disp(scaled(3, 2));
