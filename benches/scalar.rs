//! Programs of scalar loops: compiled, as the same loops by hand in Rust and, where it is installed, in GNU Octave.
//!
//! ```text
//! cargo bench -p megha --bench scalar [NAME ...]
//! ```
//! All times are medians from this one run. The forms take turns; Octave comes last, as it runs by itself. The results
//! of the two forms are equal to the bit.

#[path = "scalar/by_hand.rs"]
mod by_hand;

use std::fmt::Debug;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use by_hand::Bodies;
use ndarray::{Array1, Array2, ShapeBuilder};

megha::matlab!(file "scalar/sieve.m", fn sieve(n: usize) -> (count: f64));
megha::matlab!(file "scalar/collatz.m", fn collatz(limit: usize) -> (start: f64, steps: f64));
megha::matlab!(file "scalar/mandelbrot.m", fn mandelbrot(width: usize, height: usize, most: usize) -> (counts: f64[height, width]));
megha::matlab!(file "scalar/lu_loops.m", fn lu_loops(A: f64[n, n]) -> (A: f64[n, n], order: f64[1, n]));
megha::matlab!(
    file "scalar/nbody.m",
    fn nbody(
        x: f64[1, n], y: f64[1, n], z: f64[1, n], vx: f64[1, n], vy: f64[1, n], vz: f64[1, n], m: f64[1, n], dt: f64, steps: usize
    ) -> (energy: f64)
);
megha::matlab!(file "scalar/edit_distance.m", fn edit_distance(s: f64[1, m], t: f64[1, n]) -> (d: f64));
megha::matlab!(file "scalar/bubble.m", fn bubble(x: f64[1, n]) -> (x: f64[1, n], swaps: f64));
megha::matlab!(
    file "scalar/tridiagonal.m",
    fn tridiagonal(a: f64[n, 1], b: f64[n, 1], c: f64[n, 1], d: f64[n, 1]) -> (x: f64[n, 1])
);
megha::matlab!(file "scalar/product.m", fn product(A: f64[m, p], B: f64[p, n]) -> (C: f64[m, n]));
megha::matlab!(file "scalar/lorenz.m", fn lorenz(n: usize, h: f64) -> (path: f64[3, n + 1]));
megha::matlab!(
    file "scalar/gauss_seidel.m",
    fn gauss_seidel(u: f64[m, n], f: f64[m, n], h: f64, tol: f64, most: usize) -> (u: f64[m, n], sweeps: f64)
);
megha::matlab!(
    file "scalar/knapsack.m",
    fn knapsack(value: f64[1, n], weight: f64[1, n], capacity: usize) -> (best: f64)
);

/// Times a program compiled and by hand.
type Timer = fn() -> (f64, f64);

/// A program and the median seconds of its forms.
struct Row {
    program: &'static str,
    compiled: f64,
    by_hand: f64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let programs: [(&str, Timer); 13] = [
        ("sieve", time_sieve),
        ("collatz", time_collatz),
        ("collatz (u64)", time_collatz_integers),
        ("mandelbrot", time_mandelbrot),
        ("lu_loops", time_lu),
        ("nbody", time_nbody),
        ("edit_distance", time_edit_distance),
        ("bubble", time_bubble),
        ("tridiagonal", time_tridiagonal),
        ("product", time_product),
        ("lorenz", time_lorenz),
        ("gauss_seidel", time_gauss_seidel),
        ("knapsack", time_knapsack),
    ];
    let chosen = programs.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| word == name));
    let rows: Vec<Row> = chosen
        .map(|&(program, time)| {
            let (compiled, by_hand) = time();
            Row { program, compiled, by_hand }
        })
        .collect();
    let octave = if wanted.is_empty() { octave_times() } else { Vec::new() };
    println!("{:<16}{:>12}{:>12}{:>8}{:>14}{:>8}", "", "compiled", "by hand", "ratio", "Octave", "ratio");
    for Row { program, compiled, by_hand } in rows {
        print!("{program:<16}{:>9.1} us{:>9.1} us{:>8.2}", 1e6 * compiled, 1e6 * by_hand, compiled / by_hand);
        match octave.iter().find(|(name, _)| name == program.split(' ').next().unwrap_or_default()) {
            Some((_, seconds)) => println!("{:>11.1} ms{:>8.0}", 1e3 * seconds, seconds / compiled),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
}

/// Median seconds of two forms that take turns, after one of each whose results must be equal.
fn compare<T: PartialEq + Debug>(compiled: impl Fn() -> T, by_hand: impl Fn() -> T) -> (f64, f64) {
    assert_eq!(compiled(), by_hand());
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while firsts.len() < 11 || (begin.elapsed() < Duration::from_millis(500) && firsts.len() < 1000) {
        let start = Instant::now();
        black_box(compiled());
        let middle = Instant::now();
        black_box(by_hand());
        firsts.push((middle - start).as_secs_f64());
        seconds.push(middle.elapsed().as_secs_f64());
    }
    (median(firsts), median(seconds))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

// The arguments, as `scalar/octave_times.m` has them: Weyl's sequences.
const GOLDEN: f64 = 0.618_033_988_749_895;
const SILVER: f64 = 0.414_213_562_373_095;

fn weyl(n: usize, step: f64) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| step * (k + 1) as f64 % 1.0)
}

/// A square matrix, columns first.
fn square(n: usize, step: f64) -> Array2<f64> {
    Array2::from_shape_vec((n, n).f(), weyl(n * n, step).to_vec()).expect("as many as the matrix has")
}

fn time_sieve() -> (f64, f64) {
    let n = black_box(200_000);
    compare(|| sieve(n).unwrap(), || by_hand::sieve(n))
}

fn time_collatz() -> (f64, f64) {
    let limit = black_box(5000);
    compare(|| collatz(limit).unwrap(), || by_hand::collatz(limit))
}

fn time_collatz_integers() -> (f64, f64) {
    let limit = black_box(5000);
    compare(|| collatz(limit).unwrap(), || by_hand::collatz_integers(limit))
}

fn time_mandelbrot() -> (f64, f64) {
    let (width, height, most) = black_box((100, 80, 100));
    compare(|| mandelbrot(width, height, most).unwrap(), || by_hand::mandelbrot(width, height, most))
}

fn time_lu() -> (f64, f64) {
    let a = square(80, GOLDEN);
    let compiled = || lu_loops(&a).map(|(a, order)| (a, order.into_iter().collect())).unwrap();
    compare(compiled, || by_hand::lu_loops(a.view()))
}

fn time_nbody() -> (f64, f64) {
    let list = |root: f64| weyl(12, root.sqrt()).to_vec();
    let bodies =
        Bodies { x: list(2.0), y: list(3.0), z: list(5.0), vx: list(6.0), vy: list(7.0), vz: list(8.0), m: list(10.0) };
    let Bodies { x, y, z, vx, vy, vz, m } = &bodies;
    compare(|| nbody(x, y, z, vx, vy, vz, m, 0.001, 200).unwrap(), || by_hand::nbody(&bodies, 0.001, 200))
}

fn time_edit_distance() -> (f64, f64) {
    let text = |n, step| weyl(n, step).map(|x| (4.0 * x).floor()).to_vec();
    let (s, t) = (text(300, GOLDEN), text(280, SILVER));
    compare(|| edit_distance(&s, &t).unwrap(), || by_hand::edit_distance(&s, &t))
}

fn time_bubble() -> (f64, f64) {
    let x = weyl(600, GOLDEN).to_vec();
    compare(|| bubble(&x).map(|(x, swaps)| (x.into_iter().collect(), swaps)).unwrap(), || by_hand::bubble(&x))
}

fn time_tridiagonal() -> (f64, f64) {
    let column = |step| weyl(20_000, step);
    let (a, b) = (column(GOLDEN).to_vec(), (column(SILVER) + 3.0).to_vec());
    let (c, d) = (column(0.732_050_807_568_877).to_vec(), column(0.236_067_977_499_790).to_vec());
    let compiled = || tridiagonal(&a, &b, &c, &d).map(|x| x.into_iter().collect()).unwrap();
    compare(compiled, || by_hand::tridiagonal(&a, &b, &c, &d))
}

fn time_product() -> (f64, f64) {
    let (a, b) = (square(50, GOLDEN), square(50, SILVER));
    compare(|| product(&a, &b).unwrap(), || by_hand::product(a.view(), b.view()))
}

fn time_lorenz() -> (f64, f64) {
    let (n, h) = black_box((10_000, 0.001));
    compare(|| lorenz(n, h).unwrap(), || by_hand::lorenz(n, h))
}

fn time_gauss_seidel() -> (f64, f64) {
    let n = 60;
    let (u, f) = (Array2::zeros((n, n).f()), square(n, GOLDEN));
    let (h, tol, most) = black_box((1.0 / n as f64, 0.0, 20));
    let compiled = || gauss_seidel(&u, &f, h, tol, most).unwrap();
    compare(compiled, || by_hand::gauss_seidel(u.view(), f.view(), h, tol, most))
}

fn time_knapsack() -> (f64, f64) {
    let value = weyl(100, GOLDEN).to_vec();
    let weight: Vec<f64> = weyl(100, SILVER).iter().map(|x| 1.0 + (50.0 * x).floor()).collect();
    let whole: Vec<usize> = weight.iter().map(|&x| x as usize).collect();
    let capacity = black_box(2000);
    compare(|| knapsack(&value, &weight, capacity).unwrap(), || by_hand::knapsack(&value, &whole, capacity))
}

/// Program and median seconds of each measurement of `octave_times.m`; none without Octave.
fn octave_times() -> Vec<(String, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scalar/octave_times.m");
    let run = Command::new("octave-cli").args(["--quiet", "--norc"]).arg(script).output();
    let printed = run.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&printed).lines().filter_map(measurement).collect()
}

/// `octave PROGRAM SECONDS`
fn measurement(line: &str) -> Option<(String, f64)> {
    let mut words = line.split_whitespace();
    let ("octave", program, seconds) = (words.next()?, words.next()?, words.next()?) else { return None };
    Some((program.into(), seconds.parse().ok()?))
}
