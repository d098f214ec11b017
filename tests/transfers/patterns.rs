//! Offloaded functions that touch parts of arrays, and the same on arrays that note what is touched.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

use ndarray::{ArrayD, ArrayView1, ArrayView2, ArrayView3, ArrayViewD, ArrayViewMut1, ArrayViewMut2, ArrayViewMutD};

/// An array that notes which elements a plain loop reads before it stores them, and which it stores.
pub struct Spy {
    values: ArrayD<f64>,
    read: RefCell<BTreeSet<Vec<usize>>>,
    stored: BTreeSet<Vec<usize>>,
}

impl Spy {
    pub fn new(values: ArrayViewD<'_, f64>) -> Spy {
        Spy { values: values.to_owned(), read: RefCell::default(), stored: BTreeSet::new() }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn nrows(&self) -> usize {
        self.values.shape()[0]
    }

    pub fn ncols(&self) -> usize {
        self.values.shape()[1]
    }

    /// How many elements are read before they are stored, and how many are stored.
    pub fn touched(&self) -> [usize; 2] {
        [self.read.borrow().len(), self.stored.len()]
    }

    pub fn values(&self) -> ArrayViewD<'_, f64> {
        self.values.view()
    }

    fn reads(&self, at: &[usize]) -> &f64 {
        if !self.stored.contains(at) {
            self.read.borrow_mut().insert(at.to_vec());
        }
        &self.values[at]
    }

    fn stores(&mut self, at: &[usize]) -> &mut f64 {
        self.stored.insert(at.to_vec());
        &mut self.values[at]
    }
}

impl Index<usize> for Spy {
    type Output = f64;

    fn index(&self, at: usize) -> &f64 {
        self.reads(&[at])
    }
}

impl IndexMut<usize> for Spy {
    fn index_mut(&mut self, at: usize) -> &mut f64 {
        self.stores(&[at])
    }
}

impl<const N: usize> Index<[usize; N]> for Spy {
    type Output = f64;

    fn index(&self, at: [usize; N]) -> &f64 {
        self.reads(&at)
    }
}

impl<const N: usize> IndexMut<[usize; N]> for Spy {
    fn index_mut(&mut self, at: [usize; N]) -> &mut f64 {
        self.stores(&at)
    }
}

/// A view of a number of dimensions that is known, of one where it is not.
pub trait Of<'v, V> {
    fn of(self) -> V;
}

macro_rules! views {
    ($($view:ident $of:ident $dim:ident),*) => {
        $(impl<'v> Of<'v, $view<'v, f64>> for $of<'v, f64> {
            fn of(self) -> $view<'v, f64> {
                self.into_dimensionality::<ndarray::$dim>().expect("so many dimensions")
            }
        })*
    };
}
views!(ArrayView1 ArrayViewD Ix1, ArrayView2 ArrayViewD Ix2, ArrayView3 ArrayViewD Ix3);
views!(ArrayViewMut1 ArrayViewMutD Ix1, ArrayViewMut2 ArrayViewMutD Ix2);

/// A function of an array that it reads and one that it updates.
pub struct Pattern {
    pub name: &'static str,
    /// The sizes of both.
    pub sizes: [&'static [usize]; 2],
    pub fast: fn(ArrayViewD<'_, f64>, ArrayViewMutD<'_, f64>),
    pub plain: fn(&Spy, &mut Spy),
}

macro_rules! patterns {
    ($all:ident: $($name:ident [$($xs:expr),*] [$($ys:expr),*] ($x:ident: $X:ident, $y:ident: $Y:ident) {
        $($body:tt)*
    })*) => {
        $(#[allow(clippy::assign_op_pattern, reason = "what is read is noted, and an operator's left side is stored")]
        mod $name {
            use super::*;
            #[megha::offload]
            pub fn fast($x: $X<'_, f64>, mut $y: $Y<'_, f64>) { $($body)* }
            pub fn plain($x: &Spy, $y: &mut Spy) { $($body)* }
        })*

        pub const $all: &[Pattern] = &[$(Pattern {
            name: stringify!($name),
            sizes: [&[$($xs),*], &[$($ys),*]],
            fast: |x, y| $name::fast(x.of(), y.of()),
            plain: $name::plain,
        }),*];
    };
}

patterns! {
    PATTERNS:
    strided [400] [200] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[2 * i] + 1.0; }
    }
    interleaved [800] [200] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[4 * i] - x[4 * i + 2]; }
    }
    one_of_many [3200] [100] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = 2.0 * x[32 * i + 5]; }
    }
    a_row [40, 50] [50] (x: ArrayView2, y: ArrayViewMut1) {
        for j in 0..y.len() { y[j] = x[[3, j]] * 0.5; }
    }
    a_column [40, 50] [40] (x: ArrayView2, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[[i, 7]] * 0.5; }
    }
    a_block [60, 50] [10, 12] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..y.nrows() { for j in 0..y.ncols() { y[[i, j]] = x[[i + 20, j + 30]]; } }
    }
    a_stencil [40, 50] [40, 50] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 1..x.nrows() - 1 {
            for j in 1..x.ncols() - 1 {
                y[[i, j]] = x[[i - 1, j]] + x[[i + 1, j]] + x[[i, j - 1]] + x[[i, j + 1]];
            }
        }
    }
    a_halo [40, 50] [50] (x: ArrayView2, y: ArrayViewMut1) {
        for j in 1..y.len() - 1 { y[j] = x[[19, j]] + x[[20, j - 1]] + x[[20, j + 1]] + x[[21, j]]; }
    }
    columns [40, 50] [40, 50] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..x.nrows() { for j in 0..8 { y[[i, j + 20]] = x[[i, j + 10]] * 2.0; } }
    }
    every_third_row [60, 50] [20, 50] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..y.nrows() { for j in 0..y.ncols() { y[[i, j]] = x[[3 * i, j]] + 1.0; } }
    }
    rows_and_columns [61, 61] [30, 20] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..y.nrows() { for j in 0..y.ncols() { y[[i, j]] = x[[2 * i + 1, 3 * j]]; } }
    }
    one_element [500] [40] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[7] + 0.5; }
    }
    reversed [600] [200] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[599 - i]; }
    }
    written_in_full [300] [300] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[i] * x[i]; }
    }
    written_in_part [300] [900] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..x.len() { y[i + 300] = x[i] * x[i]; }
    }
    stored_with_gaps [200] [600] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..x.len() { y[3 * i + 1] = x[i] - 1.0; }
    }
    read_and_written [100] [400] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..100 { y[i] = y[i] + y[i + 300] * x[i]; }
    }
    two_parts [800] [100] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..y.len() { y[i] = x[i] - x[i + 600]; }
    }
    a_plane [10, 12, 14] [10, 14] (x: ArrayView3, y: ArrayViewMut2) {
        for i in 0..y.nrows() { for j in 0..y.ncols() { y[[i, j]] = x[[i, 4, j]]; } }
    }
    transposed [40, 30] [50, 60] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..20 { for j in 0..10 { y[[j + 2, i + 3]] = x[[i, j]]; } }
    }
    a_sum_of_rows [60, 50] [12] (x: ArrayView2, y: ArrayViewMut1) {
        for i in 0..y.len() {
            let mut sum = 0.0;
            for j in 0..x.ncols() { sum += x[[5 * i, j]]; }
            y[i] = sum;
        }
    }
}

// Several kernels in a row: what one stores others read, on either side.
patterns! {
    CHAINS:
    rows_by_halves [80, 30] [40, 30] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 0..20 { for j in 0..y.ncols() { y[[i, j]] = x[[2 * i, j]]; } }
        for i in 20..40 { for j in 0..y.ncols() { y[[i, j]] = y[[i - 20, j]] + x[[i, j]]; } }
        for i in 0..y.nrows() { for j in 0..10 { y[[i, j]] = y[[i, j + 10]] * 0.5; } }
    }
    odd_and_even [300] [600] (x: ArrayView1, y: ArrayViewMut1) {
        for i in 0..300 { y[2 * i] = x[i]; }
        for i in 0..300 { y[2 * i + 1] = x[299 - i] + y[2 * i]; }
        for i in 100..200 { y[3 * i] = y[3 * i] + y[0]; }
    }
    the_same_twice [50, 50] [50, 50] (x: ArrayView2, y: ArrayViewMut2) {
        for i in 10..20 { for j in 10..20 { y[[i, j]] = x[[i, j]]; } }
        for i in 15..25 { for j in 15..25 { y[[i, j]] = y[[i, j]] + x[[j, i]]; } }
        for i in 0..50 { y[[i, 49]] = y[[i, 12]]; }
    }
    sums_of_parts [90] [90] (x: ArrayView1, y: ArrayViewMut1) {
        let mut s = 0.0;
        for i in 0..30 { y[i] = x[3 * i] * 2.0; }
        for i in 0..30 { s += y[i]; }
        for i in 60..90 { y[i] = s - x[i]; }
        for i in 30..60 { y[i] = y[i + 30] - y[i - 30]; }
    }
    step_by_step [24, 24] [24, 24] (x: ArrayView2, y: ArrayViewMut2) {
        for k in 1..20 {
            for j in 0..24 { y[[k, j]] = y[[k - 1, j]] + x[[k, j]]; }
        }
        for i in 0..24 { y[[i, 3]] = y[[i, 4]]; }
    }
}

/// An array of these sizes, first dimension fastest or last.
pub fn noise(sizes: &[usize], columns: bool, seed: u64) -> ArrayD<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    use ndarray::ShapeBuilder;
    let shape = ndarray::IxDyn(sizes).set_f(columns);
    ArrayD::from_shape_simple_fn(shape, &mut next)
}
