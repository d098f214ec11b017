r = ones(1, 2, 3);
for i = 1:4, fe(i, :, :) = r * i; end
size(fe), sum(fe(:))
for i = 1:2
    for k = 1:4, g(k, :, :) = r; end
end
size(g)
for k = 1:3, h(:, :, k) = [1 2; 3 4] * k; end
size(h), h(:, :, 2)
f = reshape(1:24, 2, 3, 4);
a = circshift(f, [0 1 -1]); b = circshift(f(2, :, :), [0 1 1]); c = circshift(f, [1 0]);
a(:)', b(:)', c(:)'
