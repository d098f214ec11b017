function [ex, ey, ez, hx] = fdtd(e0, steps)
ex = e0; ey = e0; ez = e0;
hx = zeros(size(e0)); hy = hx; hz = hx;
c = 0.3;
for i = 1:steps
  hx(:,1:end-1,1:end-1) = hx(:,1:end-1,1:end-1) - c * ((ez(:,2:end,1:end-1) - ez(:,1:end-1,1:end-1)) - (ey(:,1:end-1,2:end) - ey(:,1:end-1,1:end-1)));
  hy(1:end-1,:,1:end-1) = hy(1:end-1,:,1:end-1) - c * ((ex(1:end-1,:,2:end) - ex(1:end-1,:,1:end-1)) - (ez(2:end,:,1:end-1) - ez(1:end-1,:,1:end-1)));
  hz(1:end-1,1:end-1,:) = hz(1:end-1,1:end-1,:) - c * ((ey(2:end,1:end-1,:) - ey(1:end-1,1:end-1,:)) - (ex(1:end-1,2:end,:) - ex(1:end-1,1:end-1,:)));
  ex(:,2:end,2:end) = ex(:,2:end,2:end) + c * ((hz(:,2:end,2:end) - hz(:,1:end-1,2:end)) - (hy(:,2:end,2:end) - hy(:,2:end,1:end-1)));
  ey(2:end,:,2:end) = ey(2:end,:,2:end) + c * ((hx(2:end,:,2:end) - hx(2:end,:,1:end-1)) - (hz(2:end,:,2:end) - hz(1:end-1,:,2:end)));
  ez(2:end,2:end,:) = ez(2:end,2:end,:) + c * ((hy(2:end,2:end,:) - hy(1:end-1,2:end,:)) - (hx(2:end,2:end,:) - hx(2:end,1:end-1,:)));
end
end
