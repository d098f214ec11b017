function y = layernorm(a, g, b)
d = a - mean(a, 2);
y = d ./ sqrt(mean(d .* d, 2) + 1e-5) .* g + b;
end
