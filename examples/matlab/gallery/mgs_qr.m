function [Q, R] = mgs_qr(A)
% Modified Gram-Schmidt
% megha: fn mgs_qr(A: f64[m, n]) -> (Q, R)
[m, n] = size(A);
Q = A;
R = zeros(n);
for k = 1:n
    R(k,k) = norm(Q(:,k));
    Q(:,k) = Q(:,k)/R(k,k);
    for j = k+1:n
        R(k,j) = Q(:,k)'*Q(:,j);
        Q(:,j) = Q(:,j) - R(k,j)*Q(:,k);
    end
end
