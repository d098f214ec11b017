//! Products and solves against plain loops and against what defines them.

use megha_rt as rt;
use ndarray::{Array2, array};
use proptest::prelude::*;
use rt::linalg::{matmul, product, solve, solve_right};
use rt::{ColMajor, Input, Layout, Packed, RowMajor, Site, Strided, Vector};

static SITE: Site = Site { path: "solve.m", line: 3, column: 5, text: "A \\ b" };

fn arg(x: &Array2<f64>) -> Strided<'_, f64, 2> {
    x.strided(Vector::Column)
}

fn pack<L: Layout>(x: &Array2<f64>) -> Packed<'_, L, f64, 2> {
    arg(x).pack()
}

/// A well-conditioned matrix: noise, with a heavy but not dominant diagonal.
fn matrix(m: usize, n: usize, seed: usize) -> Array2<f64> {
    Array2::from_shape_fn((m, n), |(i, j)| {
        let noise = ((i * 37 + j * 101 + seed * 13 + i * j * 7) % 97) as f64 / 97.0 - 0.5;
        noise + if i == j { 2.0 } else { 0.0 }
    })
}

fn largest(x: &Array2<f64>) -> f64 {
    x.iter().fold(0.0, |a: f64, b| a.max(b.abs()))
}

fn bits(elements: &[f64]) -> Vec<u64> {
    elements.iter().map(|x| x.to_bits()).collect()
}

/// The sum as products with a vector add: term k in lane k % 8, lanes in pairs.
fn by_lanes(terms: impl Iterator<Item = f64>) -> f64 {
    let mut lanes = [0.0; 8];
    terms.enumerate().for_each(|(k, term)| lanes[k % 8] += term);
    let pairs: [f64; 4] = std::array::from_fn(|l| lanes[l] + lanes[l + 4]);
    (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
}

/// A matrix in both orders, with gaps, and backward.
fn everywhere(x: &Array2<f64>) -> [Strided2; 4] {
    let (m, p) = x.dim();
    let wide =
        Array2::from_shape_fn(
            (2 * m + 1, 3 * p + 2),
            |(i, k)| if (i % 2, k % 3) == (1, 2) { x[[i / 2, k / 3]] } else { 9.9 },
        );
    let back = x.slice(ndarray::s![..;-1, ..;-1]).to_owned();
    [
        Strided2(x.clone(), |x| x.view()),
        Strided2(x.t().as_standard_layout().into_owned(), |x| x.view().reversed_axes()),
        Strided2(wide, |x| x.slice(ndarray::s![1..;2, 2..;3])),
        Strided2(back, |x| x.slice(ndarray::s![..;-1, ..;-1])),
    ]
}

/// A matrix, and how its elements are seen.
struct Strided2(Array2<f64>, fn(&Array2<f64>) -> ndarray::ArrayView2<'_, f64>);

impl Strided2 {
    fn view(&self) -> ndarray::ArrayView2<'_, f64> {
        self.1(&self.0)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn products_in_every_layout(m in 0usize..40, p in 0usize..40, n in 0usize..40) {
        let (a, b) = (matrix(m, p, 1), matrix(p, n, 2));
        let want = a.dot(&b);
        let rows = matmul(pack::<RowMajor>(&a).view(), pack::<RowMajor>(&b).view(), &SITE).unwrap().into_ndarray();
        let columns = product::<ColMajor, _>(arg(&a), arg(&b), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(&rows - &want)) < 1e-12 && largest(&(&columns - &want)) < 1e-12);
        let turned = b.t().as_standard_layout().into_owned();
        let through = product::<RowMajor, _>(arg(&a), arg(&turned).permuted([1, 0]), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(through - want)) < 1e-12);
    }

    /// Each element has the same bits in either memory order, for any strides, as the sum by lanes that defines it.
    #[test]
    fn products_with_a_vector_add_by_lanes(m in 2usize..600, p in 0usize..200) {
        let (a, x) = (matrix(m, p, 1), matrix(p, 1, 2));
        let want: Vec<u64> = (0..m).map(|i| by_lanes((0..p).map(|k| a[[i, k]] * x[[k, 0]])).to_bits()).collect();
        let wide = Array2::from_shape_fn((2 * m + 1, 3 * p + 2), |(i, k)| if (i % 2, k % 3) == (1, 2) { a[[i / 2, k / 3]] } else { 9.9 });
        let every = wide.slice(ndarray::s![1..;2, 2..;3]);
        let turned = a.t().as_standard_layout().into_owned();
        let backward = a.slice(ndarray::s![.., ..;-1]).to_owned();
        let long = Array2::from_shape_fn((p, 2), |(k, j)| if j == 0 { x[[k, 0]] } else { 9.9 });
        let columns = [x.view(), long.slice(ndarray::s![.., ..1])];
        for matrix in [a.view(), every, turned.t(), backward.slice(ndarray::s![.., ..;-1])] {
            for x in columns {
                let (matrix, x) = (matrix.strided(Vector::Column), x.strided(Vector::Column));
                let y = product::<ColMajor, f64>(matrix, x, &SITE).unwrap();
                prop_assert_eq!(&bits(y.as_slice()), &want);
                let y = product::<RowMajor, f64>(x.permuted([1, 0]), matrix.permuted([1, 0]), &SITE).unwrap();
                prop_assert_eq!(y.shape(), [1, m]);
                prop_assert_eq!(&bits(y.as_slice()), &want);
            }
        }
    }

    #[test]
    fn solutions_satisfy_their_systems(n in 1usize..90, k in 1usize..4) {
        let (a, b) = (matrix(n, n, 3), matrix(n, k, 4));
        let x = solve(pack::<RowMajor>(&a).view(), pack::<RowMajor>(&b).view(), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(a.dot(&x) - &b)) < 1e-9 * largest(&x).max(1.0));
        let bt = b.t().as_standard_layout().into_owned();
        let y = solve_right(pack::<ColMajor>(&bt).view(), pack::<ColMajor>(&a).view(), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(y.dot(&a) - &bt)) < 1e-9 * largest(&y).max(1.0));
    }

    #[test]
    fn least_squares_residuals_are_orthogonal(m in 2usize..40, n in 1usize..12) {
        prop_assume!(m > n);
        let (a, b) = (matrix(m, n, 5), matrix(m, 2, 6));
        let x = solve(pack::<ColMajor>(&a).view(), pack::<ColMajor>(&b).view(), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&a.t().dot(&(a.dot(&x) - b))) < 1e-10);
        let wide = a.t().as_standard_layout().into_owned();
        let b = matrix(n, 1, 7);
        let x = solve(pack::<ColMajor>(&wide).view(), pack::<ColMajor>(&b).view(), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(wide.dot(&x) - b)) < 1e-10);
        // The shortest: a combination of the rows.
        let parts = solve(pack::<ColMajor>(&a).view(), pack::<ColMajor>(&x).view(), &SITE).unwrap().into_ndarray();
        prop_assert!(largest(&(a.dot(&parts) - x)) < 1e-10);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Each element is the chain of fused multiply-adds in the order of the inner index, whatever the strides of the factors, the order
    /// of the result and the instruction set.
    #[test]
    fn products_of_matrices_are_chains(m in 2usize..70, p in 0usize..600, n in 2usize..70, level in 0usize..3) {
        let (a, b) = (matrix(m, p, 1), matrix(p, n, 2));
        let chain = |i: usize, j: usize| (0..p).fold(0.0, |sum: f64, k| a[[i, k]].mul_add(b[[k, j]], sum));
        let want: Vec<u64> = (0..m * n).map(|e| chain(e % m, e / m).to_bits()).collect();
        let sets = rt::Level::available();
        sets[level.min(sets.len() - 1)].limit();
        let lefts = everywhere(&a);
        let rights = everywhere(&b);
        for (a, b) in lefts.iter().flat_map(|a| rights.iter().map(move |b| (a, b))) {
            let (a, b) = (a.view(), b.view());
            let (a, b) = (a.strided(Vector::Column), b.strided(Vector::Column));
            prop_assert_eq!(&bits(product::<ColMajor, f64>(a, b, &SITE).unwrap().as_slice()), &want);
            let rows = product::<RowMajor, f64>(b.permuted([1, 0]), a.permuted([1, 0]), &SITE).unwrap();
            prop_assert_eq!(rows.shape(), [n, m]);
            prop_assert_eq!(&bits(rows.as_slice()), &want);
            let rows = product::<RowMajor, f64>(a, b, &SITE).unwrap().into_ndarray();
            prop_assert_eq!(&bits(&rows.t().iter().copied().collect::<Vec<_>>()), &want);
        }
        rt::Level::Avx512.limit();
    }
}

/// Zeros keep their signs, subnormal numbers are not lost, and what is no number arrives: as in the chains.
#[test]
fn products_of_special_values() {
    let values = [0.0, -0.0, 1.5, -2.0, 5e-324, -3e-310, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-160];
    for (finite, n) in [(5, 3), (7, 20), (11, 20)] {
        let pick = |i: usize, j: usize| values[(i * 7 + j * 3 + i * j) % finite];
        let (a, b) = (
            Array2::from_shape_fn((n, 300), |(i, j)| pick(i, j)),
            Array2::from_shape_fn((300, n), |(i, j)| pick(j, i + 1)),
        );
        let plain = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
        let chain = |i: usize, j: usize| plain((0..300).fold(0.0, |sum: f64, k| a[[i, k]].mul_add(b[[k, j]], sum)));
        let want: Vec<u64> = (0..n * n).map(|e| chain(e % n, e / n)).collect();
        for level in rt::Level::available() {
            level.limit();
            let c = product::<ColMajor, f64>(arg(&a), arg(&b), &SITE).unwrap();
            assert_eq!(c.as_slice().iter().map(|x| plain(*x)).collect::<Vec<_>>(), want, "{level:?}");
        }
        rt::Level::Avx512.limit();
    }
}

#[test]
fn products_do_not_depend_on_the_number_of_threads() {
    for [m, p, n] in [[300, 257, 311], [1000, 500, 3], [5, 4000, 200], [2000, 700, 1], [1, 700, 2000]] {
        let (a, b) = (matrix(m, p, 1), matrix(p, n, 2));
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| product::<ColMajor, _>(arg(&a), arg(&b), &SITE).unwrap().into_ndarray())
        };
        let one = on(1);
        assert_eq!(one, on(2), "{m} {p} {n}");
        assert_eq!(one, on(3), "{m} {p} {n}");
        assert_eq!(one, on(8), "{m} {p} {n}");
    }
}

#[test]
fn solves_do_not_depend_on_the_number_of_threads() {
    let (a, b) = (matrix(260, 260, 1), matrix(260, 70, 2));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(pack::<ColMajor>(&a).view(), pack::<ColMajor>(&b).view(), &SITE).unwrap().into_ndarray())
    };
    assert_eq!(on(1), on(4));
}

/// Whatever the threads, the instruction set and the order of the arguments: what the shared code gives on one thread.
#[test]
fn factorisations_are_the_same_everywhere() {
    fn all<L: Layout>() -> Vec<Vec<f64>> {
        let (square, tall, many) = (matrix(230, 230, 1), matrix(240, 150, 2), matrix(230, 150, 3));
        let symmetric = matrix(230, 230, 4).dot(&matrix(230, 230, 4).t());
        type Factor<'f, L> = &'f dyn Fn(rt::View<'_, L, f64, 2>) -> rt::Result<rt::Array<L, f64, 2>>;
        let one = |x: &Array2<f64>, f: Factor<'_, L>| {
            f(pack::<L>(x).view()).unwrap().into_ndarray().iter().copied().collect()
        };
        vec![
            one(&square, &|x| rt::linalg::lu(x, &SITE)),
            one(&tall, &|x| rt::linalg::lu(x, &SITE)),
            one(&symmetric, &|x| rt::linalg::cholesky(x, &SITE)),
            one(&tall, &|x| rt::linalg::qr(x, [240, 390], &SITE)),
            one(&square, &|x| rt::linalg::inverse(x, &SITE)),
            one(&square, &|x| solve(x, pack::<L>(&many).view(), &SITE)),
            one(&tall, &|x| solve(x, pack::<L>(&matrix(240, 2, 5)).view(), &SITE)),
            one(&tall.t().as_standard_layout().into_owned(), &|x| {
                solve(x, pack::<L>(&matrix(150, 2, 6)).view(), &SITE)
            }),
        ]
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(all::<ColMajor>)
    };
    let want = on(1);
    assert!(want == on(3) && want == all::<RowMajor>());
    for level in rt::Level::available() {
        level.limit();
        assert!(want == on(2), "{level:?}");
    }
    rt::Level::Avx512.limit();
}

#[test]
fn pivoting_is_needed_here() {
    let (a, b) = (array![[0.0, 1.0], [1.0, 1.0]], array![[2.0], [5.0]]);
    let x = solve(pack::<ColMajor>(&a).view(), pack::<ColMajor>(&b).view(), &SITE).unwrap().into_ndarray();
    assert_eq!(x, array![[3.0], [2.0]]);
}

#[test]
fn of_several_solutions_the_shortest_is_found() {
    let a = array![[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]];
    let x = solve(pack::<ColMajor>(&a).view(), pack::<ColMajor>(&array![[2.0], [4.0], [6.0]]).view(), &SITE)
        .unwrap()
        .into_ndarray();
    assert!(largest(&(&x - &array![[0.4], [0.8]])) < 1e-15, "{x}");
}

#[test]
fn singular_systems_have_the_shortest_solution() {
    let solved = |a: &Array2<f64>, b: &Array2<f64>| {
        solve(pack::<ColMajor>(a).view(), pack::<ColMajor>(b).view(), &SITE).unwrap().into_ndarray()
    };
    let near = |x: Array2<f64>, want: &[f64]| x.iter().zip(want).all(|(x, w)| (x - w).abs() < 1e-15);
    assert!(near(solved(&array![[1.0, 2.0], [2.0, 4.0]], &array![[1.0], [3.0]]), &[0.28, 0.56]));
    let three = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    assert!(near(solved(&three, &array![[1.0], [2.0], [3.0]]), &[-1.0 / 18.0, 1.0 / 9.0, 5.0 / 18.0]));
}

#[test]
fn a_singular_matrix_has_an_infinite_inverse() {
    let inverse = |a: &Array2<f64>| rt::linalg::inverse(pack::<RowMajor>(a).view(), &SITE).unwrap().into_ndarray();
    assert!(inverse(&array![[1.0, 2.0], [2.0, 4.0]]).iter().all(|&x| x == f64::INFINITY));
    assert_eq!(inverse(&array![[2.0, 0.0], [0.0, 4.0]]), array![[0.5, 0.0], [0.0, 0.25]]);
}

#[test]
fn failures_say_why() {
    let error = product::<ColMajor, _>(arg(&matrix(3, 4, 1)), arg(&matrix(3, 4, 1)), &SITE).err().unwrap();
    assert!(error.to_string().contains("3-by-4 and 3-by-4 cannot be combined"), "{error}");
    assert!(
        solve(pack::<ColMajor>(&matrix(3, 3, 1)).view(), pack::<ColMajor>(&matrix(2, 1, 1)).view(), &SITE).is_err()
    );
}

/// Large enough for several threads, with every instruction set.
#[test]
fn products_with_a_vector_do_not_depend_on_the_machine() {
    let (m, p) = (1500, 900);
    let (a, x) = (matrix(m, p, 1), matrix(p, 1, 2));
    let turned = a.t().as_standard_layout().into_owned();
    let want: Vec<u64> = (0..m).map(|i| by_lanes((0..p).map(|k| a[[i, k]] * x[[k, 0]])).to_bits()).collect();
    for level in rt::Level::available() {
        level.limit();
        for matrix in [a.view(), turned.t()] {
            let y = product::<ColMajor, f64>(matrix.strided(Vector::Column), arg(&x), &SITE).unwrap();
            assert_eq!(bits(y.as_slice()), want, "{level:?}");
        }
    }
}
