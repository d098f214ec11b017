% Variables that get their class in a loop, and stores, which do not change a class.
v = uint8([200 100 30 7]); n = numel(find(v));
out = zeros(2, n); total = 0; half = 0; p = 1; twice = [];
for k = 1:n
    out(:, k) = v(k);
    total = total + v(k);
    twice(end + 1) = bitshift(v(k), 1);
end
class(out), out / 8, class(total), total, class(twice), twice / 7
s = single([0.1 0.2 0.3]);
for k = 1:numel(s)
    half = half + s(k);
    p = s(k) * p;
end
class(half), printf('%.10f %.10g %s\n', half, p, class(p));
copy = 0.5 * ones(2, 2); whole = int8([1 2 3]); t = true(1, 3); x(2) = int16(7);
copy(1, 2) = int16(4); copy(2, :) = single([0.1 0.2]); whole(2) = 3.7; whole(3) = single(300); t(2) = int8(0);
class(copy), printf('%.12f ', copy); class(whole), whole, class(t), t, class(x), x
t(1) = 0.5; class(t), t
