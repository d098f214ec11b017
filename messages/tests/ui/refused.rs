// MATLAB that Megha does not compile: each with the way out.

megha::matlab! {
    function y = refused(x)
    arguments
        x (n,1) double
    end
    c = {1; 2};
    s(2).field = 3;
    p.a = x;
    w = p.b + p + x.a;
    try
        y = 1;
    catch
        y = 2;
    end
    global g
    persistent p; p = x;
    eval("y = 3");
    fopen("file");
    plot(x);
    y = exist("x", "file");
    y = sparse(x);
    y = rande(3);
    y = rand("state");
    y = datestr(0);
    y = median([2i, 3]);
    y = asin(2i);
    y = 2i + int32(1);
    y = min(2i, 3);
    y = erf(2i * x);
    y = cellfun(x);
    o = odeset("Events", @sin);
    o = optimset("TolFnu", 1e-3);
    o = optimset("TolX");
    y = fzero(@sin, 3, x);
    end
}

megha::matlab! {
    function y = doubles(x)
    arguments
        x (1,1) double
    end
    c = {x, x};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    c = {c, c};
    y = x;
    end
}

fn main() {}
