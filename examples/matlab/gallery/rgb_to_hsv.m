function hsv = rgb_to_hsv(rgb)
% colours of an m x n x 3 image, all values from 0 to 1
% megha: fn rgb_to_hsv(rgb: f64[m, n, 3]) -> hsv
r = rgb(:,:,1);
g = rgb(:,:,2);
b = rgb(:,:,3);
v = max(max(r, g), b);
lo = min(min(r, g), b);
d = v - lo;
s = zeros(size(v));
nz = v > 0;
s(nz) = d(nz) ./ v(nz);
h = zeros(size(v));
for k = 1:numel(v)
    if d(k) == 0
        h(k) = 0;
    elseif v(k) == r(k)
        h(k) = mod((g(k) - b(k))/d(k), 6);
    elseif v(k) == g(k)
        h(k) = (b(k) - r(k))/d(k) + 2;
    else
        h(k) = (r(k) - g(k))/d(k) + 4;
    end
end
hsv = zeros(size(rgb));
hsv(:,:,1) = h/6;
hsv(:,:,2) = s;
hsv(:,:,3) = v;
