//! Sequential loops around points and inside of them that are left early, in compiled form: many points go through them together, and every
//! point has the bits that it has alone, whatever its neighbours do.

use megha::matlab;
use megha::rt::cuts;
use ndarray::{Array2, ArrayView2, ShapeBuilder};

// A loop over time around element-wise statements (`escape`); one whose iterations differ, with arrays that change places, and user loops
// (`waves`); points that arrive, that run away and that never rest (`roots`); a loop with `break` (`inside`); several ways out, which give
// different things (`ways`); a loop with a condition (`newton`); one of singles inside of a loop over time (`halvings`).
matlab! {
    function [k, zr] = escape(cr, ci, steps)
    arguments
        cr (n,m) double
        ci (n,m) double
        steps (1,1) uint32
    end
    zr = zeros(size(cr)); zi = zr; k = zr;
    for i = 1:double(steps)
        r2 = zr .* zr; i2 = zi .* zi;
        k = k + ((r2 + i2) <= 4);
        zi = 2 * zr .* zi + ci;
        zr = r2 - i2 + cr;
    end
    end

    function [x, y] = waves(a, b, steps)
    arguments
        a (n,m) double
        b (n,m) double
        steps (1,1) uint32
    end
    x = a; y = b; t = 0;
    for i = 1:double(steps)
        t = t + 0.25;
        for j = 1:size(x, 2)
            for h = 1:size(x, 1)
                x(h, j) = x(h, j) * 0.5 + t * y(h, j);
            end
        end
        z = x - i; x = y; y = z;
    end
    end

    function [x, y] = roots(a)
    arguments
        a (n,m) double
    end
    x = a; y = a;
    for i = 1:101
        x = 0.5 * (x + a ./ x);
        y = -y;
    end
    end

    function k = inside(cr, ci)
    arguments
        cr (n,m) double
        ci (n,m) double
    end
    k = zeros(size(cr));
    for j = 1:size(cr, 2)
        for i = 1:size(cr, 1)
            a = 0; b = 0; c = 0;
            for q = 1:200
                r2 = a * a; i2 = b * b;
                if r2 + i2 > 4
                    break
                end
                c = c + 1;
                b = 2 * a * b + ci(i, j);
                a = r2 - i2 + cr(i, j);
            end
            k(i, j) = c;
        end
    end
    end

    function [x, c] = ways(a, b)
    arguments
        a (n,m) double
        b (n,m) double
    end
    x = a; c = a;
    for j = 1:size(a, 2)
        for i = 1:size(a, 1)
            u = a(i, j); v = 0; w = 1;
            for q = 1:60
                v = v + 1;
                if u > 100
                    v = -v;
                    break
                end
                if w > u
                    w = w - 0.75 * u;
                else
                    w = w * 1.25;
                end
                u = u * 1.5 + b(i, j);
                if ~(u > -5)
                    u = u + w;
                    break
                end
                w = w + q;
            end
            x(i, j) = u - w;
            c(i, j) = v;
        end
    end
    end

    function [r, c] = newton(a, most)
    arguments
        a (n,m) double
        most (1,1) double
    end
    r = a; c = a;
    for j = 1:size(a, 2)
        for i = 1:size(a, 1)
            x = a(i, j); before = 0; k = 0;
            while abs(x - before) > 1e-12 && k < most
                before = x;
                x = 0.5 * (x + a(i, j) / x);
                k = k + 1;
            end
            r(i, j) = x; c(i, j) = k;
        end
    end
    end

    function x = halvings(a)
    arguments
        a (n,m) single
    end
    x = a;
    for t = 1:5
        x = x * 3;
        for j = 1:size(a, 2)
            for i = 1:size(a, 1)
                y = x(i, j);
                while y > 1
                    y = y / 2;
                end
                x(i, j) = y;
            end
        end
    end
    end
}

const SIZES: [(usize, usize); 10] =
    [(0, 3), (3, 0), (1, 1), (7, 3), (31, 2), (32, 2), (33, 3), (130, 2), (2, 131), (301, 40)];

/// Numbers of all kinds, most of them small.
fn filled(rows: usize, cols: usize, columns_first: bool, seed: usize) -> Array2<f64> {
    let mut number = seed;
    Array2::from_shape_simple_fn((rows, cols).set_f(columns_first), || {
        number = (number * 1103 + 12345) % 65536;
        match number % 37 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -0.0,
            3 => 0.0,
            _ => number as f64 / 16000.0 - 2.25,
        }
    })
}

fn bits(array: &Array2<f64>) -> Vec<u64> {
    // What is no number has no certain bits.
    array.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// Calls a function on all sizes, in both orders of memory and in parts, and holds its results against those of each point alone.
fn check(
    function: impl Fn(ArrayView2<'_, f64>, ArrayView2<'_, f64>) -> [Array2<f64>; 2],
    point: impl Fn(f64, f64) -> (f64, f64),
) {
    for (rows, cols) in SIZES {
        for columns_first in [false, true] {
            let [a, b] = [1, 2].map(|seed| filled(rows, cols, columns_first, seed + rows));
            let alone = |k: usize| {
                let of = |i| if k == 0 { point(a[i], b[i]).0 } else { point(a[i], b[i]).1 };
                Array2::from_shape_fn((rows, cols), of)
            };
            let expected = [alone(0), alone(1)];
            let parted = |seed| cuts::within(seed, || function(a.view(), b.view()));
            for (what, found) in
                [("whole", function(a.view(), b.view())), ("in parts", parted(7)), ("in others", parted(8))]
            {
                for k in 0..2 {
                    assert_eq!(bits(&expected[k]), bits(&found[k]), "{rows} x {cols}, {what}, result {k}");
                }
            }
        }
    }
}

#[test]
fn a_loop_over_time() {
    for steps in [0, 1, 7, 8, 9, 50, 200] {
        check(
            |a, b| escape(a, b, steps).unwrap().into(),
            |cr, ci| {
                let (mut zr, mut zi, mut k) = (0.0, 0.0, 0.0);
                for _ in 0..steps {
                    let (r2, i2) = (zr * zr, zi * zi);
                    k += if r2 + i2 <= 4.0 { 1.0 } else { 0.0 };
                    zi = 2.0 * zr * zi + ci;
                    zr = r2 - i2 + cr;
                }
                (k, zr)
            },
        );
    }
}

#[test]
fn iterations_that_differ() {
    for steps in [0, 1, 2, 25] {
        check(
            |a, b| waves(a, b, steps).unwrap().into(),
            |a, b| {
                let (mut x, mut y, mut t) = (a, b, 0.0);
                for i in 1..=steps {
                    t += 0.25;
                    x = x * 0.5 + t * y;
                    let z = x - f64::from(i);
                    x = y;
                    y = z;
                }
                (x, y)
            },
        );
    }
}

#[test]
fn points_that_arrive_and_points_that_never_rest() {
    check(
        |a, _| roots(a).unwrap().into(),
        |a, _| {
            let (mut x, mut y) = (a, a);
            for _ in 0..101 {
                x = 0.5 * (x + a / x);
                y = -y;
            }
            (x, y)
        },
    );
}

#[test]
fn points_that_leave() {
    check(
        |a, b| {
            let k = inside(a, b).unwrap();
            [k.clone(), k]
        },
        |cr, ci| {
            let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
            for _ in 0..200 {
                let (r2, i2) = (a * a, b * b);
                if r2 + i2 > 4.0 {
                    break;
                }
                c += 1.0;
                b = 2.0 * a * b + ci;
                a = r2 - i2 + cr;
            }
            (c, c)
        },
    );
}

#[test]
fn several_ways_out() {
    check(
        |a, b| ways(a, b).unwrap().into(),
        |a, b| {
            let (mut u, mut v, mut w) = (a, 0.0, 1.0);
            for q in 1..=60 {
                v += 1.0;
                if u > 100.0 {
                    v = -v;
                    break;
                }
                if w > u {
                    w -= 0.75 * u;
                } else {
                    w *= 1.25;
                }
                u = u * 1.5 + b;
                if u.is_nan() || u <= -5.0 {
                    u += w;
                    break;
                }
                w += f64::from(q);
            }
            (u - w, v)
        },
    );
}

#[test]
fn a_condition_at_each_point() {
    for most in [0.0, 1.0, 3.0, 40.0] {
        check(
            |a, _| newton(a, most).unwrap().into(),
            |a, _| {
                let (mut x, mut before, mut k) = (a, 0.0_f64, 0.0);
                while (x - before).abs() > 1e-12 && k < most {
                    before = x;
                    x = 0.5 * (x + a / x);
                    k += 1.0;
                }
                (x, k)
            },
        );
    }
}

#[test]
fn a_condition_inside_of_a_loop_over_time() {
    let finite = |a: ArrayView2<'_, f64>| a.mapv(|x| if x.is_finite() { x as f32 * 1e6 } else { x.min(0.0) as f32 });
    let point = |a: f32| {
        let mut x = a;
        for _ in 0..5 {
            x *= 3.0;
            while x > 1.0 {
                x /= 2.0;
            }
        }
        x
    };
    for (rows, cols) in SIZES {
        for columns_first in [false, true] {
            let a = finite(filled(rows, cols, columns_first, 5).view());
            let found = halvings(&a).unwrap();
            let expected = a.mapv(point);
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                    "{rows} x {cols}"
                );
            }
        }
    }
}
