function [a, b, c, d] = turns(a, b, c, d, steps)
% megha: fn turns(a: f64[m, n], b: f64[m, n], c: f64[m, n], d: f64[m, n], steps: usize) -> (a, b, c, d)
m = size(a, 1);
for t = 1:steps
    a = a + 0.5 * b(m:-1:1, :);
    b = b - 0.25 * a(m:-1:1, :);
    c = c + 0.125 * b(m:-1:1, :);
    d = d - 0.5 * c(m:-1:1, :);
end
end
