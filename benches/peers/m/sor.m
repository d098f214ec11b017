function u = sor(u, sweeps)
% Laplace's equation by over-relaxation, the red points first and then the black ones.
[n, m] = size(u);
for s = 1:sweeps
  for c = 0:1
    for j = 2:m-1
      for i = 2 + mod(j + c, 2):2:n-1
        u(i,j) = u(i,j) + 0.45 * ((u(i-1,j) + u(i+1,j)) + (u(i,j-1) + u(i,j+1)) - 4 * u(i,j));
      end
    end
  end
end
end
