function f = lattice(f, steps)
% Lattice Boltzmann, D2Q9, on a torus: populations stream and relax towards their equilibrium.
w = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36];
cx = [0, 1, 0, -1, 0, 1, -1, -1, 1];
cy = [0, 0, 1, 0, -1, 1, 1, -1, -1];
for t = 1:steps
  for q = 1:9
    f(:,:,q) = circshift(f(:,:,q), [cx(q), cy(q)]);
  end
  rho = sum(f, 3);
  ux = (f(:,:,2) - f(:,:,4) + f(:,:,6) - f(:,:,7) - f(:,:,8) + f(:,:,9)) ./ rho;
  uy = (f(:,:,3) - f(:,:,5) + f(:,:,6) + f(:,:,7) - f(:,:,8) - f(:,:,9)) ./ rho;
  s = 1.5 * (ux .* ux + uy .* uy);
  for q = 1:9
    e = 3 * (cx(q) * ux + cy(q) * uy);
    f(:,:,q) = f(:,:,q) + 0.6 * (w(q) * rho .* (1 + e + 0.5 * e .* e - s) - f(:,:,q));
  end
end
end
