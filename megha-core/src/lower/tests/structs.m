1;
function y = f(p)
  y = p.a * p.b;
end
function p = mk(n)
  p.n = n; p.v = zeros(1, n); p.name = 'made';
end
function p = step(p)
  p.v(p.n) = 5; p.n = p.n - 1;
end
function q = nested(s)
  q.inner = s; q.inner.a = s.a + 1; q.list = {s.a, 'x'};
end
function r = uses(o)
  if isfield(o, 'tol'), r = o.tol; else r = 1; end
end
n = numel(find([1 0 1 1]));
p.a = 1; p.b = [1 2]; y = f(p)
p = mk(3); p = step(p); p = step(p); disp(p.v), disp(p.name)
isfield(p, 'n'), isfield(p, 'q'), isstruct(p), isstruct(5)
s = struct('a', 1, 'b', [1 2]); y = s.a * s.b
t.x = 0; for k = 1:n, t.x = t.x + k; end, t.x
q = nested(s); q.inner.a, q.inner.b, q.list{2}, s.a
for k = 1:n
  p = step(p); if p.n < 1, p.n = 3; end
end
p.n, p.v
uses(struct('tol', 7)), uses(s)
names = fieldnames(s);
for k = 1:numel(names)
  printf('%s: ', names{k}); disp(s.(names{k}))
end
w = s; w.a = 100; s.a, w.a
if n > 2, w.extra = 5; end
isfield(w, 'extra')
w.extra
u = struct(); u.z = 1; u.('dyn') = 4; u.dyn
g = @(x) x * s.b(2) + s.a; g(3)
c = {s, w}; c{2}.a
h.f = @(x) x + 1; h.f(2)
v = []; v.k = 2; v.k
m.data = []; for k = 1:3, m.data(end+1) = k; m.count = numel(m.data); end, m.data, m.count
s = rmfield(s, 'a'); isfield(s, 'a'), numfields(s)
z.pos = [0 0]; z.pos(2) = 3; z.pos
r = getfield(w, 'b')
w = setfield(w, 'b', 9); w.b
while z.pos(1) < n, z.pos(1) += 1; end, z.pos
o.a.b.c = 1; o.a.b.d = 2; x = o.a.b; x.d
if n > 100, o.a.b.c = 5; else, o.a.b.c = 6; end, o.a.b.c
class(o)
