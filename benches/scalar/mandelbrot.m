function counts = mandelbrot(width, height, most)
% Iterations before z^2 + c leaves the disk of radius 2, for c in [-2, 1] x [-1.25, 1.25].
counts = zeros(height, width);
for col = 1:width
    cr = -2 + 3 * (col - 1) / (width - 1);
    for row = 1:height
        ci = -1.25 + 2.5 * (row - 1) / (height - 1);
        zr = 0;
        zi = 0;
        k = 0;
        while k < most && zr * zr + zi * zi <= 4
            t = zr * zr - zi * zi + cr;
            zi = 2 * zr * zi + ci;
            zr = t;
            k = k + 1;
        end
        counts(row, col) = k;
    end
end
end
