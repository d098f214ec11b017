function [M, d] = spiral_matrix(n)
% numbers 1..n^2 in a spiral, and the sum on both diagonals
% megha: fn spiral_matrix(n: usize) -> (M, d)
M = zeros(n);
top = 1; bot = n; left = 1; right = n;
k = 1;
while top <= bot && left <= right
    for j = left:right, M(top,j) = k; k = k + 1; end
    top = top + 1;
    for i = top:bot, M(i,right) = k; k = k + 1; end
    right = right - 1;
    if top <= bot
        for j = right:-1:left, M(bot,j) = k; k = k + 1; end
        bot = bot - 1;
    end
    if left <= right
        for i = bot:-1:top, M(i,left) = k; k = k + 1; end
        left = left + 1;
    end
end
d = sum(diag(M)) + sum(diag(fliplr(M)));
