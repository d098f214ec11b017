// Programs that are well formed and mean nothing.

megha::matlab! {
    function [a, b, c, d] = sizes(x, m, k)
    arguments
        x (n,1) double
        m (3,4) double
        k (1,1) double {mustBeInteger, mustBePositive}
    end
    a = x + zeros(5, 1) + m;
    b = m * m;
    c = [m; x, x];
    d = m(4, 1) + m(1, 2, 3, 4) + m(1.5);
    m(13) = 1;
    end
}

megha::matlab! {
    function [y, z, never] = values(x, i, j)
    arguments
        x (n,1) double
        i (1,1) int32
        j (1,1) int8
    end
    y = i + j;
    y = unknown_thing + 1;
    z = cat(i, x, x);
    z = size();
    [p, q, r, s] = numel(x);
    q = zeros(x);
    w = transpose(x);
    w(1:0.5:3) = 2;
    if max([]) > 1
        z = 1;
    end
    z = 2;
    end
}

megha::matlab! {
    function y = ways(x, n)
    arguments
        x (1,1) double
        n (1,1) double {mustBeInteger}
    end
    if x > 0
        y = zeros(3, 1);
    else
        y = int8(1);
    end
    y = y + 1;
    w = 1;
    for t = 1:n
        w = int8(w);
        if t > n, break; end
    end
    w = w + 1;
    mask = ones(1, 3);
    while any(mask > n)
        mask = mask > 0;
    end
    q = x(mask);
    break
    end
}

megha::matlab! {
    function [y, z] = unassigned(x)
    arguments
        x (1,1) double
    end
    y = x + 1;
    end
}

megha::matlab! {
    function y = reached(x)
    arguments
        x (3,1) double
    end
    y = x;
    if x(1) > 0
        y = x + zeros(4, 1);
    end
    end
}

megha::matlab! {
    function y = mistyped(x)
    arguments
        x (1,1) double
    end
    y = x;
    if x > 0
        y = lenght(x);
    end
    end
}

fn main() {}
