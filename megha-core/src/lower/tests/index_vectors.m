% stores through index vectors and ranges that reach past the end
x([2 5]) = [7 8];
fprintf('%g ', x); fprintf('\n');
y = 1:3;
y(4:6) = 9;
fprintf('%g ', y); fprintf('\n');
z = [];
for k = 1:3
  z(2*k-1:2*k) = [k, -k];
end
fprintf('%g ', z); fprintf('\n');
A = zeros(1, 2);
A(3, :) = [1 2];
A(:, 4) = [5; 6; 7];
fprintf('%g ', A, size(A)); fprintf('\n');
