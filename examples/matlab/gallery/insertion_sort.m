function x = insertion_sort(x)
% sorts a column in place
% megha: fn insertion_sort(x: f64[n, 1]) -> x
for i = 2:numel(x)
    key = x(i);
    j = i - 1;
    while j >= 1 && x(j) > key
        x(j+1) = x(j);
        j = j - 1;
    end
    x(j+1) = key;
end
end
