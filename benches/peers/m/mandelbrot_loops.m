function k = mandelbrot_loops(cr, ci)
n = numel(ci); m = numel(cr);
k = zeros(n, m);
for j = 1:m
  for i = 1:n
    a = 0; b = 0; c = 0;
    for q = 1:200
      r2 = a * a; i2 = b * b;
      if r2 + i2 > 4
        break
      end
      c = c + 1;
      b = 2 * a * b + ci(i);
      a = r2 - i2 + cr(j);
    end
    k(i, j) = c;
  end
end
end
