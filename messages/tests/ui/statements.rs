// Statements over Rust variables.

fn main() {
    let x = vec![1.0, 2.0];
    let rate = 0.5;
    let y = megha::matlab!(|x: f64[n, 1], rate: f64| -> y { y = x .* rates; }).unwrap();
    println!("{y:?}");
    let (a, b) = megha::matlab!(|x: f64[n, 1], rate| -> (a, b) { a = x; b = rate; }).unwrap();
    let _ = megha::matlab!(|x: f64[n, 1]| { y = x; });
    let _ = megha::matlab!(|x: f64[n, 1]| -> missing { y = x; });
    let _ = (a, b, rate);
}
