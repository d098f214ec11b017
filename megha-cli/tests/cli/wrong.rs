#[megha::offload]
fn f(x: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = y[i] + read();
        x[i] = x[i] % 2.0;
    }
}
#[megha::offload(paralel)]
fn g(x: &mut [f64]) {}
#[megha::offload(parallel)]
fn h(x: &mut [f64]) {
    for i in 1..x.len() { x[i] += x[i - 1]; }
}
fn main() {
    let y = matlab!(|x: f64[n, 1]| -> y {
        y = x + zeros(4, 2, 3) + un;
    });
}
