function y = row_sums(a)
y = sum(a, 2);
end
