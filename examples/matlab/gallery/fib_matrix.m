function F = fib_matrix(n)
% Fibonacci numbers by powers of a matrix, squaring
% megha: fn fib_matrix(n: usize) -> F
M = [1 1; 1 0];
R = eye(2);
while n > 0
    if mod(n, 2)
        R = R*M;
    end
    M = M^2;
    n = floor(n/2);
end
F = R(1,2);
