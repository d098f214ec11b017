function [best, taken] = knapsack01(weight, value, cap)
% 0/1 knapsack by dynamic programming, and the items of a best choice
% megha: fn knapsack01(weight: f64[1, n], value: f64[1, n], cap: usize) -> (best, taken)
n = length(weight);
V = zeros(n+1, cap+1);
for i = 1:n
    for w = 0:cap
        V(i+1, w+1) = V(i, w+1);
        if weight(i) <= w
            cand = V(i, w-weight(i)+1) + value(i);
            if cand > V(i+1, w+1)
                V(i+1, w+1) = cand;
            end
        end
    end
end
best = V(n+1, cap+1);

% walk back
taken = [];
w = cap;
for i = n:-1:1
    if V(i+1, w+1) ~= V(i, w+1)
        taken = [i, taken];
        w = w - weight(i);
    end
end
