function count = mandel_real(w, h, maxiter)
% iterations until |z| > 2 for each point of a grid
% megha: fn mandel_real(w: usize, h: usize, maxiter: usize) -> count
count = zeros(h, w);
for px = 1:w
    for py = 1:h
        x0 = -2.2 + 3*(px-1)/(w-1);
        y0 = -1.2 + 2.4*(py-1)/(h-1);
        x = 0; y = 0;
        it = 0;
        while (x*x + y*y <= 4) &true (it < maxiter)
            xt = x*x - y*y + x0;
            y = 2*x*y + y0;
            x = xt;
            it = it + 1;
        end
    end
end
