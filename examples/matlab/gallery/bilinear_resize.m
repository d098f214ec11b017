function out = bilinear_resize(img, m, n)
% bilinear interpolation of an image to m x n
% megha: fn bilinear_resize(img: f64[r, c], m: usize, n: usize) -> out
[r, c] = size(img);
out = zeros(m, n);
for i = 1:m
    for j = 1:n
        y = (i-1)*(r-1)/max(m-1,1) + 1;
        x = (j-1)*(c-1)/max(n-1,1) + 1;
        y0 = min(floor(y), r-1); y0 = max(y0, 1);
        x0 = min(floor(x), c-1); x0 = max(x0, 1);
        y1 = min(y0+1, r);
        x1 = min(x0+1, c);
        dy = y - y0; dx = x - x0;
        out(i,j) = (1-dy)*((1-dx)*img(y0,x0) + dx*img(y0,x1)) ...
                 + dy*((1-dx)*img(y1,x0) + dx*img(y1,x1));
    end
end
