//! Programs that touch several arrays one after the other: together these are more than each kernel needs.

use megha::matlab;
use ndarray::{Array2, ArrayD};

matlab! {
    % Four arrays in turn; each statement needs all of the array before, so that nothing fuses.
    function [a, b, c, d] = turns(a, b, c, d, steps)
        arguments
            a (m,n) double
            b (m,n) double
            c (m,n) double
            d (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(a);
        for t = 1:steps
            a = a + 0.5 * b(m:-1:1, :);
            b = b - 0.25 * a(m:-1:1, :);
            c = c + 0.125 * b(m:-1:1, :);
            d = d - 0.5 * c(m:-1:1, :);
        end
    end

    % The example of MEGHA, section 4.1.1: A, B and C, then C with the small D and E, then the first three again.
    function [a, b, c, e] = example(a, b, c, d, e)
        arguments
            a (m,n) double
            b (m,n) double
            c (m,n) double
            d (p,q) double
            e (p,q) double
        end
        [m, n] = size(a);
        [p, q] = size(d);
        c = c + a .* b(m:-1:1, :);
        e = e + d .* c(p:-1:1, 1:q);
        a = a + c(m:-1:1, :) .* b;
        b = b - a(m:-1:1, :) .* c;
    end

    % Temporaries that are all made before the first is used.
    function s = temporaries(x)
        arguments
            x (m,n) double
        end
        [m, n] = size(x);
        a = exp(x(m:-1:1, :));
        b = a(m:-1:1, :) .* x;
        c = b(m:-1:1, :) - x;
        d = c(m:-1:1, :) + a;
        e = d(m:-1:1, :) .* b;
        s = e(m:-1:1, :) + a + b + c + d;
    end

    % Sums between the steps, on which the next one depends.
    function [x, y, r] = sums(x, y, steps)
        arguments
            x (m,n) double
            y (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(x);
        r = 0;
        z = x + 1;
        for t = 1:steps
            r = r + sum(sum(x .* y)) / 1000;
            x = x + 0.001 * r * y(m:-1:1, :);
            y = y - 0.001 * z(m:-1:1, :);
            z = z + 0.5 * x;
        end
    end
}

/// A program on square fields of so many rows.
pub struct Program {
    pub name: &'static str,
    pub call: fn(usize, f64) -> megha::Result<Vec<ArrayD<f64>>>,
    /// How many arrays of that size the largest kernel has.
    pub kernel: usize,
}

/// Numbers without a pattern.
pub fn field(rows: usize, columns: usize, seed: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 7 + j * 13 + 5 * seed) as f64 * 0.37).sin())
}

pub const PROGRAMS: [Program; 4] = [
    Program {
        name: "turns",
        call: |n, steps| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|seed| field(n, n, seed));
            let (a, b, c, d) = turns(a, b, c, d, steps)?;
            Ok([a, b, c, d].map(ndarray::Array::into_dyn).into())
        },
        kernel: 3,
    },
    Program {
        name: "example",
        call: |n, _| {
            let [a, b, c] = [0, 1, 2].map(|seed| field(n, n, seed));
            let [d, e] = [3, 4].map(|seed| field(n / 2, n / 2, seed));
            let (a, b, c, e) = example(a, b, c, d, e)?;
            Ok([a, b, c, e].map(ndarray::Array::into_dyn).into())
        },
        kernel: 4,
    },
    Program { name: "temporaries", call: |n, _| Ok(vec![temporaries(field(n, n, 0))?.into_dyn()]), kernel: 6 },
    Program {
        name: "sums",
        call: |n, steps| {
            let (x, y, r) = sums(field(n, n, 0), field(n, n, 1), steps)?;
            Ok(vec![x.into_dyn(), y.into_dyn(), ndarray::arr0(r).into_dyn()])
        },
        kernel: 5,
    },
];
