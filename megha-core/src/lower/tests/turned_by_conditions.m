% Vectors that a condition turns to lie one way: what lies otherwise has at most one element there.
n = numel(find([1 0 1 1]));
c = (1:n)' * 2;
if size(c, 1) == 1
    c = c';
end
disp(diag(c) * c)
r = (1:n) * 3;
[rows, columns] = size(r);
if rows < columns
    r = r.';
end
disp(diag(r))
s = (1:n)' + 4;
sizes = size(s);
if sizes(1) ~= 1
    s = s.';
end
disp(s * c)
t = (1:n)';
if isrow(t)
    t = t';
end
disp([t, r, c])
one = numel(find([0 1 0]));
u = (1:one) + 7;
if size(u, 2) > 1
    u = u';
end
disp(size(u)), disp(u)
