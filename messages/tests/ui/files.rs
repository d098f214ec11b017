// Files: those that are not there, that have mistakes, that call others with mistakes.

megha::matlab!(file "matlab/absent.m", pub fn absent(x: f64) -> y);

megha::matlab!(file "matlab/wrong.m", fn wrong(x: f64[n, 1]) -> y);

megha::matlab!(file "matlab/untyped.m");

megha::matlab!(file "matlab/untyped.m", fn another(x: f64));

megha::matlab!(file "matlab/untyped.m" fn untyped(x: f64));

fn main() {
    let _ = absent(1.0);
    let _ = wrong(&[1.0]);
}
