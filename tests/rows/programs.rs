//! Programs whose kernels go through the same rows, beside those of `tests/strips`.

use megha::matlab;
use ndarray::{ArrayD, Ix2};

matlab! {
    function y = softmax(a)
        arguments
            a (n,m) double
        end
        e = exp(a - max(a, [], 2));
        y = e ./ sum(e, 2);
    end

    function y = softmax_single(a)
        arguments
            a (n,m) single
        end
        e = exp(a - max(a, [], 2));
        y = e ./ sum(e, 2);
    end

    function y = layer_norm(a, g, b)
        arguments
            a (n,m) double
            g (1,m) double
            b (1,m) double
        end
        d = a - mean(a, 2);
        y = d ./ sqrt(mean(d .* d, 2) + 1e-5) .* g + b;
    end

    function y = layer_norm_single(a, g, b)
        arguments
            a (n,m) single
            g (1,m) single
            b (1,m) single
        end
        d = a - mean(a, 2);
        y = d ./ sqrt(mean(d .* d, 2) + single(1e-5)) .* g + b;
    end

    function [y, e, s] = all_of_softmax(a)
        arguments
            a (n,m) double
        end
        e = exp(a - max(a, [], 2));
        s = sum(e, 2);
        y = e ./ s;
    end

    function [c, y] = above_mean(a)
        arguments
            a (n,m) double
        end
        b = a > mean(a, 2);
        c = double(b);
        y = a .* (sum(b, 2) > 2) - c;
    end

    function y = differences(a)
        arguments
            a (n,m) double
        end
        d = a - sum(a, 2);
        y = d(:, 2:end) ./ (2 + d(:, 1:end-1));
    end

    function [y, q, z] = kept_beside(a, b, c)
        arguments
            a (n,m) double
            b (n,m) double
            c (n,m) double
        end
        d = a - mean(a, 2);
        q = d .* d;
        y = d ./ sqrt(mean(q, 2) + 1e-5);
        t = b .* c;
        u = t(1:end-1, :) + t(2:end, :);
        z = q;
        z(1, 1) = sum(u(:)) + sum(t(:));
    end

    function y = of_columns(a)
        arguments
            a (n,m) double
        end
        d = a - sum(a, 1);
        y = d ./ (1 + max(abs(d), [], 1));
    end
}

/// What a program makes.
type Results = megha::Result<Vec<ArrayD<f64>>>;

/// A program on matrices.
pub struct Program {
    pub name: &'static str,
    /// How many matrices it takes,
    pub matrices: u64,
    /// and how many vectors as long as a row.
    pub vectors: u64,
    /// The order of memory in which a row lies in one piece.
    pub rows_first: bool,
    /// Launches where each kernel has its own.
    pub kernels: usize,
    /// The longest row that fits shared memory.
    pub longest: usize,
    /// Bytes of an element.
    pub bytes: u64,
    /// Matrices that are read or made.
    pub traffic: u64,
    pub call: fn(&[ArrayD<f64>]) -> Results,
}

macro_rules! call {
    (|$($x:ident),*| $call:expr) => {
        |arrays| {
            let mut views = arrays.iter().map(|a| a.view().into_dimensionality::<Ix2>().unwrap());
            $(let $x = views.next().unwrap();)*
            $call
        }
    };
}

macro_rules! list {
    ($($array:expr),*) => { vec![$($array.into_dyn()),*] };
}

macro_rules! single {
    ($name:ident($($x:ident),*)) => {
        call!(|$($x),*| $name($($x.mapv(|x| x as f32).view()),*).map(|y| list!(y.mapv(f64::from))))
    };
}

const DOUBLE: Program = Program {
    name: "softmax",
    matrices: 1,
    vectors: 0,
    rows_first: true,
    kernels: 3,
    longest: 5374,
    bytes: 8,
    traffic: 2,
    call: call!(|a| softmax(a).map(|y| list!(y))),
};

/// What the first of three kernels makes beside is needed behind them, and other arrays in between.
pub const KEPT_BESIDE: Program = Program {
    name: "kept_beside",
    matrices: 3,
    call: call!(|a, b, c| kept_beside(a, b, c).map(|(y, q, z)| list!(y, q, z))),
    ..DOUBLE
};

pub const PROGRAMS: [Program; 7] = [
    DOUBLE,
    Program { name: "softmax_single", longest: 10_748, bytes: 4, call: single!(softmax_single(a)), ..DOUBLE },
    Program {
        name: "layer_norm",
        vectors: 2,
        kernels: 5,
        call: call!(|a, g, b| layer_norm(a, g, b).map(|y| list!(y))),
        ..DOUBLE
    },
    Program {
        name: "layer_norm_single",
        vectors: 2,
        kernels: 5,
        longest: 10_748,
        bytes: 4,
        call: single!(layer_norm_single(a, g, b)),
        ..DOUBLE
    },
    Program {
        name: "all_of_softmax",
        traffic: 3,
        call: call!(|a| all_of_softmax(a).map(|(y, e, s)| list!(y, e, s))),
        ..DOUBLE
    },
    Program {
        name: "above_mean",
        kernels: 5,
        longest: 2687,
        traffic: 3,
        call: call!(|a| above_mean(a).map(|(c, y)| list!(c, y))),
        ..DOUBLE
    },
    Program {
        name: "of_columns",
        rows_first: false,
        kernels: 4,
        call: call!(|a| of_columns(a).map(|y| list!(y))),
        ..DOUBLE
    },
];

/// One whose points read what others have brought. Its result is narrower than what it reads.
pub const OF_NEIGHBOURS: Program = Program {
    name: "differences",
    kernels: 2,
    longest: 5375,
    call: call!(|a| differences(a).map(|y| list!(y))),
    ..DOUBLE
};
