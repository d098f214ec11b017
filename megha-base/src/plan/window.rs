//! Buffers that hold a box of an array: base, strides and limits are apart.
//!
//! An entry computes the place of an element from its subscripts in the whole array, times strides that it is given. A buffer that holds a
//! window, a box of the array packed in the array's order, has the strides of the box, and is given as the address where the array's first
//! element would lie, which is outside of it. So the kernel's subscripts stay as they are.

use super::{Array, Entry, KernelPlan, Role, SizeExpr};

/// Symbols of an entry's sizes from this number on are its strides.
pub const STRIDES: usize = 1 << 20;

/// How far apart neighbours along a dimension lie: the product of the sizes of the faster ones, in the array's order, those of 1 left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stride {
    /// These sizes.
    pub faster: Vec<SizeExpr>,
}

impl Stride {
    /// Its value where buffers hold whole arrays.
    pub fn of_whole(&self, symbol: &dyn Fn(usize) -> i64) -> i64 {
        self.faster.iter().map(|size| size.eval(symbol)).product()
    }
}

/// The box of an array that a buffer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The subscripts of its first element.
    pub origin: Vec<i64>,
    /// Its extents.
    pub extents: Vec<i64>,
}

/// An order of memory by the number of its entry in a plan: columns first, rows first.
type Order = usize;

/// The dimensions that are faster than one.
fn faster(rank: usize, axis: usize, order: Order) -> std::ops::Range<usize> {
    if order == 0 { 0..axis } else { axis + 1..rank }
}

impl Window {
    /// All of an array.
    pub fn whole(array: &Array, symbol: &dyn Fn(usize) -> i64) -> Self {
        Self { origin: vec![0; array.dims.len()], extents: array.dims.iter().map(|d| d.eval(symbol)).collect() }
    }

    /// Elements of the array before the first of the window, as the buffer counts them.
    pub fn before(&self, order: Order) -> i64 {
        let rank = self.extents.len();
        let stride = |axis| faster(rank, axis, order).map(|d| self.extents[d]).product::<i64>();
        (0..rank).map(|axis| self.origin[axis] * stride(axis)).sum()
    }
}

impl KernelPlan {
    /// The values of an entry's strides for these windows of the plan's arrays; `None` where two arrays share a stride and their windows do not,
    /// so that both must hold a box that is as large as the other's.
    pub fn strides(&self, order: Order, windows: &[Window]) -> Option<Vec<i64>> {
        self.entries[order].strides.iter().map(|stride| self.stride(stride, order, windows)).collect()
    }

    fn stride(&self, stride: &Stride, order: Order, windows: &[Window]) -> Option<i64> {
        let one = SizeExpr::constant(1);
        let mut value = None;
        for (array, window) in self.arrays.iter().zip(windows) {
            for axis in (0..array.dims.len()).filter(|axis| array.dims[*axis] != one) {
                let long = faster(array.dims.len(), axis, order).filter(|d| array.dims[*d] != one);
                if !long.clone().map(|d| &array.dims[d]).eq(&stride.faster) {
                    continue;
                }
                let own = long.map(|d| window.extents[d]).product::<i64>();
                if *value.get_or_insert(own) != own {
                    return None;
                }
            }
        }
        value
    }

    /// Whether a buffer may hold a window of an array: results of reductions are numbered as a whole, and so are elements that one subscript
    /// counts.
    pub fn may_be_windowed(&self, array: usize) -> bool {
        let counted =
            |map: &crate::access::AccessMap| map.array == array && map.subscripts.len() < self.arrays[array].dims.len();
        !matches!(self.arrays[array].role, Role::Reduced | Role::Flag(_)) && !self.accesses.iter().any(counted)
    }
}

impl Entry {
    /// The value of a size, given those of the symbols and strides.
    pub fn size(&self, size: &SizeExpr, symbol: &dyn Fn(usize) -> i64, strides: &[i64]) -> i64 {
        size.eval(&|number| match number.checked_sub(STRIDES) {
            Some(stride) => strides[stride],
            None => symbol(number),
        })
    }
}
