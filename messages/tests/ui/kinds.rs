// Kinds of mistakes that no other program here makes.

megha::matlab! {
    function y = sizes(x)
    arguments
        x (3,1) double
    end
    y = x + zeros(4, 1);
    end
}

megha::matlab!("function y = literals(x)\ny = 0xZ + 1e;\nend\n");

megha::matlab!("function y = last(x)\ny = x + (end + 1);\nend\n");

megha::matlab!(file "matlab/deep.m", fn deep() -> y: f64);

megha::matlab! {
    function y = without(x)
    arguments
        x (1,1) double
    end
    y = product(x);
    end

    function z = product(a, b)
    z = a * b;
    end
}

megha::matlab! {
    function [a, b, A] = scalars(x, A)
    arguments
        x (1,1) double
        A (3,3) double
    end
    a = x(0);
    b = x(2);
    b = A(2, 1, 2);
    x(3) = [];
    end
}

megha::matlab! {
    function d = oblong(x)
    arguments
        x (2,3) double
    end
    d = det(x);
    end
}

megha::matlab! {
    function y = left(n)
    arguments
        n (1,1) double
    end
    for k = 1:n
        if k > 2
            y = int8(7);
            break
        end
        y = 1.5;
    end
    y = y + 1;
    end
}

megha::matlab! {
    function y = perhaps_logical(n)
    arguments
        n (1,1) double
    end
    done = 0;
    while done == 0
        n = n / 2;
        if n < 1
            done = true;
        end
    end
    y = islogical(done);
    end
}

megha::matlab! {
    function y = element(k)
    arguments
        k (1,1) double
    end
    c = {1, [2 3]};
    for i = 1:3
        y = c{i} + inputname(k);
    end
    y = numel(cell(k, 1)) + cell(2, 2);
    end
}

fn main() {}
