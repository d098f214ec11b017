function y = matrix_vector(a, x)
y = a * x;
end
