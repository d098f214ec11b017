//! Library functions by themselves, compiled and, where it is installed, in GNU Octave.
//!
//! ```text
//! cargo bench --bench library [NAME ...]
//! ```
//! The functions are one line each (`library/functions.m`), on vectors of a million elements, on matrices of order 200 to 500 and, a thousand
//! times in a loop, on small arrays. All times are medians from this one run; Octave comes last, as it runs by itself. The functions that are slowest
//! against Octave's come first.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2, ShapeBuilder};

megha::matlab!(file "library/functions.m");

/// Functions with their arguments, which are fields of [`Arguments`]: names and median seconds of those that are wanted.
macro_rules! times {
    ($wanted:expr, $given:expr; $($function:ident($($argument:ident),*))*) => {{
        let mut rows = Vec::new();
        $(if is_wanted($wanted, stringify!($function)) {
            let seconds = median_seconds(|| $function($(&$given.$argument),*).expect("the sizes agree"));
            rows.push((stringify!($function), seconds));
        })*
        rows
    }};
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let given = Arguments::new();
    let compiled = times! { &wanted, given;
        sort_values(v)
        sort_places(v)
        sort_descending(v)
        unique_values(w)
        unique_places(w)
        find_above(v)
        mask_above(v)
        count_above(v)
        running_sum(v)
        running_product(u)
        running_maximum(v)
        median_vector(v)
        mode_vector(w)
        std_vector(v)
        mean_vector(v)
        sum_row(r)
        prod_vector(u)
        max_place(v)
        min_place(v)
        max_of_two(v, u)
        any_above(v)
        all_below(v)
        differences(v)
        flipped(v)
        shifted(v)
        filter_fir(v)
        filter_iir(v)
        convolution(v, c)
        interpolation(v)
        histogram(v)
        accumulate_ones(w)
        accumulate(w, v)
        membership(w)
        trapezoids(v)
        running_trapezoids(v)
        normal_numbers()
        uniform_numbers()
        whole_numbers()
        permutation()
        remainders(v)
        floors(v)
        norm_vector(v)
        inner_product(v, u)
        polynomial(v)
        every_other(v)
        softplus(v)
        powers(v)
        squares(v)
        trigonometry(v)
        gamma_function(v)
        line()
        spectrum(f)
        spectrum_matrix(A)
        product_square(A)
        product_vector(A, b)
        product_transposed(A)
        product_transposed_vector(A, b)
        outer_product(b)
        transposed(A)
        repeated(B)
        kronecker(K)
        sum_rows(A)
        sum_columns(A)
        mean_rows(A)
        max_columns(A)
        max_rows(A)
        sort_columns(A)
        sort_rows(A)
        sum_running_rows(A)
        sum_running_columns(A)
        differences_rows(A)
        median_columns(A)
        variance_columns(A)
        std_rows(A)
        any_columns(A)
        gather_rows(A, g)
        gather_columns(A, g)
        upper_triangle(A)
        lower_triangle(A)
        permuted(B)
        shifted_rows(A)
        turned(A)
        convolution_matrix(A, k5)
        grid()
        grid_matrices()
        identity_matrix(A)
        without_row(A, b)
        bsx_function(A, b)
        vandermonde(b)
        covariance(A)
        cross_rows(H, G)
        norm_frobenius(A)
        stacked(A)
        beside(A)
        tall(A)
        primes_below()
        prime_numbers()
        bilinear(B)
        small_product(S)
        small_transposed(S)
        small_norm(x)
        small_sum(x)
        small_mean(x)
        small_std(x)
        small_median(x)
        small_max(x)
        small_sort(x)
        small_sort_places(x)
        small_unique(x)
        small_running_sum(x)
        small_differences(x)
        small_find(x)
        small_any(x)
        small_interpolation(x, z)
        small_fit(x, z)
        small_polynomial(x)
        small_convolution(x)
        small_filter(x)
        small_cross(H)
        small_dot(H)
        small_kronecker(x, S)
        small_repeated(x)
        small_membership(x)
        small_histogram(x)
        small_shift(x)
        small_trapezoids(x, z)
        small_grid(x)
        small_line()
        small_transform(x)
        small_remainder()
        small_random()
        small_text()
        small_number_text()
        small_compare()
        small_primes()
        small_divisor()
        small_handles()
        small_mapped(x)
    };
    let octave = octave_times(&wanted);
    let ratio = |(name, seconds): (&str, f64)| octave.iter().find(|(n, _)| n == name).map(|(_, s)| s / seconds);
    let mut rows: Vec<_> = compiled.into_iter().map(|row| (row, ratio(row))).collect();
    rows.sort_by(|(_, a), (_, b)| a.unwrap_or(0.0).total_cmp(&b.unwrap_or(0.0)));
    println!("{:<28}{:>13}{:>14}{:>8}", "", "compiled", "Octave", "ratio");
    for ((name, seconds), ratio) in &rows {
        print!("{name:<28}{:>10.1} us", 1e6 * seconds);
        match ratio {
            Some(ratio) => println!("{:>11.1} us{ratio:>8.2}", 1e6 * seconds * ratio),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
    let slower = rows.iter().filter(|(_, ratio)| ratio.is_some_and(|ratio| ratio < 1.0)).count();
    println!("{} functions, {slower} slower than Octave", rows.len());
}

fn is_wanted(wanted: &[String], name: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|word| word == name)
}

/// Median seconds of a call, after one that is not counted.
fn median_seconds<T>(call: impl Fn() -> T) -> f64 {
    black_box(call());
    let mut seconds = Vec::new();
    let begin = Instant::now();
    while seconds.len() < 3 || (begin.elapsed() < Duration::from_millis(250) && seconds.len() < 1000) {
        let start = Instant::now();
        black_box(call());
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// What the functions are called with, as `octave_times.m` has it.
#[allow(non_snake_case, reason = "the names are those of the functions' parameters")]
struct Arguments {
    v: Array1<f64>,
    u: Array1<f64>,
    w: Array1<f64>,
    r: Array1<f64>,
    c: Array1<f64>,
    f: Array1<f64>,
    A: Array2<f64>,
    B: Array2<f64>,
    b: Array1<f64>,
    K: Array2<f64>,
    g: Array1<f64>,
    k5: Array2<f64>,
    H: Array2<f64>,
    G: Array2<f64>,
    S: Array2<f64>,
    x: Array1<f64>,
    z: Array1<f64>,
}

const GOLDEN: f64 = 0.618_033_988_749_895;
const SILVER: f64 = 0.414_213_562_373_095;

impl Arguments {
    fn new() -> Self {
        let v = vector(1_000_000, GOLDEN);
        Self {
            u: v.map(|v| 1.0 + 1e-6 * v),
            w: vector(1_000_000, SILVER).map(|v| 1.0 + (1000.0 * v).floor()),
            r: v.clone(),
            v,
            c: vector(64, SILVER),
            f: vector(1 << 18, SILVER),
            A: dominant(500),
            B: matrix(200, 200, SILVER),
            b: vector(500, GOLDEN),
            K: matrix(40, 40, GOLDEN),
            g: Array1::from_shape_fn(300, |i| (1 + 7 * i % 500) as f64),
            k5: matrix(5, 5, GOLDEN),
            H: matrix(100_000, 3, GOLDEN),
            G: matrix(100_000, 3, SILVER),
            S: dominant(3),
            x: vector(30, GOLDEN),
            z: Array1::from_shape_fn(30, |i| i as f64 / 29.0),
        }
    }
}

/// Numbers below 1 that come in no order.
fn vector(n: usize, step: f64) -> Array1<f64> {
    Array1::from_shape_fn(n, |k| step * ((k + 1) * (k + 1) % 16_777_213) as f64 % 1.0)
}

/// Such numbers, columns first.
fn matrix(rows: usize, columns: usize, step: f64) -> Array2<f64> {
    let numbers = vector(rows * columns, step).to_vec();
    Array2::from_shape_vec((rows, columns).f(), numbers).expect("as many as the matrix has")
}

/// Such a matrix with larger numbers on its diagonal, so that it is far from singular.
fn dominant(order: usize) -> Array2<f64> {
    let mut matrix = matrix(order, order, GOLDEN);
    matrix.diag_mut().map_inplace(|x| *x += 20.0);
    matrix
}

/// Function and median seconds of each measurement of `octave_times.m`; none without Octave.
fn octave_times(wanted: &[String]) -> Vec<(String, f64)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/library/octave_times.m");
    let run = Command::new("octave-cli").args(["--quiet", "--norc"]).arg(script).args(wanted).output();
    let printed = run.map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&printed).lines().filter_map(measurement).collect()
}

/// `octave FUNCTION SECONDS`
fn measurement(line: &str) -> Option<(String, f64)> {
    let mut words = line.split_whitespace();
    let ("octave", function, seconds) = (words.next()?, words.next()?, words.next()?) else { return None };
    Some((function.into(), seconds.parse().ok()?))
}
