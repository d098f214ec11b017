//! Programs whose launches work on the same rows, and some whose launches do not.

use megha::matlab;
use ndarray::{Array1, Array2, ArrayD, ArrayView2, ArrayViewMut1, ArrayViewMut2, Ix2, Ix3, Ix4};

matlab! {
    function y = norm_rows(a, g)
        arguments
            a (n,m) double
            g (n,m) double
        end
        d = a - mean(a, 2);
        y = d ./ sqrt(mean(d .* d, 2) + 1e-5) .* g(1, :) + g(end, :);
    end

    function y = softmax(a)
        arguments
            a (n,m) double
        end
        e = exp(a - max(a, [], 2));
        y = e ./ sum(e, 2);
    end

    function y = softmax_columns(a)
        arguments
            a (n,m) double
        end
        e = exp(a - max(a, [], 1));
        y = e ./ sum(e, 1);
    end

    function [y, s] = in_place(a)
        arguments
            a (n,m) double
        end
        a(:, 1) = 2 * a(:, 1);
        s = sum(a, 2);
        a = a - s;
        y = a .* min(a, [], 2);
    end

    function [y, lo, hi] = ranges(a)
        arguments
            a (n,m) double
        end
        lo = min(a, [], 2);
        hi = max(a - lo, [], 2);
        y = (a - lo) ./ (hi + 1);
    end

    function y = planes(a)
        arguments
            a (n,m,k) double
        end
        d = a - sum(a, 2);
        y = d ./ (1 + max(abs(d), [], 2));
    end

    function y = pages(a)
        arguments
            a (1,m,k,l) double
        end
        d = a - sum(a, 2);
        y = 2 * d(1, 2:end, :, :) + d(1, 1:end-1, :, :);
    end

    function y = both_ways(a)
        arguments
            a (n,m) double
        end
        d = a - sum(a, 2);
        y = d - sum(d, 1);
    end

    function y = number_between(a)
        arguments
            a (n,m) double
        end
        d = a - sum(a, 2);
        t = 2 * d(1);
        e = d .* a;
        y = t * e - max(e, [], 2);
    end

    function y = next_row(a)
        arguments
            a (n,m) double
        end
        s = sum(a, 2);
        d = a - s;
        y = d - [s(2:end); 0];
    end
}

/// Rust's loops: sums in the order of the program, and what is made of them.
#[megha::offload]
fn norm_nest(a: ArrayView2<f64>, mut s: ArrayViewMut1<f64>, mut y: ArrayViewMut2<f64>) {
    for i in 0..a.nrows() {
        let mut sum = 0.0;
        for j in 0..a.ncols() {
            sum += a[[i, j]];
        }
        s[i] = sum;
    }
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            y[[i, j]] = a[[i, j]] - s[i];
        }
    }
}

/// A product packs what its rows share, which strips would do anew for each; what is made of its rows runs in strips.
#[megha::offload]
fn centred_product(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>, mut s: ArrayViewMut1<f64>) {
    for i in 0..a.nrows() {
        for j in 0..a.nrows() {
            for k in 0..a.ncols() {
                c[[i, j]] += a[[i, k]] * a[[j, k]];
            }
        }
    }
    for i in 0..a.nrows() {
        for j in 0..a.nrows() {
            s[i] += c[[i, j]];
        }
    }
    for i in 0..a.nrows() {
        for j in 0..a.nrows() {
            c[[i, j]] -= s[i];
        }
    }
}

fn product(a: ArrayView2<f64>) -> megha::Result<Vec<ArrayD<f64>>> {
    let (mut c, mut s) = (Array2::zeros((a.nrows(), a.nrows())), Array1::zeros(a.nrows()));
    centred_product(a, c.view_mut(), s.view_mut());
    Ok(vec![c.into_dyn(), s.into_dyn()])
}

/// The nest's results.
fn nest(a: ArrayView2<f64>) -> megha::Result<Vec<ArrayD<f64>>> {
    let (mut s, mut y) = (Array1::zeros(a.nrows()), Array2::zeros(a.dim()));
    norm_nest(a, s.view_mut(), y.view_mut());
    Ok(vec![s.into_dyn(), y.into_dyn()])
}

/// A program on matrices or more.
pub struct Program {
    pub name: &'static str,
    /// How many arrays it takes.
    pub arrays: u64,
    /// What all have.
    pub shapes: &'static [&'static [usize]],
    pub call: fn(&[ArrayD<f64>]) -> Vec<ArrayD<f64>>,
    /// Launches that run in strips.
    pub launches: u64,
    /// Those that combine the results of several chunks, besides, where rows have them.
    pub combining: u64,
}

const MATRICES: &[&[usize]] = &[&[1, 1], &[1, 7], &[5, 1], &[6, 3], &[13, 40], &[3, 5000], &[40, 150]];
const TALL: &[&[usize]] = &[&[1, 1], &[7, 1], &[3, 6], &[40, 13], &[5000, 3]];
/// Of a product, which of larger ones would take long.
pub const SQUARES: &[&[usize]] = &[&[1, 1], &[5, 4], &[19, 17]];
const PAGES: &[&[usize]] = &[&[1, 2, 3, 4], &[1, 5, 1, 3], &[1, 3, 5, 1], &[1, 40, 3, 5], &[1, 4500, 2, 3]];
const CUBES: &[&[usize]] = &[&[2, 3, 4], &[5, 35, 3], &[2, 4500, 2]];

macro_rules! call {
    (|$($x:ident),*| $call:expr, $rank:ty) => {
        |arrays| {
            let mut views = arrays.iter().map(|a| a.view().into_dimensionality::<$rank>().unwrap());
            $(let $x = views.next().unwrap();)*
            $call.unwrap()
        }
    };
}

macro_rules! list {
    ($($array:expr),*) => { vec![$($array.into_dyn()),*] };
}

pub const PROGRAMS: [Program; 12] = [
    Program {
        name: "product",
        arrays: 1,
        shapes: SQUARES,
        launches: 2,
        combining: 0,
        call: call!(|a| product(a), Ix2),
    },
    Program {
        name: "pages",
        arrays: 1,
        shapes: PAGES,
        launches: 3,
        combining: 1,
        call: call!(|a| pages(a).map(|y| list!(y)), Ix4),
    },
    Program {
        name: "number_between",
        arrays: 1,
        shapes: MATRICES,
        launches: 4,
        combining: 2,
        call: call!(|a| number_between(a).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "norm_rows",
        arrays: 2,
        shapes: MATRICES,
        launches: 3,
        combining: 2,
        call: call!(|a, g| norm_rows(a, g).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "softmax",
        arrays: 1,
        shapes: MATRICES,
        launches: 3,
        combining: 2,
        call: call!(|a| softmax(a).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "softmax_columns",
        arrays: 1,
        shapes: TALL,
        launches: 3,
        combining: 2,
        call: call!(|a| softmax_columns(a).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "in_place",
        arrays: 1,
        shapes: MATRICES,
        launches: 4,
        combining: 2,
        call: call!(|a| in_place(a).map(|(y, s)| list!(y, s)), Ix2),
    },
    Program {
        name: "ranges",
        arrays: 1,
        shapes: MATRICES,
        launches: 4,
        combining: 2,
        call: call!(|a| ranges(a).map(|(y, l, h)| list!(y, l, h)), Ix2),
    },
    Program {
        name: "planes",
        arrays: 1,
        shapes: CUBES,
        launches: 4,
        combining: 2,
        call: call!(|a| planes(a).map(|y| list!(y)), Ix3),
    },
    Program {
        name: "both_ways",
        arrays: 1,
        shapes: MATRICES,
        launches: 2,
        combining: 0,
        call: call!(|a| both_ways(a).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "next_row",
        arrays: 1,
        shapes: MATRICES,
        launches: 0,
        combining: 0,
        call: call!(|a| next_row(a).map(|y| list!(y)), Ix2),
    },
    Program {
        name: "norm_nest",
        arrays: 1,
        shapes: MATRICES,
        launches: 2,
        combining: 0,
        call: call!(|a| nest(a), Ix2),
    },
];
