% What is found in data is often one number, and then meets arrays as one.
t = [0 1 2 4 7 11];
x = [1 3 2 9 4 4];
first = find(x > 2, 1);
disp(t - t(first))
top = find(x == max(x));
disp(t / t(top) + x(top))
[r, c] = find(reshape(x, 2, 3) == 9);
m = reshape(t, 2, 3);
disp(m - m(r, c))
k = zeros(3, 1);
k(2) = r;
disp((k .* c)')
price = [1 10; 2 25; 3 40];
v = price(price(:, 1) == 2, 2);
w = t(t > 10);
disp(t * v + w), disp(t .^ w), disp((v + 1) * m)
if v > 20, disp('dear'), end
last = find(x == 4, 1, 'last');
disp(numel(t) - last)
low = x(x < 4);
disp(low + low(end)), disp(low .* t(t > 1 & t < 8))
