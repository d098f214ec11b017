A = [4 1; 2 3];
x = 1;
for k = 1:3, x = A * x; end
x
P = 1; R = 1; L = 1; S = 1;
for k = 1:3
    P = P * A;
    R = P * R;
    L = L \ A;
    S = A / S;
end
P, R, L, S
u = 2; n = numel(find(A > 5));
for k = 1:n, u = A; end
u * [1 2; 3 4], u \ [1 2; 3 4], [1 2; 3 4] / u, u * u
p = 1; r = [1 2 3];
for k = 1:3, p = conv(p, [1 -r(k)]); end
p, value = polyval(p, 4)
