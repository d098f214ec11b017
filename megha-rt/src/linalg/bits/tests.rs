use ndarray::{Array2, ArrayView2, s};
use proptest::prelude::*;

use crate::input::{Input, Strided, Vector};
use crate::layout::{ColMajor, Layout, RowMajor};
use crate::linalg::product::made;
use crate::linalg::{Real, product};
use crate::{Level, Site};

static SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

/// Asserts that all elements compare with 0 as those of the product do; whether they are bits.
fn compare<L: Layout, T: Real>(a: Strided<'_, T, 2>, b: Strided<'_, T, 2>) -> bool {
    let exact = product::<L, T>(a, b, &SITE).unwrap();
    let to_compare = made::<L, T>(a, b, T::multiply_to_compare, &SITE).unwrap();
    let (exact, to_compare) = (exact.view().as_slice().to_vec(), to_compare.view().as_slice().to_vec());
    let signs = |x: &[T]| x.iter().map(|x| x.partial_cmp(&T::ZERO)).collect::<Vec<_>>();
    assert!(signs(&exact) == signs(&to_compare), "other comparisons");
    to_compare.iter().all(|x| *x == T::ZERO || *x == T::ONE)
}

/// For both orders of the result, and factors that lie by rows, by columns, and with gaps: whether the elements are bits, if that is so for all or for none.
fn are_bits<T: Real>(a: &Array2<T>, b: &Array2<T>) -> bool {
    let by_columns = |x: &Array2<T>| x.t().as_standard_layout().into_owned().reversed_axes();
    let with_gaps = |x: &Array2<T>| Array2::from_shape_fn((2 * x.nrows(), 3 * x.ncols()), |(i, j)| x[[i / 2, j / 3]]);
    fn thin<T>(x: &Array2<T>) -> ArrayView2<'_, T> {
        x.slice(s![..;2, ..;3])
    }
    let (columns, gaps) = ([by_columns(a), by_columns(b)], [with_gaps(a), with_gaps(b)]);
    let pairs = [
        (a.view(), b.view()),
        (columns[0].view(), columns[1].view()),
        (columns[0].view(), b.view()),
        (thin(&gaps[0]), thin(&gaps[1])),
    ];
    let found: Vec<bool> = pairs
        .iter()
        .map(|(a, b)| (a.strided(Vector::Column), b.strided(Vector::Column)))
        .flat_map(|(a, b)| [compare::<ColMajor, T>(a, b), compare::<RowMajor, T>(a, b)])
        .collect();
    assert!(found.iter().all(|bits| *bits == found[0]), "it depends on where elements lie");
    found[0]
}

/// A matrix whose elements are not zero about once in so many.
fn sparse(shape: (usize, usize), once: u64, seed: u64) -> Array2<f64> {
    let mut state = seed | 1;
    Array2::from_shape_fn(shape, |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = state >> 33;
        if drawn.is_multiple_of(once) { 1.0 + (drawn % 7) as f64 } else { 0.0 }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 4 }))]

    #[test]
    fn unions_are_where_products_are_positive(
        (m, n, p) in (64usize..80, 64usize..80, 64usize..140),
        once in prop_oneof![1u64..4, 20u64..400],
        seed: u64,
    ) {
        let (a, b) = (sparse((m, p), once, seed), sparse((p, n), once, seed ^ 77));
        prop_assert!(are_bits(&a, &b));
        prop_assert!(are_bits(&a.mapv(|x| x as f32), &b.mapv(|x| x as f32)));
    }
}

/// Strips of 512 lines and what is left of them, on each instruction set.
#[test]
fn strips_and_their_rests() {
    for level in Level::available() {
        level.limit();
        for (m, n) in [(512, 64), (525, 65)] {
            assert!(are_bits(&sparse((m, 70), 60, 3), &sparse((70, n), 60, 4)));
            assert!(are_bits(&sparse((n, 70), 60, 5), &sparse((70, m), 60, 6)));
        }
    }
}

/// Elements that bits do not stand for; a zero of either sign is a zero.
#[test]
fn other_elements_are_multiplied() {
    let (a, b) = (sparse((70, 90), 9, 1), sparse((90, 80), 9, 2));
    for (element, bits) in [
        (-0.0, true),
        (f64::MAX, true),
        (f64::LEAST_TERM, true),
        (f64::LEAST_TERM / 2.0, false),
        (-1.0, false),
        (f64::NAN, false),
        (f64::INFINITY, false),
        (f64::NEG_INFINITY, false),
    ] {
        for place in [[0, 0], [69, 89], [33, 64]] {
            let mut with = a.clone();
            with[place] = element;
            assert_eq!(are_bits(&with, &b), bits, "{element}");
            let (with, b) = (with.reversed_axes(), b.t().to_owned());
            assert_eq!(are_bits(&b, &with), bits, "{element} on the right");
        }
    }
    // Terms that are rounded to 0, so that no element is positive.
    let tiny = |x: &Array2<f64>| x.mapv(|x| x * 1e-200);
    let made = made::<ColMajor, f64>(
        tiny(&a).strided(Vector::Column),
        tiny(&b).strided(Vector::Column),
        f64::multiply_to_compare,
        &SITE,
    );
    assert!(made.unwrap().view().as_slice().iter().all(|x| *x == 0.0));
}

/// Without points, and with few.
#[test]
fn small_products_are_made_as_they_are() {
    for (m, n, p) in [(0, 64, 64), (64, 64, 0), (63, 64, 64), (64, 1, 64), (1, 64, 64)] {
        are_bits(&sparse((m, p), 2, 1), &sparse((p, n), 2, 2));
    }
    assert!(!are_bits(&sparse((63, 64), 2, 1), &sparse((64, 64), 2, 2)));
}
