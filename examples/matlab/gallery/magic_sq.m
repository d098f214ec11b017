function M = magic_sq(n)
% magic square: the Siamese method for odd n, complements if 4 divides n
% megha: fn magic_sq(n: usize) -> M
if n < 1 || n == 2
    M = [];
    return;
end
M = zeros(n);
if mod(n,2) == 1
    i = 1; j = (n+1)/2;
    for k = 1:n^2
        M(i,j) = k;
        ni = mod(i-2, n) + 1;
        nj = mod(j, n) + 1;
        if M(ni,nj) ~= 0
            ni = mod(i, n) + 1;
            nj = j;
        end
        i = ni; j = nj;
    end
elseif mod(n,4) == 0
    M = reshape(1:n*n, n, n)';
    for i = 1:n
        for j = 1:n
            if (mod(i,4) <= 1) == (mod(j,4) <= 1)
                M(i,j) = n*n + 1 - M(i,j);
            end
        end
    end
else
    error('magic_sq: order %d is singly even', n);
end
