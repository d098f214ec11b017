function [edges, count] = sobel_edges(img, frac)
% Edge map of a grey image by Sobel's operator.  Pixels whose gradient is
% above FRAC of the largest one are edges.
%
% megha: fn sobel_edges(img: f64[r, c], frac: f64) -> (edges, count)

[rows, cols] = size(img);
mag = zeros(size(img));

for i = 2:rows-1
    for j = 2:cols-1
        gx = img(i-1,j+1) + 2*img(i,j+1) + img(i+1,j+1) ...
           - img(i-1,j-1) - 2*img(i,j-1) - img(i+1,j-1);
        gy = img(i+1,j-1) + 2*img(i+1,j) + img(i+1,j+1) ...
           - img(i-1,j-1) - 2*img(i-1,j) - img(i-1,j+1);
        mag(i,j) = sqrt(gx^2 + gy^2);
    end
end

level = frac * max(mag(:));
edges = double(mag > level);
count = sum(edges(:));
