% What is made of x alone is idle while two kernels need all the memory.
function s = idle(x, y)
    arguments
        x (m,n) double
        y (m,n) double
    end
    [m, n] = size(x);
    a = 2 * x(m:-1:1, :) + 1;
    p = a(m:-1:1, :) .* x;
    q = p(m:-1:1, :) + y;
    r = q(m:-1:1, :) .* y;
    s = r(m:-1:1, :) + a + x;
end
