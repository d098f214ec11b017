function [v, swaps] = bubble_sort(v)
% megha: fn bubble_sort(v: f64[1, n]) -> (v, swaps)
n = length(v);
swaps = 0;
swapped = 1;
while swapped
    swapped = 0;
    for i = 1:n-1
        if v(i) > v(i+1)
            temp = v(i);
            v(i) = v(i+1);
            v(i+1) = temp;
            swapped = 1;
            swaps = swaps + 1;
        end
    end
    n = n - 1;
end
