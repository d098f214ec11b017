function x = gauss_elim(A, b)
% Gaussian elimination with pivoting and back substitution
% megha: fn gauss_elim(A: f64[n, n], b: f64[n, 1]) -> x
[m, n] = size(A);
if m ~= n
    error('matrix must be square');
end
Ab = [A b];
for k = 1:n-1
    % find the pivot
    p = k;
    for i = k+1:n
        if abs(Ab(i,k)) > abs(Ab(p,k))
            p = i;
        end
    end
    if p ~= k
        tmp = Ab(k,:);
        Ab(k,:) = Ab(p,:);
        Ab(p,:) = tmp;
    end
    for i = k+1:n
        factor = Ab(i,k)/Ab(k,k);
        Ab(i,k:n+1) = Ab(i,k:n+1) - factor*Ab(k,k:n+1);
    end
end
x = zeros(n,1);
for i = n:-1:1
    x(i) = (Ab(i,n+1) - Ab(i,i+1:n)*x(i+1:n))/Ab(i,i);
end
