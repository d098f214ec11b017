//! Programs with loops over time.

use megha::matlab;
use ndarray::{ArrayD, Ix1, Ix2, Ix3};

matlab! {
    function u = line(u, steps)
        arguments
            u (n,1) double
            steps (1,1) double
        end
        for t = 1:steps
            u(2:end-1) = u(2:end-1) + 0.25 * (u(1:end-2) - 2 * u(2:end-1) + u(3:end));
        end
    end

    function pull = rotated(x, steps)
        arguments
            x (n,1) double
            steps (1,1) double
        end
        n = size(x, 1);
        pull = zeros(n, 1);
        for t = 1:steps
            for shift = 1:n-1
                other = transpose([shift+1:n, 1:shift]);
                pull = pull + x(other) .* x;
            end
        end
    end

    function u = heat(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            u(2:end-1,2:end-1) = u(2:end-1,2:end-1) + 0.1 * ((u(1:end-2,2:end-1) + u(3:end,2:end-1)) + (u(2:end-1,1:end-2) + u(2:end-1,3:end)) - 4 * u(2:end-1,2:end-1));
        end
    end

    function u = colours(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        [n, m] = size(u);
        for t = 1:steps
            for c = 0:1
                for j = 2:m-1
                    for i = 2 + mod(j + c, 2):2:n-1
                        u(i,j) = u(i,j) + 0.1 * ((u(i-1,j) + u(i+1,j)) + (u(i,j-1) + u(i,j+1)) - 4 * u(i,j));
                    end
                end
            end
        end
    end

    function u = growing(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        [n, m] = size(u);
        for t = 1:steps
            for c = 1:t
                for j = 2:m-1
                    for i = 2 + mod(j + c, 2):2:n-1
                        u(i,j) = u(i,j) + 0.1 * ((u(i-1,j) + u(i+1,j)) + (u(i,j-1) + u(i,j+1)) - 4 * u(i,j));
                    end
                end
            end
        end
    end

    function u = wide(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        [n, m] = size(u);
        for t = 1:steps
            v = u;
            for j = 3:m-2
                for i = 3:n-2
                    u(i,j) = 0.3 * v(i,j) + t * 0.01 * ((v(i-2,j) + v(i+2,j)) + (v(i,j-2) + v(i,j+1)));
                end
            end
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

    function [ex, ey, ez, hx, hy, hz] = cavity(e0, steps)
        arguments
            e0 (n,m,k) double
            steps (1,1) double
        end
        ex = e0; ey = e0; ez = e0;
        hx = zeros(size(e0)); hy = hx; hz = hx;
        c = 0.3;
        for i = 1:steps
            hx(:,1:end-1,1:end-1) = hx(:,1:end-1,1:end-1) - c * ((ez(:,2:end,1:end-1) - ez(:,1:end-1,1:end-1)) - (ey(:,1:end-1,2:end) - ey(:,1:end-1,1:end-1)));
            hy(1:end-1,:,1:end-1) = hy(1:end-1,:,1:end-1) - c * ((ex(1:end-1,:,2:end) - ex(1:end-1,:,1:end-1)) - (ez(2:end,:,1:end-1) - ez(1:end-1,:,1:end-1)));
            hz(1:end-1,1:end-1,:) = hz(1:end-1,1:end-1,:) - c * ((ey(2:end,1:end-1,:) - ey(1:end-1,1:end-1,:)) - (ex(1:end-1,2:end,:) - ex(1:end-1,1:end-1,:)));
            ex(:,2:end,2:end) = ex(:,2:end,2:end) + c * ((hz(:,2:end,2:end) - hz(:,1:end-1,2:end)) - (hy(:,2:end,2:end) - hy(:,2:end,1:end-1)));
            ey(2:end,:,2:end) = ey(2:end,:,2:end) + c * ((hx(2:end,:,2:end) - hx(2:end,:,1:end-1)) - (hz(2:end,:,2:end) - hz(1:end-1,:,2:end)));
            ez(2:end,2:end,:) = ez(2:end,2:end,:) + c * ((hy(2:end,2:end,:) - hy(1:end-1,2:end,:)) - (hx(2:end,2:end,:) - hx(2:end,1:end-1,:)));
        end
    end

    function [u, v] = wave(u, v, steps)
        arguments
            u (n,m) double
            v (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            w = v;
            w(2:end-1,2:end-1) = 2 * u(2:end-1,2:end-1) - v(2:end-1,2:end-1) + 0.2 * (u(1:end-2,2:end-1) + u(3:end,2:end-1) + u(2:end-1,1:end-2) + u(2:end-1,3:end) - 4 * u(2:end-1,2:end-1));
            v = u;
            u = w;
        end
    end

    function u = edges(u, steps)
        arguments
            u (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            u(:,1) = 0.5 * u(:,2);
            u(:,end) = u(:,end-1) - 1;
            u(1,:) = 0.25 * u(2,:);
            u(2:end-1,2:end-1) = u(2:end-1,2:end-1) + 0.1 * ((u(1:end-2,2:end-1) + u(3:end,2:end-1)) + (u(2:end-1,1:end-2) + u(2:end-1,3:end)) - 4 * u(2:end-1,2:end-1));
        end
    end

    function [a, b] = reaction(a, b, steps)
        arguments
            a (n,m) double
            b (n,m) double
            steps (1,1) double
        end
        for t = 1:steps
            r = a .* b .* b;
            la = a(1:end-2,2:end-1) + a(3:end,2:end-1) + a(2:end-1,1:end-2) + a(2:end-1,3:end) - 4 * a(2:end-1,2:end-1);
            lb = b(1:end-2,2:end-1) + b(3:end,2:end-1) + b(2:end-1,1:end-2) + b(2:end-1,3:end) - 4 * b(2:end-1,2:end-1);
            a(2:end-1,2:end-1) = a(2:end-1,2:end-1) + 0.2 * la - r(2:end-1,2:end-1);
            b(2:end-1,2:end-1) = b(2:end-1,2:end-1) + 0.1 * lb + 0.5 * r(2:end-1,2:end-1);
        end
    end
}

#[megha::offload]
fn jacobi(mut a: ndarray::ArrayViewMut2<f64>, mut b: ndarray::ArrayViewMut2<f64>, steps: usize) {
    let n = a.nrows();
    let m = a.ncols();
    for _t in 0..steps {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                b[[i, j]] = 0.2 * (a[[i, j]] + a[[i, j - 1]] + a[[i, j + 1]] + a[[i + 1, j]] + a[[i - 1, j]]);
            }
        }
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                a[[i, j]] = 0.2 * (b[[i, j]] + b[[i, j - 1]] + b[[i, j + 1]] + b[[i + 1, j]] + b[[i - 1, j]]);
            }
        }
    }
}

#[megha::offload]
fn fdtd2(
    mut ex: ndarray::ArrayViewMut2<f64>,
    mut ey: ndarray::ArrayViewMut2<f64>,
    mut hz: ndarray::ArrayViewMut2<f64>,
    steps: usize,
) {
    let n = hz.nrows();
    let m = hz.ncols();
    for t in 0..steps {
        for j in 0..m {
            ey[[0, j]] = 0.125 * t as f64;
        }
        for i in 1..n {
            for j in 0..m {
                ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
            }
        }
        for i in 0..n {
            for j in 1..m {
                ex[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
            }
        }
        for i in 0..n - 1 {
            for j in 0..m - 1 {
                hz[[i, j]] -= 0.7 * (ex[[i, j + 1]] - ex[[i, j]] + ey[[i + 1, j]] - ey[[i, j]]);
            }
        }
    }
}

/// A program, given its arrays and how many steps.
type Call = fn(&[ArrayD<f64>], f64) -> Vec<ArrayD<f64>>;

/// A program.
pub struct Program {
    pub name: &'static str,
    /// How many arrays it takes, all of the same shape.
    pub arrays: u64,
    /// How many launches of a step run in bands.
    pub launches: u64,
    pub shapes: &'static [&'static [usize]],
    pub call: Call,
}

const PLANES: &[&[usize]] = &[&[1, 1], &[2, 3], &[3, 3], &[5, 17], &[19, 6], &[12, 12]];
const CUBES: &[&[usize]] = &[&[1, 2, 2], &[3, 4, 3], &[5, 4, 9], &[8, 3, 5]];
const LINES: &[&[usize]] = &[&[1], &[3], &[40]];
const EIGHT: &[&[usize]] = &[&[8]];
/// With a point inside.
const ROOMY: &[&[usize]] = &[&[4, 3], &[3, 3], &[5, 17], &[19, 6]];

fn plane(array: &ArrayD<f64>) -> ndarray::ArrayView2<'_, f64> {
    array.view().into_dimensionality::<Ix2>().unwrap()
}

fn cube_of(array: &ArrayD<f64>) -> ndarray::ArrayView3<'_, f64> {
    array.view().into_dimensionality::<Ix3>().unwrap()
}

macro_rules! plane {
    ($name:ident, $launches:expr) => {
        Program {
            name: stringify!($name),
            arrays: 1,
            launches: $launches,
            shapes: ROOMY,
            call: |a, steps| vec![$name(plane(&a[0]), steps).unwrap().into_dyn()],
        }
    };
}

/// Each step is a loop of as many steps as there were: launches of a step are no constant.
pub const GROWING: Program = plane!(growing, 0);

pub const PROGRAMS: [Program; 12] = [
    Program {
        name: "line",
        arrays: 1,
        launches: 1,
        shapes: LINES,
        call: |a, steps| {
            let line_of = a[0].view().into_dimensionality::<Ix1>().unwrap();
            vec![line(line_of, steps).unwrap().into_dyn()]
        },
    },
    Program {
        name: "rotated",
        arrays: 1,
        launches: 14,
        shapes: EIGHT,
        call: |a, steps| vec![rotated(a[0].clone().into_dimensionality::<Ix1>().unwrap(), steps).unwrap().into_dyn()],
    },
    plane!(heat, 1),
    plane!(colours, 2),
    plane!(wide, 1),
    plane!(edges, 0),
    Program {
        name: "cube",
        arrays: 1,
        launches: 1,
        shapes: CUBES,
        call: |a, steps| vec![cube(cube_of(&a[0]), steps).unwrap().into_dyn()],
    },
    Program {
        name: "cavity",
        arrays: 1,
        launches: 6,
        shapes: CUBES,
        call: |a, steps| {
            let (ex, ey, ez, hx, hy, hz) = cavity(cube_of(&a[0]), steps).unwrap();
            [ex, ey, ez, hx, hy, hz].map(ndarray::Array::into_dyn).into()
        },
    },
    Program {
        name: "wave",
        arrays: 2,
        launches: 1,
        shapes: PLANES,
        call: |a, steps| {
            let (u, v) = wave(plane(&a[0]), plane(&a[1]), steps).unwrap();
            [u, v].map(ndarray::Array::into_dyn).into()
        },
    },
    Program {
        name: "reaction",
        arrays: 2,
        launches: 2,
        shapes: PLANES,
        call: |a, steps| {
            let (u, v) = reaction(plane(&a[0]), plane(&a[1]), steps).unwrap();
            [u, v].map(ndarray::Array::into_dyn).into()
        },
    },
    Program {
        name: "jacobi",
        arrays: 2,
        launches: 2,
        shapes: ROOMY,
        call: |given, steps| {
            let [mut a, mut b] = [0, 1].map(|k| given[k].clone().into_dimensionality::<Ix2>().unwrap());
            jacobi(a.view_mut(), b.view_mut(), steps as usize);
            vec![a.into_dyn(), b.into_dyn()]
        },
    },
    Program {
        name: "fdtd2",
        arrays: 3,
        launches: 4,
        shapes: ROOMY,
        call: |given, steps| {
            let [mut a, mut b, mut c] = [0, 1, 2].map(|k| given[k].clone().into_dimensionality::<Ix2>().unwrap());
            fdtd2(a.view_mut(), b.view_mut(), c.view_mut(), steps as usize);
            vec![a.into_dyn(), b.into_dyn(), c.into_dyn()]
        },
    },
];
