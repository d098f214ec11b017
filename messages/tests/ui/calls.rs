// Calls that are refused: recursion without end or of changing types, any number of arguments.

megha::matlab! {
    function y = endless(n)
    arguments
        n (1,1) double
    end
    y = n * endless(n - 1);
    end

    function y = changing(n)
    arguments
        n (1,1) double
    end
    y = deeper(@(t) t, n);
    end

    function y = deeper(g, n)
    if n < 1
        y = g(n);
    else
        y = deeper(@(t) g(t) + 1, n - 1);
    end
    end

    function y = classes(n)
    arguments
        n (1,1) double
    end
    if n < 1
        y = int8(1);
    else
        y = classes(n - 1);
        y = int16(2);
    end
    end

    function y = many(n)
    arguments
        n (1,1) double
    end
    y = all_of(n, n);
    end

    function y = all_of(varargin)
    y = nargin;
    if y > 5
        y = all_of(y);
    end
    end
}

fn main() {}
