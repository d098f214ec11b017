function k = mandelbrot(cr, ci)
C = repmat(cr, numel(ci), 1);
D = repmat(ci, 1, numel(cr));
zr = zeros(size(C)); zi = zr; k = zr;
for i = 1:200
  r2 = zr .* zr; i2 = zi .* zi;
  k = k + ((r2 + i2) <= 4);
  zi = 2 * zr .* zi + D;
  zr = r2 - i2 + C;
end
end
