//! Part of the crate of compiled functions: views inside of memory that must not change.

use super::contents::{digest, element};
use megha::rt::ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, ShapeBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Elements before and behind a view.
const PAD: usize = 40;

/// Floats by their bits, all NaN alike, and the number that fills the memory around views.
pub trait Float: Copy {
    const GUARD: Self;
    fn of(x: f64) -> Self;
    fn bits(self) -> u64;
    fn raw(self) -> u64;
}

macro_rules! float {
    ($($t:ident)*) => { $(
        impl Float for $t {
            const GUARD: Self = -7.25;
            fn of(x: f64) -> Self { x as $t }
            fn bits(self) -> u64 { u64::from(if self.is_nan() { $t::NAN } else { self }.to_bits()) }
            fn raw(self) -> u64 { u64::from(self.to_bits()) }
        }
    )* };
}
float!(f64 f32);

/// How a view lies in memory: whether its first axis is the inner one, the step along the inner one, elements left out at the end of
/// each axis, whether the first axis and whether all others run backwards.
const LAYOUTS: [(bool, usize, usize, bool, bool); 7] = [
    (false, 1, 0, false, false),
    (true, 1, 0, false, false),
    (false, 2, 1, false, false),
    (true, 1, 0, true, true),
    (false, 3, 1, true, false),
    (true, 1, 2, false, false),
    (false, 1, 0, false, true),
];

/// Memory with a view in it.
pub struct Guarded<T, D> {
    memory: Vec<T>,
    dims: D,
    strides: D,
    backwards: [bool; 2],
}

impl<T: Float, D: Dimension> Guarded<T, D> {
    /// The array parameter with this number; beyond the layouts there is a mixture of them.
    pub fn new(seed: u64, number: usize, dims: D, n: usize, layout: usize) -> Self {
        let layout = if layout < LAYOUTS.len() { layout } else { layout + number };
        let (columns, step, gap, first, others) = LAYOUTS[layout % LAYOUTS.len()];
        let (mut strides, mut stride) = (dims.clone(), step);
        for at in 0..dims.ndim() {
            let axis = if columns { at } else { dims.ndim() - 1 - at };
            strides[axis] = stride;
            stride *= (dims[axis] + gap).max(1);
        }
        let mut this = Self { memory: vec![T::GUARD; stride + 2 * PAD], dims, strides, backwards: [first, others] };
        let columns_first = this.view_mut().reversed_axes();
        columns_first.into_iter().enumerate().for_each(|(at, x)| *x = T::of(element(seed, number, at, n)));
        this
    }

    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        let shape = self.dims.clone().strides(self.strides.clone());
        let mut view = ArrayViewMut::from_shape(shape, &mut self.memory[PAD..]).expect("the memory is large enough");
        for axis in 0..self.dims.ndim() {
            if self.backwards[axis.min(1)] {
                view.invert_axis(Axis(axis));
            }
        }
        view
    }

    pub fn view(&self) -> ArrayView<'_, T, D> {
        let shape = self.dims.clone().strides(self.strides.clone());
        let mut view = ArrayView::from_shape(shape, &self.memory[PAD..]).expect("the memory is large enough");
        for axis in 0..self.dims.ndim() {
            if self.backwards[axis.min(1)] {
                view.invert_axis(Axis(axis));
            }
        }
        view
    }
}

/// What is asked of memory after a call.
pub trait Memory {
    /// The bits of the view's elements, columns first.
    fn bits(&self) -> Vec<u64>;
    /// Whether all around the view is as it was.
    fn is_guarded(&self) -> bool;
}

impl<T: Float, D: Dimension> Memory for Guarded<T, D> {
    fn bits(&self) -> Vec<u64> {
        self.view().reversed_axes().iter().map(|x| x.bits()).collect()
    }

    fn is_guarded(&self) -> bool {
        let start = self.memory.as_ptr() as usize;
        let mut inside = vec![false; self.memory.len()];
        for x in self.view().iter() {
            inside[(std::ptr::from_ref(x) as usize - start) / size_of::<T>()] = true;
        }
        self.memory.iter().zip(inside).all(|(x, inside)| inside || x.raw() == T::GUARD.raw())
    }
}

/// The value of a function by its bits.
pub trait Bits {
    fn all(self) -> Vec<u64>;
}
impl Bits for () {
    fn all(self) -> Vec<u64> {
        Vec::new()
    }
}
impl Bits for i64 {
    fn all(self) -> Vec<u64> {
        vec![self as u64]
    }
}
impl Bits for usize {
    fn all(self) -> Vec<u64> {
        vec![self as u64]
    }
}
impl Bits for f64 {
    fn all(self) -> Vec<u64> {
        vec![Float::bits(self)]
    }
}
impl Bits for f32 {
    fn all(self) -> Vec<u64> {
        vec![Float::bits(self)]
    }
}

/// Runs a function; gives its value, or nothing if it panicked.
pub fn outcome<T: Bits>(run: impl FnOnce() -> T) -> Option<Vec<u64>> {
    catch_unwind(AssertUnwindSafe(|| run().all())).ok()
}

/// A call in a word.
pub fn shown(outcome: Option<Vec<u64>>, arrays: &[&dyn Memory]) -> String {
    if let Some(number) = arrays.iter().position(|a| !a.is_guarded()) {
        return format!("wrote-outside-{number}");
    }
    match outcome {
        None => "panic".to_owned(),
        Some(value) => format!("{:x}", digest(arrays.iter().flat_map(|a| a.bits()).chain(value))),
    }
}
