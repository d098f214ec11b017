//! Arguments of the kernels: arrays of numbers that follow from a seed, which lie in memory in one way or another.

use megha::rt::ndarray::{Array, Array1, Array2, ArrayView, ArrayViewMut, Dimension, Ix1, Ix2, ShapeBuilder, Slice};

/// A type of numbers.
pub trait Real: Copy + Send + 'static {
    /// The nearest number.
    fn of(x: f64) -> Self;
    /// The number, exactly.
    fn wide(self) -> f64;
}

impl Real for f64 {
    fn of(x: f64) -> f64 {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

impl Real for f32 {
    fn of(x: f64) -> f32 {
        x as f32
    }
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Real for i32 {
    fn of(x: f64) -> i32 {
        x as i32
    }
    fn wide(self) -> f64 {
        self.into()
    }
}

/// How arrays lie in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lay {
    /// Neighbours in a row are neighbours in memory.
    Rows,
    /// Neighbours in a column are.
    Columns,
    /// Every other row and column of a larger array that begins before and ends behind.
    Window,
}

/// An array and the memory around it.
pub struct Held<T, D: Dimension> {
    memory: Array<T, D>,
    lay: Lay,
}

impl<T: Real, D: Dimension> Held<T, D> {
    /// The array.
    pub fn view(&self) -> ArrayView<'_, T, D> {
        let mut view = self.memory.view();
        if self.lay == Lay::Window {
            view.slice_each_axis_inplace(|_| WINDOW);
        }
        view
    }

    /// The array, to be changed.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, D> {
        let mut view = self.memory.view_mut();
        if self.lay == Lay::Window {
            view.slice_each_axis_inplace(|_| WINDOW);
        }
        view
    }

    /// All numbers, those around the array too.
    pub fn numbers(&self) -> Vec<f64> {
        self.memory.iter().map(|x| x.wide()).collect()
    }
}

const WINDOW: Slice = Slice { start: 1, end: Some(-1), step: 2 };

/// So many elements that a window of them has `n`.
fn around(n: usize) -> usize {
    2 * n + 1
}

/// What makes arguments.
#[derive(Clone, Copy)]
pub struct Given {
    /// How arrays lie.
    pub lay: Lay,
}

impl Given {
    /// A number in [0, 1).
    fn number(seed: u64, at: usize) -> f64 {
        let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ seed << 20);
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Numbers without an array: neighbours in memory.
    pub fn list<T: Real>(self, n: usize, seed: u64) -> Vec<T> {
        (0..n).map(|i| T::of(Self::number(seed, i))).collect()
    }

    /// A vector.
    pub fn vector<T: Real>(self, n: usize, seed: u64) -> Held<T, Ix1> {
        let n = if self.lay == Lay::Window { around(n) } else { n };
        Held { memory: Array1::from_shape_fn(n, |i| T::of(Self::number(seed, i))), lay: self.lay }
    }

    /// A matrix.
    pub fn matrix<T: Real>(self, n: usize, m: usize, seed: u64) -> Held<T, Ix2> {
        let (n, m) = if self.lay == Lay::Window { (around(n), around(m)) } else { (n, m) };
        let shape = (n, m).set_f(self.lay == Lay::Columns);
        Held { memory: Array2::from_shape_fn(shape, |(i, j)| T::of(Self::number(seed, i * m + j))), lay: self.lay }
    }
}
