// Signatures and declarations that do not fit.

megha::matlab!(
    "function [y, z] = f(x, k) y = x; z = k; end",
    fn f as a(x: f64[n, 1], q: f64) -> y,
    fn f as b(x: f64[n, 1], k: f64, more: f64) -> (y, z),
    fn f as c(x: f64[n, 1], k: f64) -> z,
);

megha::matlab!("function y = f(x) y = x; end", fn f as d(x: double) -> y);

megha::matlab!("function y = f(x) y = [x; x]; end", fn f as e(x: f64[n, 1]) -> y: f64[n, 1]);

megha::matlab!(
    "function y = f(x) y = x; end",
    fn f as single(x: f64[n, 1]) -> y: f32[n, 1],
    fn absent(x: f64),
    fn f as same(x: f64),
    fn f as same(x: f64),
    fn f as g(x),
    fn f as match(x: f64),
);

megha::matlab!("function y = h(x) y = x; end function y = h(z) y = z; end", fn h(x: f64));

megha::matlab! {
    function y = declared(x, v, w, u, z)
    arguments
        z (-1,1) double
        x double
        v (n/2,1) double
        w (1,1) string {mustBeMember(w, "a")}
        other (1,1) double
        x (1,1) double
    end
    arguments (Repeating)
        more (1,1) double
    end
    y = x;
    end
}

megha::matlab! {
    y = 3;
}

megha::matlab! {}

fn main() {
    let y = declared(1, 2, 3, 4).unwrap() + single(2.0)?;
    println!("{y}");
}
