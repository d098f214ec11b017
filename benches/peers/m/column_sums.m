function y = column_sums(a)
y = sum(a);
end
