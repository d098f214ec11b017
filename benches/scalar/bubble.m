function [x, swaps] = bubble(x)
% Bubble sort, and the number of exchanges.
n = numel(x);
swaps = 0;
swapped = true;
while swapped
    swapped = false;
    for k = 1:n - 1
        if x(k) > x(k + 1)
            t = x(k);
            x(k) = x(k + 1);
            x(k + 1) = t;
            swapped = true;
            swaps = swaps + 1;
        end
    end
    n = n - 1;
end
end
