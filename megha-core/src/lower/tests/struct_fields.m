% structs beside try: order of fields and choices
n = numel(find([1 0 1 1]));
s.b = 1; s.a = 2;
if n > 5, s.c = 3; end
if n > 2, p.kind = 'long'; else, p.kind = 'short'; end
switch p.kind
  case 'long', disp('L')
  otherwise, disp('S')
end
p.h = @sin; if n > 2, p.h = @cos; end
y = p.h(0)
function r = area(shape)
  switch shape.type
    case 'circle', r = pi * shape.r ^ 2;
    case {'rect', 'square'}, r = shape.w * shape.h;
  end
end
a = area(struct('type', 'rect', 'w', 2, 'h', n))
b = area(struct('type', 'circle', 'r', n))
st.x = 0; st.v = 1;
for k = 1:n
  st.x = st.x + 0.1 * st.v; st.v = st.v - 0.1 * st.x;
  if st.v < 0.5, break, end
end
printf('%g %g\n', st.x, st.v)
opts.max = n; opts.list = [1 2 3];
total = 0;
for k = opts.list, if k > opts.max, continue, end, total = total + k; end
total
q = opts; q.list(end + 1) = 7; numel(q.list), numel(opts.list)
z = arrayfun(@(i) opts.list(i) * opts.max, 1:3)
isempty(opts), numel(opts)
