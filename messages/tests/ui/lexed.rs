//! Inline text that Rust's own lexer mutilates.

megha::matlab! {
    function x = solved(A, b)
    arguments
        A (n,n) double
        b (n,1) double
    end
    x = A \ b;
    end
}

fn main() {}
