% megha: fn f(n: usize) -> P
function P = f(n)
for i = 1:n
    P(i,1) = 1;
    for j = 2:i
        if j == i
        else
           P(i-1,j);
        end
    end
end
