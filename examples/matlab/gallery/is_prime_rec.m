function s = is_prime_rec(n)
% sum of the primes up to n, testing each by trial division
% megha: fn is_prime_rec(n: usize) -> s
s = 0;
for k = 2:n
    if check(k)
        s = s + k;
    end
end
end

function yes = check(k)
yes = true;
if k < 2
    yes = false;
    return
end
d = 2;
while d*d <= k
    if mod(k, d) == 0
        yes = false;
        return
    end
    d = d + 1;
end
end
