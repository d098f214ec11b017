//! Results that are written past the caches: the same bits for all sizes, both orders of memory, any number of threads, and nothing beside them is touched.

use megha::rt::stream;
use ndarray::{Array2, ArrayView1, ArrayViewMut1, ArrayViewMut2, ShapeBuilder, s};

megha::matlab! {
    % Two results of one kernel.
    function [y, z] = both(x, k)
    arguments
        x (n,m) double
        k (1,1) double
    end
    y = k * x + 1;
    z = x - y;
    end

    % Results of other classes.
    function [y, z] = narrow(x, k)
    arguments
        x (n,m) single
        k (n,m) int32
    end
    y = x .* x;
    z = k + 3;
    end

    % A line of one holds twice as many as one of the other.
    function [y, z] = mixed(x, k)
    arguments
        x (n,m) double
        k (n,m) single
    end
    y = x + 1;
    z = 2 * k;
    end

    % The inside of an array that is cleared first.
    function y = inside(x)
    arguments
        x (n,m) double
    end
    y = zeros(size(x));
    y(2:end-1, 2:end) = x(1:end-2, 1:end-1) - x(3:end, 2:end);
    end

    % Of rows that are reduced first.
    function y = centred(x)
    arguments
        x (n,m) double
    end
    y = x - mean(x, 2);
    end

    % A sum in the same kernel.
    function [y, s] = summed(x)
    arguments
        x (n,m) double
    end
    y = 2 * x;
    s = sum(x(:));
    end

    % What takes longer to compute than to store.
    function y = costly(x)
    arguments
        x (n,m) double
    end
    y = log(abs(x) + 1) .* exp(x);
    end

    % What is read again is no such result, its last column is.
    function [y, s] = read_again(x)
    arguments
        x (n,m) double
    end
    y = 2 * x;
    s = y(:, end);
    end
}

#[megha::offload]
fn scaled(x: ArrayView1<f64>, k: f64, mut y: ArrayViewMut1<f64>) {
    for i in 0..y.len() {
        y[i] = k * x[i];
    }
}

#[megha::offload]
fn cleared(k: f64, mut y: ArrayViewMut2<f64>) {
    for i in 0..y.nrows() {
        for j in 0..y.ncols() {
            y[[i, j]] = k + (i + 2 * j) as f64;
        }
    }
}

const SHAPES: [[usize; 2]; 9] = [[1, 1], [3, 5], [16, 1], [1, 37], [64, 3], [129, 7], [5, 300], [700, 11], [1000, 301]];

fn matrix<T>([n, m]: [usize; 2], rows_first: bool, value: impl Fn(usize) -> T) -> Array2<T> {
    let shape = (n, m).set_f(!rows_first);
    Array2::from_shape_fn(shape, |(i, j)| value(i * 31 + j * 17))
}

fn doubles(shape: [usize; 2], rows_first: bool) -> Array2<f64> {
    matrix(shape, rows_first, |at| ((at * 7919) % 1009) as f64 / 64.0 - 5.0)
}

/// Runs `body`, with `count` results written past the caches and with none, on several threads, for all shapes.
fn check<R: PartialEq + std::fmt::Debug + Send>(count: u64, body: impl Fn([usize; 2], bool) -> R + Sync) {
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (shape, rows_first) in SHAPES.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
            let wanted = body(shape, rows_first);
            let (got, streamed) = pool.install(|| stream::within(0, || body(shape, rows_first)));
            assert!(got == wanted, "{shape:?}, rows first {rows_first}, {threads} threads");
            assert_eq!(streamed, count, "{shape:?}, rows first {rows_first}");
        }
    }
}

#[test]
fn results_of_one_kernel() {
    check(2, |shape, rows_first| both(doubles(shape, rows_first).view(), 1.5).unwrap());
    check(1, |shape, rows_first| summed(doubles(shape, rows_first).view()).unwrap());
}

#[test]
fn results_of_other_classes() {
    check(2, |shape, rows_first| {
        let x = doubles(shape, rows_first).mapv(|x| x as f32);
        let k = matrix(shape, rows_first, |at| at as i32 % 100);
        narrow(x.view(), k.view()).unwrap()
    });
}

#[test]
fn results_of_two_classes() {
    check(2, |shape, rows_first| {
        let x = doubles(shape, rows_first);
        mixed(x.view(), x.mapv(|x| x as f32).view()).unwrap()
    });
}

#[test]
fn parts_of_an_array_and_rows_in_strips() {
    check(1, |shape, rows_first| inside(doubles(shape, rows_first).view()).unwrap_or_default());
    check(1, |shape, rows_first| centred(doubles(shape, rows_first).view()).unwrap());
}

#[test]
fn what_is_costly_or_read_again_stays_in_the_caches() {
    check(0, |shape, rows_first| costly(doubles(shape, rows_first).view()).unwrap());
    check(1, |shape, rows_first| {
        let (y, s) = read_again(doubles(shape, rows_first).view()).unwrap();
        assert_eq!(s.column(0), y.column(shape[1] - 1));
        y
    });
}

/// Arrays of the caller keep what lies beside the part that is given.
#[test]
fn nothing_beside_a_view_is_touched() {
    let x: Vec<f64> = (0..3000).map(f64::from).collect();
    for (from, len) in (0..17).flat_map(|from| [0, 1, 8, 31, 64, 777, 2001].map(|len| (from, len))) {
        let mut all = vec![-1.0; 3000];
        let wanted: Vec<f64> =
            (0..3000).map(|at| if (from..from + len).contains(&at) { 2.0 * x[at] } else { -1.0 }).collect();
        let (x, y) = (ArrayView1::from(&x[from..from + len]), ArrayViewMut1::from(&mut all[from..from + len]));
        let ((), streamed) = stream::within(0, || scaled(x, 2.0, y));
        assert!(all == wanted && streamed == 1, "{from} {len} {streamed}");
    }
    for (rows_first, left) in [(true, 0), (true, 3), (false, 0), (false, 3)] {
        let mut all = Array2::from_elem((130, 90).set_f(!rows_first), -1.0);
        let mut wanted = all.clone();
        for ((i, j), value) in wanted.slice_mut(s![1..101, left..left + 70]).indexed_iter_mut() {
            *value = 0.5 + (i + 2 * j) as f64;
        }
        stream::within(0, || cleared(0.5, all.slice_mut(s![1..101, left..left + 70])));
        assert_eq!(all, wanted, "{rows_first} {left}");
    }
}
