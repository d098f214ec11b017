//! Functions whose arguments have sizes of their own, which their statements want equal: what they make where these are, and where they are not.

use std::sync::Arc;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use ndarray::{Array2, ShapeBuilder};

megha::matlab! {
    function [u, v] = react(u, v, k)
    arguments
        u (:,:) double
        v (:,:) double
        k (1,1) double
    end
    for t = 1:k
        r = u .* v .* v;
        u = u - 0.25 * r + 0.03 * (1 - u);
        v = v + 0.25 * r - 0.09 * v;
    end
    end

    function [u, v] = turned(u, v, k)
    arguments
        u (:,1) double
        v (:,1) double
        k (1,1) double
    end
    n = numel(u);
    for t = 1:k
        u = u(n:-1:1) * 0.5 + v;
        v = v(n:-1:1) - u(n:-1:1) * 0.1;
    end
    end

    function [u, v] = late(u, v, k)
    arguments
        u (:,:) double
        v (:,:) double
        k (1,1) double
    end
    [n, m] = size(u);
    for t = 1:k
        v(1:n-1, :) = v(1:n-1, :) + u(2:n, :);
        u = u(end:-1:1, :) + 0.5 * v;
        v = u(end:-1:1, :) - v;
    end
    end

    function c = sorted(a, b, k)
    arguments
        a (:,:) double
        b (:,:) double
        k (1,1) double
    end
    c = b;
    if k > 0
        d = a + b;
        c = sort(b, 1) + d;
    end
    end

    function [u, w] = grown(u, v, k)
    arguments
        u (:,1) double
        v (:,1) double
        k (1,1) double
    end
    w = v;
    for t = 1:k
        u = u + v;
        w = [w; u(1)];
    end
    end

    function [r, n] = either(a, b, k)
    arguments
        a (:,1) double
        b (:,1) double
        k (1,1) double
    end
    n = numel(b);
    if k > 0
        r = a + b;
        r = [r; b];
        n = n + numel(b);
    else
        r = b;
    end
    end

    function c = roots(a, b)
    arguments
        a (:,:) double
        b (:,:) double
    end
    c = a .* a + sqrt(b);
    c = c - b;
    end
}

/// Two arrays, some rows first, some columns first.
fn fields(shape: [usize; 2], rows_first: bool) -> [Array2<f64>; 2] {
    [3, 5].map(|step| {
        Array2::from_shape_fn(shape.set_f(!rows_first), |(i, j)| ((i * step + j * 7) % 11) as f64 / 11.0 + 0.01)
    })
}

fn react_by_loops([mut u, mut v]: [Array2<f64>; 2], k: usize) -> [Array2<f64>; 2] {
    for _ in 0..k {
        for (u, v) in u.iter_mut().zip(&mut v) {
            let r = *u * *v * *v;
            *u = *u - 0.25 * r + 0.03 * (1.0 - *u);
            *v = *v + 0.25 * r - 0.09 * *v;
        }
    }
    [u, v]
}

fn turned_by_loops([u, v]: [Array2<f64>; 2], k: usize) -> [Array2<f64>; 2] {
    let n = u.len();
    let (mut u, mut v) = (u.into_raw_vec_and_offset().0, v.into_raw_vec_and_offset().0);
    for _ in 0..k {
        u = (0..n).map(|i| u[n - 1 - i] * 0.5 + v[i]).collect();
        v = (0..n).map(|i| v[n - 1 - i] - u[n - 1 - i] * 0.1).collect();
    }
    [u, v].map(|x| Array2::from_shape_vec((n, 1), x).unwrap())
}

fn late_by_loops([mut u, mut v]: [Array2<f64>; 2], k: usize) -> [Array2<f64>; 2] {
    let (n, m) = u.dim();
    for _ in 0..k {
        for (i, j) in (1..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            v[[i - 1, j]] += u[[i, j]];
        }
        u = Array2::from_shape_fn((n, m), |(i, j)| u[[n - 1 - i, j]] + 0.5 * v[[i, j]]);
        v = Array2::from_shape_fn((n, m), |(i, j)| u[[n - 1 - i, j]] - v[[i, j]]);
    }
    [u, v]
}

type Arrays = [Array2<f64>; 2];

/// A program, the same as loops, and its number of columns if it has but one.
type Program = (fn(&Arrays, f64) -> megha::Result<Arrays>, fn(Arrays, usize) -> Arrays, Option<usize>);

const PROGRAMS: [Program; 3] = [
    (|[u, v], k| react(u, v, k).map(Into::into), react_by_loops, None),
    (|[u, v], k| turned(flat(u), flat(v), k).map(Into::into), turned_by_loops, Some(1)),
    (|[u, v], k| late(u, v, k).map(Into::into), late_by_loops, None),
];

fn flat(x: &Array2<f64>) -> ndarray::Array1<f64> {
    x.iter().copied().collect()
}

/// On the CPU and on a device, of any size, columns and rows first.
#[test]
fn results_are_those_of_loops() {
    for (program, by_loops, columns) in PROGRAMS {
        for shape in [[1, 1], [2, 3], [7, 5], [64, 33], [300, 41]] {
            let shape = [shape[0], columns.unwrap_or(shape[1])];
            for (k, rows_first) in [0, 1, 2, 5].into_iter().flat_map(|k| [(k, false), (k, true)]) {
                let given = fields(shape, rows_first);
                let wanted = by_loops(given.clone(), k);
                assert_eq!(program(&given, k as f64).unwrap(), wanted, "{shape:?} {k} {rows_first}");
                let device = Arc::new(SimDevice::new(SimDevice::standard()));
                let got = with(device.clone(), Placement::Gpu, || program(&given, k as f64)).unwrap();
                assert_eq!(got, wanted, "on a device: {shape:?} {k} {rows_first}");
                assert_eq!(device.mistakes(), [""; 0]);
            }
        }
    }
}

/// Arrays stay on the device over all rounds: what moves does not depend on their number.
#[test]
fn arrays_stay_where_they_are() {
    for (program, _, columns) in PROGRAMS {
        for rows_first in [false, true] {
            let given = fields([500, columns.unwrap_or(60)], rows_first);
            let moved = |k: f64| {
                let device = Arc::new(SimDevice::new(SimDevice::standard()));
                with(device, Placement::Gpu, || program(&given, k)).unwrap();
                megha::last_run().unwrap().moved
            };
            let bytes = 8 * given[0].len() as u64;
            for k in [2.0, 20.0] {
                let moved = moved(k);
                assert_eq!(
                    (moved.bytes_up, moved.bytes_down),
                    (2 * bytes, 2 * bytes),
                    "{k} rounds, rows first {rows_first}"
                );
            }
        }
    }
}

/// An argument that a call of the library reads in the sizes of another.
#[test]
fn the_library_reads_arguments_where_they_are() {
    for (shape, rows_first) in [([1, 1], false), ([5, 3], true), ([40, 7], false), ([40, 7], true)] {
        let [a, b] = fields(shape, rows_first);
        let mut wanted = b.clone();
        for mut column in wanted.columns_mut() {
            let mut list = column.to_vec();
            list.sort_by(f64::total_cmp);
            column.assign(&ndarray::Array1::from(list));
        }
        wanted += &(&a + &b);
        let device = Arc::new(SimDevice::new(SimDevice::standard()));
        assert_eq!(with(device, Placement::Gpu, || sorted(&a, &b, 1.0)).unwrap(), wanted);
        assert_eq!(sorted(&a, &b, 1.0).unwrap(), wanted);
        assert_eq!(sorted(&a, b.slice(ndarray::s![1.., ..]), 0.0).unwrap(), b.slice(ndarray::s![1.., ..]));
        assert!(sorted(&a, b.slice(ndarray::s![1.., ..]), 1.0).is_err() || shape == [1, 1]);
    }
}

/// Sizes that are values of the program: an array that grows in a loop, and one that has as many elements as the way to it says.
#[test]
fn sizes_that_the_program_makes() {
    for n in [1usize, 3, 50] {
        let v: Vec<f64> = (0..n).map(|i| i as f64 + 1.0).collect();
        let rows = |x: Vec<f64>| Array2::from_shape_vec((x.len(), 1), x).unwrap();
        for k in 0..4 {
            let u: Vec<f64> = v.iter().map(|x| x * (k + 1) as f64).collect();
            let w = v.iter().copied().chain((2..k + 2).map(f64::from)).collect();
            let given = ndarray::Array1::from(v.clone());
            assert_eq!(grown(&given, &given, f64::from(k)).unwrap(), (rows(u), rows(w)));
            let r: Vec<f64> = if k > 0 { v.iter().map(|x| 2.0 * x).chain(v.clone()).collect() } else { v.clone() };
            let wanted = (rows(r), (if k > 0 { 2 * n } else { n }) as f64);
            assert_eq!(either(&given, &given, f64::from(k)).unwrap(), wanted);
        }
        let longer = ndarray::Array1::<f64>::ones(n + 1);
        let given = ndarray::Array1::from(v.clone());
        assert_eq!(grown(&longer, &given, 0.0).unwrap().1, rows(v.clone()));
        assert_eq!(either(&longer, &given, 0.0).unwrap(), (rows(v), n as f64));
        if n > 1 {
            assert!(grown(&longer, &given, 1.0).is_err() && either(&longer, &given, 1.0).is_err());
        }
    }
}

/// A loop without rounds wants nothing equal, one with a round does.
#[test]
fn sizes_that_differ() {
    let [(u, _), (_, v)] = [[4, 6], [5, 6]].map(|shape| fields(shape, false).into());
    assert_eq!(react(&u, &v, 0.0).unwrap(), (u.clone(), v.clone()));
    assert_eq!(react(&u, &v, -3.0).unwrap(), (u.clone(), v.clone()));
    let error = react(&u, &v, 1.0).unwrap_err().to_string();
    assert!(error.contains('4') && error.contains('5') && error.contains("`.*`"), "{error}");
    // as many elements, in other shapes
    let [(u, _), (_, v)] = [[4, 6], [6, 4]].map(|shape| fields(shape, true).into());
    assert!(react(&u, &v, 2.0).is_err() && late(&u, &v, 2.0).is_err());
    assert_eq!(react(&u, &v, 0.0).unwrap(), (u, v));
}

/// The sizes are tested before the elements: in MATLAB a root of a negative number is complex, and the sum is what fails.
#[test]
fn sizes_are_tested_before_roots() {
    let [a, b] = fields([3, 4], false);
    assert!(roots(&a, &(-&b)).unwrap_err().to_string().contains("complex"));
    let narrow = -&b.slice(ndarray::s![.., 0..3]);
    let error = roots(&a, &narrow).unwrap_err().to_string();
    assert!(error.contains('4') && error.contains('3') && error.contains("`+`"), "{error}");
    assert_eq!(roots(&a, &b).unwrap(), &a * &a + b.mapv(f64::sqrt) - &b);
}
