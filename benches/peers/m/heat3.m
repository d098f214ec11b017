function u = heat3(u, steps)
for i = 1:steps
  u(2:end-1,2:end-1,2:end-1) = u(2:end-1,2:end-1,2:end-1) + 0.1 * (((u(1:end-2,2:end-1,2:end-1) + u(3:end,2:end-1,2:end-1)) + (u(2:end-1,1:end-2,2:end-1) + u(2:end-1,3:end,2:end-1))) + (u(2:end-1,2:end-1,1:end-2) + u(2:end-1,2:end-1,3:end)) - 6 * u(2:end-1,2:end-1,2:end-1));
end
end
