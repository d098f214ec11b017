function [p, count] = sieve(n)
% primes up to n, by the sieve of Eratosthenes
% megha: fn sieve(n: usize) -> (p, count)
isprime_ = true(1, n);
isprime_(1) = false;
for k = 2:floor(sqrt(n))
    if isprime_(k)
        isprime_(k*k:k:n) = false;
    end
end
p = find(isprime_);
count = length(p);
