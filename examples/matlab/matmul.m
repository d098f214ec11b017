function c = matmul(a, b)
% MATMUL  Matrix product by the definition, one element at a time.
%
%   c = matmul(a, b)
%
%   a  (m,k)
%   b  (k,n)
%   c  (m,n)  the product a * b

% megha: fn matmul(a: f64[m, k], b: f64[k, n]) -> c

[m, terms] = size(a);
n = size(b, 2);

c = zeros(m, n);
for i = 1:m
    for j = 1:n
        total = 0;
        for k = 1:terms
            total = total + a(i, k) * b(k, j);
        end
        c(i, j) = total;
    end
end
end
