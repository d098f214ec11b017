function [ways, fewest] = coin_change(coins, amount)
% megha: fn coin_change(coins: f64[1, k], amount: usize) -> (ways, fewest)
%COIN_CHANGE in how many ways, and with how few coins, an amount can be paid
w = zeros(1, amount+1);
w(1) = 1;
f = inf(1, amount+1);
f(1) = 0;
for c = coins
    for a = c:amount
        w(a+1) = w(a+1) + w(a-c+1);
        f(a+1) = min(f(a+1), f(a-c+1) + 1);
    end
end
ways = w(end);
if isinf(f(end))
    fewest = -1;
else
    fewest = f(end);
end
