function [ax, ay, az] = nbody(x, y, z, m, soft)
n = numel(x);
ax = zeros(n, 1); ay = zeros(n, 1); az = zeros(n, 1);
for i = 1:n
  sx = 0; sy = 0; sz = 0;
  for j = 1:n
    dx = x(j) - x(i); dy = y(j) - y(i); dz = z(j) - z(i);
    r = dx*dx + dy*dy + dz*dz + soft;
    w = m(j) / (r * sqrt(r));
    sx = sx + w*dx; sy = sy + w*dy; sz = sz + w*dz;
  end
  ax(i) = sx; ay(i) = sy; az(i) = sz;
end
end
