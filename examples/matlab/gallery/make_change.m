function [c,n,used] = make_change(amount,coins)
% Fewest coins for an amount
% megha: fn make_change(amount: usize, coins: f64[1,k]) -> (c, n, used)
best = [0 Inf*ones(1,amount)];
from = zeros(1,amount+1);
for a=1:amount
  for k=1:length(coins)
    if coins(k) <= a & best(a-coins(k)+1)+1 < best(a+1)
      best(a+1) = best(a-coins(k)+1)+1;
      from(a+1) = k;
    end
  end
end
n = best(end);
c = zeros(size(coins));
a = amount;
while a > 0 & from(a+1) > 0
  c(from(a+1)) = c(from(a+1))+1;
  a = a-coins(from(a+1));
end
used = sum(c.*coins);
