function [B,C,D] = size_vectors(A)
% Arrays whose sizes come as one vector
% megha: fn size_vectors(A: f64[m,n]) -> (B, C, D)
dims = size(A);
B = zeros(dims);
C = ones(dims(1),2);
sz = [dims(2) dims(1)];
D = reshape(A,sz);
E = reshape(A,fliplr(dims));
B(:) = 1:prod(dims);
D = D + zeros(sz) + E;
s2 = dims+1;
C = [C, repmat(5,dims(1),1)];
F = zeros(s2);
F(1:end-1,1:end-1) = A;
B = B + F(1:dims(1),1:dims(2)) + rand(dims)*0;
