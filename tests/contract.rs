//! Contraction: what `% megha: contract` and `#[offload(contract)]` give is what multiply-adds give that the program's text allows, for each size and
//! memory order, and nothing else changes.

use ndarray::{Array, Array2, ArrayView2, ArrayViewMut2, ShapeBuilder, Zip};

megha::matlab!(file "matlab/contracted.m");
megha::matlab! {
    % megha: contract
    function y = blend(x, k)
    arguments
        x (n,1) double
        k (1,1) double
    end
    y = k * x + sqrt(x);
    end
}

megha::matlab!(
    r"
    % megha: contract
    function w = of_squares(z)
    w = imag(z .* conj(z));
    end",
    fn of_squares(z: c64[n, 1]) -> (w: f64[n, 1]),
);

#[test]
fn a_complex_number_times_its_conjugate_is_real() {
    let z = Array::from_shape_fn((200, 1), |(i, _)| megha::c64::new(i as f64 / 7.0 - 9.0, 0.3 * i as f64 + 0.1));
    assert!(of_squares(&z).unwrap().iter().all(|w| *w == 0.0));
}

/// Numbers whose products are not exact, some of them special.
fn matrix(shape: (usize, usize), first: bool, seed: usize) -> Array2<f64> {
    Array::from_shape_fn(shape.set_f(first), |(i, j)| {
        let number = (i * shape.1 + j) * 7919 + seed * 104_729;
        match number % 61 {
            0 => -0.0,
            1 => f64::INFINITY,
            2 => 0.0,
            3 => f64::NAN,
            _ => (number % 1009) as f64 / 31.0 - 16.0,
        }
    })
}

fn bits(x: &Array2<f64>) -> Vec<u64> {
    x.iter().map(|x| if x.is_nan() { 1 } else { x.to_bits() }).collect()
}

#[test]
fn arrays_and_loops_of_matlab() {
    let mut rounded_otherwise = 0;
    for shape in [(0, 3), (1, 1), (3, 5), (17, 33), (300, 200)] {
        for first in [true, false] {
            let [a, b, c] = [1, 2, 3].map(|seed| matrix(shape, first, seed));
            let (y, z, w, s, t) = contracted(&a, &b, &c).unwrap();
            let each = |f: &dyn Fn(f64, f64, f64) -> f64| {
                bits(&Zip::from(&a).and(&b).and(&c).map_collect(|a, b, c| f(*a, *b, *c)))
            };
            assert_eq!(bits(&y), each(&|a, b, c| a.mul_add(b, c)));
            assert_eq!(bits(&z), each(&|a, _, c| (-2f64).mul_add(a, c)));
            assert_eq!(bits(&w), each(&|a, b, c| a * b - b * c), "neither of two products");
            assert_eq!(bits(&t), each(&|a, b, c| (a * c).mul_add(b, a * c)), "what is used twice is rounded itself");
            let sum = a.t().iter().zip(b.t().iter()).fold(0.0, |s: f64, (a, b)| a.mul_add(*b, s));
            assert!(s == sum || s.is_nan() && sum.is_nan(), "{s} and {sum}");
            rounded_otherwise += usize::from(bits(&y) != each(&|a, b, c| a * b + c));
        }
    }
    assert!(rounded_otherwise >= 4, "the numbers show the difference");
}

#[test]
fn code_in_rust() {
    let x = Array::from_shape_fn(1000, |i| i as f64 / 7.0);
    let (k, y) = (0.3f64, blend(&x, 0.3).unwrap());
    let expected = x.map(|x| k.mul_add(*x, x.sqrt()));
    assert_eq!(y.column(0), expected);
}

#[megha::offload(contract)]
fn product(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
    for i in 0..a.nrows() {
        for j in 0..b.ncols() {
            for k in 0..a.ncols() {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}

#[megha::offload(contract, parallel)]
fn stencil(a: ArrayView2<f32>, k: f32, mut out: ArrayViewMut2<f32>) {
    for i in 1..a.nrows() - 1 {
        for j in 1..a.ncols() - 1 {
            out[[i, j]] = a[[i, j]] - k * (a[[i - 1, j]] + a[[i + 1, j]] - 2.0 * a[[i, j]]);
        }
    }
}

#[test]
fn nests_of_rust() {
    for (rows, inner, columns) in [(0, 2, 3), (1, 1, 1), (5, 7, 3), (64, 200, 70), (130, 33, 9)] {
        for first in [true, false] {
            let (a, b) = (matrix((rows, inner), first, 1), matrix((inner, columns), first, 2));
            let mut c = matrix((rows, columns), first, 3);
            let expected = Array::from_shape_fn((rows, columns), |(i, j)| {
                (0..inner).fold(c[[i, j]], |s, k| a[[i, k]].mul_add(b[[k, j]], s))
            });
            product(a.view(), b.view(), c.view_mut());
            assert_eq!(bits(&c), bits(&expected));
        }
    }
}

#[test]
fn singles() {
    for (rows, columns) in [(3, 3), (40, 57), (200, 300)] {
        let a = matrix((rows, columns), false, 5).mapv(|x| if x.is_finite() { x as f32 } else { 3.0 });
        let mut out = Array2::zeros((rows, columns));
        stencil(a.view(), 0.1, out.view_mut());
        for ((i, j), found) in out.indexed_iter() {
            if i > 0 && j > 0 && i + 1 < rows && j + 1 < columns {
                let inner = (-2f32).mul_add(a[[i, j]], a[[i - 1, j]] + a[[i + 1, j]]);
                assert_eq!(*found, (-0.1f32).mul_add(inner, a[[i, j]]));
            }
        }
    }
}
