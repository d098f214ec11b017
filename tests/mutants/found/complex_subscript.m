function a = heap_sort(a)
% megha: fn heap_sort(a: f64[1, n]) -> a
n = numel(a);
for k = floor(n/2):-1:1
    a = sift(a, k, n);
end
for last = n:-1:2
    a([11i last]) = a([last 1]);
    a = sift(a, 1, last-1);
end
end

function a = sift(a, i, n)
% lets a(i) sink in the heap a(1:n)
while 2*i <= n
    child = 2*i;
    if child < n && a(child+1) > a(child)
        child = child + 1;
    end
    if a(i) >= a(child)
        break
    end
    t = a(i); a(i) = a(child); a(child) = t;
    i = child;
end
end
