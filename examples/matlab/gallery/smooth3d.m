function V = smooth3d(nx, ny, nz, passes)
% seven-point smoothing of a block of numbers
% megha: fn smooth3d(nx: usize, ny: usize, nz: usize, passes: usize) -> V
V = zeros(nx,ny,nz);
for i=1:nx
  for j=1:ny
    for k=1:nz
      V(i,j,k) = mod(i*7 + j*13 + k*29, 17);
    end
  end
end
for p=1:passes
  W = V;
  for k=2:nz-1
    for j=2:ny-1
      for i=2:nx-1
        W(i,j,k) = (V(i,j,k)*6 + V(i-1,j,k) + V(i+1,j,k) + V(i,j-1,k) ...
                 + V(i,j+1,k) + V(i,j,k-1) + V(i,j,k+1))/12;
      end
    end
  end
  V = W;
end
