function I = simpson_comp(a, b, n)
% composite Simpson rule for exp(-x^2)
% megha: fn simpson_comp(a: f64, b: f64, n: usize) -> I
if mod(n,2) == 1
    n = n + 1;
end
if n == 0, I = 0; return, end
h = (b-a)/n;
x = a:h:b;
f = exp(-x.^2);
I = h/3*(f(1) + 4*sum(f(2:2:n)) + 2*sum(f(3:2:n-1)) + f(n+1));
