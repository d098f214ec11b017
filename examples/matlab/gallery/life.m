function [grid, alive] = life(grid, steps)
% Conway's game of life on a torus
% megha: fn life(grid: f64[r, c], steps: usize) -> (grid, alive)
[r, c] = size(grid);
up = [r, 1:r-1];
down = [2:r, 1];
left = [c, 1:c-1];
right = [2:c, 1];
alive = zeros(1, steps+1);
alive(1) = sum(grid(:));
for t = 1:steps
    nb = grid(up,:) + grid(down,:) + grid(:,left) + grid(:,right) ...
       + grid(up,left) + grid(up,right) + grid(down,left) + grid(down,right);
    grid = double((nb == 3) | (grid & nb == 2));
    alive(t+1) = sum(sum(grid));
end
