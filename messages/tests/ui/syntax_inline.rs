// Mistakes of syntax in inline functions: carets under the user's own tokens, all mistakes at once.

megha::matlab! {
    function y = missing_value(x)
    arguments
        x (n,1) double
    end
    a = x + ;
    y = a b;
    x + 1 = y;
    y = end + 1;
    y = f(a=1);
    end
}

megha::matlab! {
    function y = other_languages(x)
    arguments
        x (1,1) double
    end
    y = x != 0 ? 1 : 2;
    double z = 3;
    if (y = 2)
        y = 1;
    end
    end
}

megha::matlab! {
    function y = blocks(x)
    arguments
        x (1,1) double
    end
    y = x;
    else
    for k in x
    end
    spmd
    end
    y = : + 1;
    end
}

megha::matlab! {
    function y = malformed(x) = 2
    y = x;
    end
}

megha::matlab! {
    function y = declarations(x)
    arguments
        x (3) double
        x (n,1) double extra
    end
    y = x;
    endwhile
}

fn main() {
    // The functions exist, so that these calls are no mistakes.
    let y = missing_value(&[1.0]).unwrap();
    println!("{}", y[[0, 0]]);
    let _ = other_languages(1.0);
    println!("{}", blocks(2.0).unwrap());
}
