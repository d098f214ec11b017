function y = transposed_vector(a, x)
y = a' * x;
end
