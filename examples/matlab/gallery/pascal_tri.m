function P = pascal_tri(n)
% Pascal's triangle as a lower triangular matrix
% megha: fn pascal_tri(n: usize) -> P
for i = 1:n
    P(i,1) = 1;
    for j = 2:i
        if j == i
            P(i,j) = 1;
        else
            P(i,j) = P(i-1,j-1) + P(i-1,j);
        end
    end
end
