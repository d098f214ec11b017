function [start, steps] = collatz(limit)
% The start below the limit whose Collatz sequence is the longest.
start = 1;
steps = 0;
for k = 1:limit
    m = k;
    count = 0;
    while m ~= 1
        if mod(m, 2) == 0
            m = m / 2;
        else
            m = 3 * m + 1;
        end
        count = count + 1;
    end
    if count > steps
        steps = count;
        start = k;
    end
end
end
