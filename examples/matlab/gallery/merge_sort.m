function y = merge_sort(x)
% megha: fn merge_sort(x: f64[1, n]) -> y
n = length(x);
if n < 2
    y = x;
else
    h = floor(n/2);
    a = merge_sort(x(1:h));
    b = merge_sort(x(h+1:n));
    y = zeros(1,n);
    i = 1; j = 1;
    for k = 1:n
        if j > length(b) || (i <= length(a) && a(i) <= b(j))
            y(k) = a(i); i = i + 1;
        else
            y(k) = b(j); j = j + 1;
        end
    end
end
