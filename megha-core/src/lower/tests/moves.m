1;
function hanoi(n, a, b, c)
    if n == 0, return; end
    hanoi(n - 1, a, c, b);
    printf('%d: %d -> %d\n', n, a, c);
    hanoi(n - 1, b, a, c);
end
hanoi(3, 1, 2, 3)
