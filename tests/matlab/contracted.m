% Products that are rounded with the sums that need them.
%
% megha: contract
% megha: fn contracted(a: f64[n, m], b: f64[n, m], c: f64[n, m]) -> (y, z, w, s, t)
function [y, z, w, s, t] = contracted(a, b, c)
y = a .* b + c;
z = c - 2 * a;
w = a .* b - b .* c;
s = 0;
for j = 1:size(a, 2)
    for i = 1:size(a, 1)
        s = s + a(i, j) * b(i, j);
    end
end
p = a .* c;
t = p + p .* b;
end
