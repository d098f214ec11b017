function u = heat_loops(u, steps)
[n, m] = size(u);
for t = 1:steps
  v = u;
  for j = 2:m-1
    for i = 2:n-1
      u(i,j) = v(i,j) + 0.1 * ((v(i-1,j) + v(i+1,j)) + (v(i,j-1) + v(i,j+1)) - 4 * v(i,j));
    end
  end
end
end
