1;
function P = peaks(y, low)
  P = [0 0 0];
  k = 1;
  for j = 2:numel(y) - 1
    if y(j) > y(j - 1) && y(j) >= y(j + 1)
      if isnan(y(j)) || y(j) < low
      else
        P(k, :) = [k j y(j)];
        k = k + 1;
      end
    end
  end
end
function C = columns_beside(n)
  C = [1; 2];
  for k = 1:n
    if mod(k, 2), C(:, k) = [k; -k]; end
  end
end
function x = stays(x, i)
  x(i, :) = 2 * x(i, :);
end
y = [0 3 1 4 4 2 9 8 1 2 0];
peaks(y, 3.5)
peaks(y, 100)
peaks(y, 0)
columns_beside(3)
columns_beside(0)
stays([1 2 3], 1)
stays(magic(3), 2)
