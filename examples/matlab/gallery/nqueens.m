function count = nqueens(n)
% number of ways to place n queens, by backtracking without recursion
% megha: fn nqueens(n: usize) -> count
q = zeros(1, n);
count = 0;
row = 1;
while row > 0
    q(row) = q(row) + 1;
    if q(row) > n
        q(row) = 0;
        row = row - 1;
        continue
    end
    safe = true;
    for k = 1:row-1
        if q(k) == q(row) || abs(q(k) - q(row)) == row - k
            safe = false;
            break
        end
    end
    if safe
        if row == n
            count = count + 1;
        else
            row = row + 1;
        end
    end
end
