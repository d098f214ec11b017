use super::*;
use crate::memory::{recycle, trim};
use crate::{ColMajor, RowMajor};

const SITE: Site = Site { path: "", line: 0, column: 0, text: "" };

/// An array in recycled memory: elements in boxes may hold what was there, all others are the value. How many do.
fn check<L: Layout, const N: usize>(shape: [usize; N], value: f64, boxes: &[Written<'_, N>]) -> usize {
    let len: usize = shape.iter().product();
    recycle(ndarray::Array1::from_elem(len, f64::NAN));
    // SAFETY: any bytes make a number, and what the memory held is looked at, not used.
    let array = unsafe { Array::<L, f64, N>::filled_around(shape, value, boxes, &SITE) }.unwrap();
    assert_eq!(array.shape(), shape);
    for (position, element) in array.as_slice().iter().enumerate() {
        let at = crate::unravel::<L, N>(shape, position);
        let is_in = |written: &Written<'_, N>| {
            let side =
                |d: usize| (0..i128::from(written.count[d])).contains(&(at[d] as i128 - i128::from(written.first[d])));
            written.rounds.iter().all(|rounds| *rounds > 0) && (0..N).all(side)
        };
        let is_free = boxes.iter().any(is_in);
        assert!(is_free || element.to_bits() == value.to_bits(), "{at:?} of {shape:?} around {boxes:?}: {element}");
    }
    array.as_slice().iter().filter(|element| element.is_nan()).count()
}

fn check_both<const N: usize>(shape: [usize; N], boxes: &[Written<'_, N>]) {
    for value in [0.0, -0.0, 2.5] {
        check::<ColMajor, N>(shape, value, boxes);
        check::<RowMajor, N>(shape, value, boxes);
    }
}

fn written<const N: usize>(first: [i64; N], count: [i64; N]) -> Written<'static, N> {
    Written { first, count, rounds: &[] }
}

#[test]
fn all_but_boxes_is_filled() {
    for [n, m] in [[0, 0], [1, 1], [2, 3], [3, 2], [1, 90], [90, 1], [40, 50], [800, 3], [3, 800], [300, 700]] {
        let shape = [n as usize, m as usize];
        check_both(shape, &[]);
        check_both(shape, &[written([1, 1], [n - 2, m - 2])]);
        check_both(shape, &[written([0, 0], [n, 1]), written([0, 0], [1, m]), written([1, 1], [n - 1, m - 1])]);
        check_both(shape, &[written([1, 0], [n - 2, 1]), written([1, 1], [n - 2, 1]), written([1, 2], [n - 2, m - 2])]);
        check_both(shape, &[written([0, 0], [n, m])]);
        check_both(shape, &[written([-3, -1], [n, m]), written([n - 1, 0], [100, m])]);
        check_both(shape, &[Written { rounds: &[2, 0], ..written([0, 0], [n, m]) }]);
        check_both(shape, &[written([i64::MIN, 0], [i64::MAX, m]), written([i64::MAX, 0], [i64::MAX, m])]);
    }
    check_both([9, 10, 31], &[written([1, 2, 0], [7, 6, 31])]);
    check_both([9, 10, 31], &[written([0, 0, 3], [9, 10, 14]), written([2, 2, 2], [3, 3, 29])]);
    trim();
}

/// Pieces that several threads fill: large ones, many little ones, and both kinds of values.
#[test]
fn much_is_filled_by_several_threads() {
    check_both([1100, 500], &[written([1, 1], [1098, 498])]);
    check_both([90_000, 4], &[written([0, 3], [90_000, 1])]);
    // Runs of half a megabyte, of which a thread gets one at a time.
    check_both([100_000, 5], &[written([50_000, 0], [50_000, 5])]);
    check_both([4, 90_000], &[written([0, 30_000], [4, 50_000])]);
    check_both([3, 400, 300], &[written([1, 1, 1], [1, 398, 298])]);
    trim();
}

/// What is left has no element twice, and none is missing, however boxes overlap.
#[test]
fn what_is_left_is_cut_into_boxes() {
    let (shape, mut cuts, mut looked) = ([7, 6, 5], megha_base::cuts::Cuts::new(5), 0);
    for _ in 0..300 {
        let mut drawn = |below: u64| cuts.below(below) as i64;
        let boxes: Vec<Written<'_, 3>> = (0..1 + drawn(4))
            .map(|_| written([drawn(7) - 1, drawn(6) - 1, drawn(5) - 1], [drawn(8), drawn(8), drawn(8)]))
            .collect();
        let Some(parts) = left::<ColMajor, 3>(shape, 1 << 20, &boxes) else { continue };
        looked += 1;
        let mut times = [0; 7 * 6 * 5];
        for part in &parts {
            for (position, times) in times.iter_mut().enumerate() {
                let at = crate::unravel::<ColMajor, 3>(shape, position);
                *times += usize::from((0..3).all(|d| part[d].contains(&at[d])));
            }
        }
        for (position, times) in times.into_iter().enumerate() {
            let at = crate::unravel::<ColMajor, 3>(shape, position);
            let is_in = |w: &Written<'_, 3>| (0..3).all(|d| (0..w.count[d]).contains(&(at[d] as i64 - w.first[d])));
            assert_eq!(times, usize::from(!boxes.iter().any(is_in)), "{at:?} {boxes:?}");
        }
    }
    assert!(looked > 200, "{looked}");
}

#[test]
fn boxes_stay_as_they_are() {
    let inner = [written([1, 1], [62, 30])];
    assert_eq!(check::<ColMajor, 2>([64, 32], 0.0, &inner), 62 * 30);
    assert_eq!(check::<RowMajor, 2>([64, 32], 1.0, &inner), 62 * 30);
    // A border of as many lines as the array has.
    assert_eq!(check::<ColMajor, 2>([8, 64], 0.0, &[written([1, 0], [6, 64])]), 0);
    trim();
}

#[test]
fn other_classes_are_filled_too() {
    recycle(ndarray::Array1::from_elem(8000, 77_u8));
    let boxes = [written([0, 2], [800, 8])];
    // SAFETY: as above.
    let array = unsafe { Array::<ColMajor, u8, 2>::filled_around([800, 10], 0, &boxes, &SITE) }.unwrap();
    assert!(array.as_slice()[..1600].iter().all(|x| *x == 0));
    recycle(ndarray::Array1::from_elem(3000, 77_i16));
    let boxes = [written([5], [2990])];
    // SAFETY: as above.
    let array = unsafe { Array::<RowMajor, i16, 1>::filled_around([3000], -3, &boxes, &SITE) }.unwrap();
    let at = array.as_slice();
    assert!(at[..5].iter().chain(&at[2995..]).all(|x| *x == -3));
}
