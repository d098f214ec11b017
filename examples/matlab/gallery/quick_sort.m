function y = quick_sort(x)
% quicksort by masks: smaller, equal, larger
% megha: fn quick_sort(x: f64[1, n]) -> y
if length(x) <= 1
    y = x;
    return
end
pivot = x(ceil(length(x)/2));
y = [quick_sort(x(x < pivot)), x(x == pivot), quick_sort(x(x > pivot))];
end
