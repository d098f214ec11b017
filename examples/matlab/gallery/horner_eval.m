function [p, dp] = horner_eval(c, x)
% a polynomial and its derivative by Horner's scheme, highest power first
% megha: fn horner_eval(c: f64[1, n], x: f64[1, m]) -> (p, dp)
p = c(1)*ones(size(x));
dp = zeros(size(x));
for k = 2:length(c)
    dp = dp.*x + p;
    p = p.*x + c(k);
end
