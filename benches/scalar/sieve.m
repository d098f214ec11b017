function count = sieve(n)
% The number of primes up to n: the sieve of Eratosthenes.
prime = true(1, n);
prime(1) = false;
for p = 2:floor(sqrt(n))
    if prime(p)
        for multiple = p * p:p:n
            prime(multiple) = false;
        end
    end
end
count = 0;
for k = 1:n
    if prime(k)
        count = count + 1;
    end
end
end
