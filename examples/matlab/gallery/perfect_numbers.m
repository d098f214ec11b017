function [list, sums] = perfect_numbers(limit)
% perfect numbers up to the limit, and the sum of divisors of every number
% megha: fn perfect_numbers(limit: usize) -> (list, sums)
list = [];
sums = zeros(limit, 1);
for n = 1:limit
    for d = 1:floor(n/2)
        if ~mod(n, d)
            sums(n) = sums(n) + d;
        end
    end
    if sums(n) == n
        list(end+1) = n;
    end
end
