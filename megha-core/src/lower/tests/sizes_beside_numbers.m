1;
function u = stack(x, n)
  [X, Y] = meshgrid(x, x);
  u = zeros([size(X), n + 1]);
  u(:, :, 1) = X .* Y;
  s = size(X);
  u(:, :, 2) = ones(s(1:2)) + ones([s(1) s(2)]);
end
function F = rows_and_pages(f, w)
  if ~isempty(w)
    for k = 1:size(f, 3)
      for i = 1:size(f, 1)
        for j = 2:size(f, 2)
          F(i, j, k) = w(j) * sum(f(i, 1:j, k));
        end
      end
    end
  else
    F = f;
  end
end
u = stack([1 2 4], 2);
size(u), sum(u, 3)
n = sum([1 0 1 1]);
f = reshape(1:2 * (n + 1) * n, 2, n + 1, n);
F = rows_and_pages(f, 1:n + 1);
size(F), squeeze(F(2, :, :))
F = rows_and_pages(f, []);
size(F)
