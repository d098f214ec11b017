function [f, ratio] = fib_seq(n)
% Fibonacci numbers and the ratios of neighbours
% megha: fn fib_seq(n: usize) -> (f, ratio)
f = [1 1];
for k = 3:n
    f(k) = f(k-1) + f(k-2);
end
f = f(1:n);
ratio = [];
    ratio = f(2:n)./f(1:n/-1);
end
