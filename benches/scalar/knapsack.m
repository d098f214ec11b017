function best = knapsack(value, weight, capacity)
% The largest value that fits, each thing taken at most once.
most = zeros(1, capacity + 1);
for k = 1:length(value)
    for c = capacity:-1:weight(k)
        take = most(c - weight(k) + 1) + value(k);
        if take > most(c + 1)
            most(c + 1) = take;
        end
    end
end
best = most(capacity + 1);
end
