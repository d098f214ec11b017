function G = gray_code(n)
% table of the Gray code with n bits, most significant bit first
% megha: fn gray_code(n: usize) -> G
N = 2^n;
G = zeros(N, n);
for k = 0:N-1
    g = bitxor(k, floor(k/2));
    for b = 1:n
        G(k+1, b) = bitand(floor(g/2^(n-b)), 1);
    end
end
