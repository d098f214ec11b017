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

fn main() {}
