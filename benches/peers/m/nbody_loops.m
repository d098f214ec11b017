function [ax, ay, az] = nbody_loops(x, y, z, m)
n = numel(x);
ax = zeros(n, 1); ay = zeros(n, 1); az = zeros(n, 1);
for i = 1:n
  a = 0; b = 0; c = 0;
  for j = 1:n
    dx = x(j) - x(i); dy = y(j) - y(i); dz = z(j) - z(i);
    r2 = dx * dx + dy * dy + dz * dz + 1e-3;
    w = m(j) / (r2 * sqrt(r2));
    a = a + w * dx; b = b + w * dy; c = c + w * dz;
  end
  ax(i) = a; ay(i) = b; az(i) = c;
end
end
