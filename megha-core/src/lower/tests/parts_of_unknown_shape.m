1;
function w = factors(p, x)
    for k = 1:numel(x)
        w(k) = prod(x(k) - p(1:2));
    end
end
M = magic(3);
for t = 1:2
    if t == 1, p = M(find(M(:, 1) == 8), :); else p = M(:, find(M(1, :) == 6)); end
    w = factors(p, [1 2 3])
end
