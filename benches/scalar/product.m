function C = product(A, B)
% The product of matrices by three loops.
[m, p] = size(A);
n = size(B, 2);
C = zeros(m, n);
for i = 1:m
    for j = 1:n
        s = 0;
        for k = 1:p
            s = s + A(i, k) * B(k, j);
        end
        C(i, j) = s;
    end
end
end
