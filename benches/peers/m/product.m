function c = product(a, b)
c = a * b;
end
