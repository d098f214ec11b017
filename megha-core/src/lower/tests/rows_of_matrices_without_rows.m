1;
% One subscript makes a row of what has no rows, a column by its sizes too.
function x = filled(n)
  x = zeros(0, 1);
  for k = 1:n
    x(k) = k;
  end
end
x = zeros(0, 1); x(3) = 5; disp(size(x)); disp(x);
x = zeros(0, 1); x(1:3) = [1; 2; 3]; disp(size(x)); disp(x);
x = zeros(0, 3); x(1:2) = 4; disp(size(x)); disp(x);
x = zeros(0, 1); x(end+1) = 4; x(end+1) = 5; disp(size(x)); disp(x);
x = zeros(0, 1); x(2, 1) = 5; disp(size(x)); disp(x);
disp(filled(3));
