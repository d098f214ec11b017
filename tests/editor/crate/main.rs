//! Every form of the macros, as the README shows them.

use ndarray::{ArrayView2, ArrayViewMut2, array};

megha::matlab! {
    function y = saxpy(a, x, y0)
    % SAXPY  Adds a scaled vector.
    arguments
        a  (1,1) double
        x  (n,1) double
        y0 (n,1) double
    end
    y = a .* x + y0; % a comment
    end
}

mod inner {
    megha::matlab!(file "matlab/scale.m", pub fn scale as scaled(x: f64[n, m], factor: f64) -> (y, total));
}

megha::matlab!(
    r#"
function c = outer(x)
    % OUTER  The column's product with itself.
    arguments
        x (n,1) double
    end
    c = x * x';
end
"#
);

/// The product of two matrices.
#[megha::offload]
fn matmul(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            let mut sum = 0.0;
            for k in 0..a.ncols() {
                sum += a[[i, k]] * b[[k, j]];
            }
            c[[i, j]] = sum;
        }
    }
}

fn run() -> megha::Result<f64> {
    let x = array![1.0, 2.0, 3.0];
    let y = saxpy(2.0, &x, &x)?; // hover saxpy: SAXPY  Adds a scaled vector.; `x` (n,1) double; fn saxpy(a: f64
    let (z, total) = inner::scaled(&y, 2.0)?; // hover scaled: SCALE  Multiplies and adds up.; (n,m) double
    let c = outer(&x)?; // hover outer: OUTER  The column's product with itself.; (n,n) double
    let mut d = c.clone();
    matmul(c.view(), z.view(), d.view_mut()); // hover matmul: The product of two matrices.; ArrayView2<f64>
    let rate = 0.05;
    let strike = array![90.0, 100.0];
    let value = megha::matlab!(|rate: f64, strike: f64[n]| -> v {
        v = exp(-rate) .* strike; % the value now
    })?;
    let shown: f64 = value[[0, 0]] + d[[0, 0]] + total[[0, 0]] + y[[0, 0]]; // hover shown: let shown: f64
    Ok(shown)
}

fn main() {
    println!("{:?}", run());
}
