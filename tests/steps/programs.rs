//! Programs whose loops over time have one kernel.

use megha::matlab;
use ndarray::{ArrayD, Ix1, Ix2, Ix3};

matlab! {
    function u = heat(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            u(2:end-1,2:end-1) = u(2:end-1,2:end-1) + 0.1 * ((u(1:end-2,2:end-1) + u(3:end,2:end-1)) + (u(2:end-1,1:end-2) + u(2:end-1,3:end)) - 4 * u(2:end-1,2:end-1));
        end
    end

    function u = line(u, steps)
        arguments
            u (n,1) double
            steps (1,1) double
        end
        for t = 1:steps
            u(2:end-1) = u(2:end-1) + 0.25 * (u(1:end-2) - 2 * u(2:end-1) + u(3:end));
        end
    end

    function u = cube(u, steps)
        arguments
            u (n,m,k) double
            steps (1,1) double
        end
        for t = 1:steps
            u(2:end-1,2:end-1,2:end-1) = u(2:end-1,2:end-1,2:end-1) + 0.1 * (((u(1:end-2,2:end-1,2:end-1) + u(3:end,2:end-1,2:end-1)) + (u(2:end-1,1:end-2,2:end-1) + u(2:end-1,3:end,2:end-1))) + (u(2:end-1,2:end-1,1:end-2) + u(2:end-1,2:end-1,3:end)) - 6 * u(2:end-1,2:end-1,2:end-1));
        end
    end

    function u = inhomogeneous(u, c, steps)
        arguments
            u (n,m) double
            c (n,m) double
            steps (1,1) double
        end
        [n, m] = size(u);
        for t = 1:steps
            v = u;
            for j = 2:m-1
                for i = 2:n-1
                    u(i,j) = v(i,j) + 0.2 * c(i,j) * ((v(i-1,j) + v(i+1,j)) + (v(i,j-1) + v(i,j+1)) - 4 * v(i,j));
                end
            end
        end
    end

    function u = life(u, steps)
        arguments
            u (n,m) single
            steps (1,1) double
        end
        for t = 1:steps
            s = u(1:end-2,1:end-2) + u(1:end-2,2:end-1) + u(1:end-2,3:end) + u(2:end-1,1:end-2) + u(2:end-1,3:end) + u(3:end,1:end-2) + u(3:end,2:end-1) + u(3:end,3:end);
            u(2:end-1,2:end-1) = s == 3 | (s == 2 & u(2:end-1,2:end-1) == 1);
        end
    end

    % reaches two points, the number of the step is a scalar
    function u = forced(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            u(3:end-2,3:end-2) = 0.3 * u(3:end-2,3:end-2) + t * 0.01 * ((u(1:end-4,3:end-2) + u(5:end,3:end-2)) + (u(3:end-2,1:end-4) + u(3:end-2,4:end-1)));
        end
    end

    function u = corners(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            u(3:end-1,2:end-2) = 0.3 * u(1:end-3,4:end) + 0.2 * u(4:end,1:end-3) - 0.4 * u(2:end-2,2:end-2) + 0.1 * u(3:end-1,4:end);
        end
    end
}

/// A program, given its arrays and how many steps.
type Call = fn(&[ArrayD<f64>], f64) -> megha::Result<Vec<ArrayD<f64>>>;

/// A program.
pub struct Program {
    pub name: &'static str,
    /// How many arrays it takes, all of the same shape.
    pub arrays: u64,
    /// How many steps go at once.
    pub at_once: &'static [usize],
    pub shapes: &'static [&'static [usize]],
    /// The least extents with a point to compute.
    pub least: usize,
    /// For measurements, and the bytes of a point that a step moves at least.
    pub large: Option<&'static [usize]>,
    pub bytes: usize,
    pub call: Call,
}

/// Without a point inside, with one, a row of them, and wider than a strip.
const PLANES: &[&[usize]] =
    &[&[1, 1], &[2, 3], &[3, 3], &[3, 40], &[40, 3], &[19, 26], &[243, 9], &[9, 243], &[300, 41]];

fn plane(array: &ArrayD<f64>) -> ndarray::ArrayView2<'_, f64> {
    array.view().into_dimensionality::<Ix2>().unwrap()
}

macro_rules! plane {
    ($name:ident, $at_once:expr, $least:expr, $shapes:expr) => {
        Program {
            name: stringify!($name),
            arrays: 1,
            at_once: $at_once,
            shapes: $shapes,
            least: $least,
            large: Some(&[2048, 2048]),
            bytes: 16,
            call: |a, steps| Ok(vec![$name(plane(&a[0]), steps)?.into_dyn()]),
        }
    };
}

pub const PROGRAMS: [Program; 7] = [
    plane!(heat, &[8, 4], 3, PLANES),
    plane!(corners, &[4], 4, &[&[4, 4], &[5, 17], &[250, 12], &[12, 250]]),
    plane!(forced, &[], 5, &[&[5, 5], &[12, 250]]),
    Program {
        name: "life",
        arrays: 1,
        at_once: &[8, 4],
        shapes: &[&[3, 3], &[5, 17], &[250, 12], &[12, 250]],
        least: 3,
        large: Some(&[2048, 2048]),
        bytes: 8,
        call: |a, steps| {
            let cells = plane(&a[0]).mapv(|x| f32::from(u8::from(x > 0.3)));
            Ok(vec![life(&cells, steps)?.mapv(f64::from).into_dyn()])
        },
    },
    Program {
        name: "inhomogeneous",
        arrays: 2,
        at_once: &[8, 4],
        shapes: &[&[3, 3], &[5, 17], &[250, 12], &[12, 250]],
        least: 3,
        large: Some(&[2048, 2048]),
        bytes: 24,
        call: |a, steps| Ok(vec![inhomogeneous(plane(&a[0]), plane(&a[1]), steps)?.into_dyn()]),
    },
    Program {
        name: "line",
        arrays: 1,
        at_once: &[8, 4],
        shapes: &[&[1], &[3], &[40], &[1000]],
        least: 3,
        large: Some(&[1 << 22]),
        bytes: 16,
        call: |a, steps| {
            let line_of = a[0].view().into_dimensionality::<Ix1>().unwrap();
            Ok(vec![line(line_of, steps)?.into_dyn()])
        },
    },
    Program {
        name: "cube",
        arrays: 1,
        at_once: &[3],
        shapes: &[&[1, 2, 2], &[3, 3, 3], &[5, 40, 9], &[30, 31, 12]],
        least: 3,
        large: Some(&[160, 160, 160]),
        bytes: 16,
        call: |a, steps| {
            let cube_of = a[0].view().into_dimensionality::<Ix3>().unwrap();
            Ok(vec![cube(cube_of, steps)?.into_dyn()])
        },
    },
];
