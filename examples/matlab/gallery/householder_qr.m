function [Q,R] = householder_qr(A)
% QR decomposition by Householder reflections
% megha: fn householder_qr(A: f64[m, n]) -> (Q, R)
[m,n] = size(A);
Q = eye(m);
R = A;
for k=1:min(m-1,n)
    x = R(k:m,k);
    e = zeros(length(x),1);
    e(1) = 1;
    if x(1) >= 0
        s = 1;
    else
        s = -1;
    end
    v = x + s*norm(x)*e;
    if norm(v) == 0
        continue;
    end
    v = v/norm(v);
    R(k:m,:) = R(k:m,:) - 2*v*(v'*R(k:m,:));
    Q(:,k:m) = Q(:,k:m) - 2*(Q(:,k:m)*v)*v';
end
