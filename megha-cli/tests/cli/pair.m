function [total, y] = pair(x, k)
% megha: fn pair(x: f64[n, 1], k: f64) -> (total, y: f64[n, 1])
y = scale(x, k);
total = sum(y);
end

function y = scale(x, k)
y = k .* x;
end

function y = alone(a, b)
y = a + b;
end
