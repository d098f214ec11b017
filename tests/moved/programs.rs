//! Time loops that copy and fill arrays in each step.

use megha::matlab;
use ndarray::{Array2, ArrayD};

use super::field;

matlab! {
    function u = jacobi(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(u);
        for t = 1:steps
            v = u;
            v(2:m-1, 2:n-1) = 0.25 * (u(1:m-2, 2:n-1) + u(3:m, 2:n-1) + u(2:m-1, 1:n-2) + u(2:m-1, 3:n));
            u = v;
        end
    end

    function u = jacobi_copied(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(u);
        v = u;
        for t = 1:steps
            for i = 2:m-1
                for j = 2:n-1
                    v(i, j) = 0.25 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1));
                end
            end
            u = v;
        end
    end

    % The host changes an element of a copy that the device makes.
    function u = patched(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(u);
        for t = 1:steps
            v = u;
            v(end, end) = t;
            u = u + 0.5 * v(m:-1:1, :);
        end
    end

    % The host changes elements of an array, which may have to grow for it, between kernels that do not touch it.
    function s = stored(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(u);
        w = u(1, :);
        for t = 1:steps
            r = max(max(abs(u) * t));
            w(1) = r;
            w(1, end) = -r;
        end
        s = u - w(n:-1:1);
    end

    function [u, v] = apart(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(u);
        v = zeros(m, n);
        for t = 1:steps
            v(2:m-1, 2:n-1) = v(2:m-1, 2:n-1) + u(1:m-2, 2:n-1) - u(3:m, 2:n-1);
            u = v;
            v(1:m-1, 1) = 0.5 * u(2:m, 2);
        end
    end

    function s = fresh(x, steps)
        arguments
            x (n,m) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [n, m] = size(x);
        s = zeros(n, m);
        for t = 1:steps
            w = zeros(n, m);
            w(2:n-1, :) = x(1:n-2, :) + s(3:n, :);
            s = s + w(n:-1:1, :);
        end
    end

    function u = columns(u, steps)
        arguments
            u (m,n) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        for t = 1:steps
            u(:, t + 1) = 2 * u(:, t) + 1;
        end
    end

    function s = threes(x, steps)
        arguments
            x (n,m) double
            steps (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [n, m] = size(x);
        s = inf(n, m);
        for t = 1:steps
            w = repmat(t, n, m);
            w(2:n-1, :) = x(1:n-2, :) + t;
            s = min(s, w(n:-1:1, :)) + w;
        end
    end
}

/// Columns of a square field, each made of the one before.
pub fn some_columns(n: usize, steps: f64) -> Vec<ArrayD<f64>> {
    one(columns(field(n, n), steps)).unwrap()
}

/// A program on a square field.
pub struct Program {
    pub name: &'static str,
    pub call: fn(usize, f64) -> megha::Result<Vec<ArrayD<f64>>>,
    /// Copies to the device and to the host.
    pub moved: [u64; 2],
    /// Whether it is worth a device.
    pub is_large: bool,
}

fn one(array: megha::Result<Array2<f64>>) -> megha::Result<Vec<ArrayD<f64>>> {
    Ok(vec![array?.into_dyn()])
}

pub const PROGRAMS: [Program; 7] = [
    // the two states between which the steps go
    Program { name: "jacobi", call: |n, steps| one(jacobi(field(n, n), steps)), moved: [2, 1], is_large: true },
    Program {
        name: "jacobi_copied",
        call: |n, steps| one(jacobi_copied(field(n, n), steps)),
        moved: [2, 1],
        is_large: true,
    },
    Program {
        name: "apart",
        call: |n, steps| {
            let (u, v) = apart(field(n, n), steps)?;
            Ok(vec![u.into_dyn(), v.into_dyn()])
        },
        moved: [1, 2],
        is_large: false,
    },
    // the copy to the host, where an element changes, and back
    Program { name: "patched", call: |n, steps| one(patched(field(n, n), steps)), moved: [8, 7], is_large: false },
    Program { name: "stored", call: |n, steps| one(stored(field(n, n), steps)), moved: [3, 9], is_large: false },
    Program { name: "fresh", call: |n, steps| one(fresh(field(n, n), steps)), moved: [1, 1], is_large: true },
    Program { name: "threes", call: |n, steps| one(threes(field(n, n), steps)), moved: [1, 1], is_large: true },
];
