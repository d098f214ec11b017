function [vals, counts, back] = run_length(x)
% run-length code of a row and its inverse
% megha: fn run_length(x: f64[1, n]) -> (vals, counts, back)
vals = [];
counts = [];
k = 1;
n = length(x);
while k <= n
    len = 1;
    while k + len <= n && x(k+len) == x(k)
        len = len + 1;
    end
    vals = [vals x(k)];
    counts = [counts len];
    k = k + len;
end
back = [];
for k = 1:length(vals)
    back = [back, vals(k)*ones(1, counts(k))];
end
