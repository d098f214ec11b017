//! Host scalar control code: plain Rust on numbers, checked element access.

use megha_rt as rt;
use megha_rt::{Layout, Site};

static SITES: [Site; 3] = [
    Site { path: "collatz.m", line: 5, column: 13, text: "x(i)" },
    Site { path: "collatz.m", line: 11, column: 9, text: "y(i)" },
    Site { path: "collatz.m", line: 3, column: 9, text: "error('collatz:order', ..)" },
];

/// `function y = steps(x)` with `x (n,1) double`: for each element, the length of its Collatz sequence, stored with `y(i) = c`
/// into a `y` that the program creates by growing; the compiler hoists nothing here, as the worst case.
pub fn steps(x: impl rt::Input<f64, 2>) -> rt::Result<ndarray::Array2<f64>> {
    let x = x.strided(rt::Vector::Column);
    let n = x.shape()[0];
    rt::enter("steps", || body::<rt::ColMajor>(x, n))
}

fn body<L: Layout>(x: rt::Strided<'_, f64, 2>, n: usize) -> rt::Result<ndarray::Array2<f64>> {
    let x = x.pack::<L>();
    let x = x.view();
    let mut y = rt::Array::<L, f64, 2>::filled([0, 0], 0.0, &SITES[1])?;
    let mut i = 1.0;
    while i <= n as f64 {
        let mut v = x.get((i,), &SITES[0])?;
        if v < 1.0 {
            return Err(rt::Error::user("collatz:order", format!("element {i} is {v}"), &SITES[2]));
        }
        let mut c = 0.0;
        while v != 1.0 {
            v = if v % 2.0 == 0.0 { v / 2.0 } else { 3.0 * v + 1.0 };
            c += 1.0;
        }
        y.store((i,), c, 0.0, &SITES[1])?;
        i += 1.0;
    }
    Ok(y.into_ndarray())
}
