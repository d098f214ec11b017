function [start, longest] = collatz_max(limit)
% number below the limit with the longest Collatz chain
% megha: fn collatz_max(limit: usize) -> (start, longest)
start = 1;
longest = 1;
for s = 1:limit
    x = s;
    len = 1;
    while x ~= 1
        if rem(x, 2) == 0
            x = x/2;
        else
            x = 3*x + 1;
        end
        len = len + 1;
    end
    if len > longest
        longest = len;
        start = s;
    end
end
disp(longest)
