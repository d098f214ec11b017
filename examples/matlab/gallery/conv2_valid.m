function C = conv2_valid(A, K)
% two-dimensional convolution, inner part only
% megha: fn conv2_valid(A: f64[m, n], K: f64[p, q]) -> C
[m, n] = size(A);
[p, q] = size(K);
K = K(end:-1:1, end:-1:1);
C = zeros(m-p+1, n-q+1);
for i = 1:m-p+1
    for j = 1:n-q+1
        C(i,j) = sum(sum(A(i:i+p-1, j:j+q-1) .* K));
    end
end
