//! What the fields of operations mention: values that are used, sizes, regions. A type that can be a field says here what it holds.

use super::op::Const;
use super::{
    Ambient, Binary, Check, FuncId, Kernel, Lib, Look, Mem, Part, ReduceOp, Region, Size, Stream, Sub, TextOp, Unary,
    Value,
};

/// A field of an operation.
pub(super) trait Field {
    /// Calls `f` on each value in it.
    fn values(&self, _f: &mut impl FnMut(Value)) {}

    /// Calls `f` on each value in it, to be rewritten.
    fn values_mut(&mut self, _f: &mut impl FnMut(&mut Value)) {}

    /// Calls `f` on each size in it.
    fn sizes<'a>(&'a self, _f: &mut impl FnMut(&'a Size)) {}

    /// Calls `f` on each size in it, to be rewritten.
    fn sizes_mut(&mut self, _f: &mut impl FnMut(&mut Size)) {}

    /// Appends the regions in it.
    fn regions<'a>(&'a self, _list: &mut Vec<&'a Region>) {}

    /// Appends the regions in it, to be changed.
    fn regions_mut<'a>(&'a mut self, _list: &mut Vec<&'a mut Region>) {}
}

/// Fields in which there is nothing of the kind.
macro_rules! plain {
    ($($ty:ty),*) => { $(impl Field for $ty {})* };
}

plain!(Ambient, Binary, Check, Const, FuncId, Lib, Look, Part, ReduceOp, Stream, String, TextOp, Unary);
plain!(Vec<usize>, bool, usize);

impl Field for Value {
    fn values(&self, f: &mut impl FnMut(Value)) {
        f(*self);
    }

    fn values_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        f(self);
    }
}

impl Field for Vec<Value> {
    fn values(&self, f: &mut impl FnMut(Value)) {
        self.iter().copied().for_each(f);
    }

    fn values_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        self.iter_mut().for_each(f);
    }
}

impl Field for Mem {
    fn values(&self, f: &mut impl FnMut(Value)) {
        match self {
            Self::In(array) => f(*array),
            Self::Out(_) => {}
        }
    }

    fn values_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        match self {
            Self::In(array) => f(array),
            Self::Out(_) => {}
        }
    }
}

impl Field for Vec<Sub> {
    fn values(&self, f: &mut impl FnMut(Value)) {
        self.iter().filter_map(Sub::value).for_each(f);
    }

    fn values_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        self.iter_mut().filter_map(Sub::value_mut).for_each(f);
    }

    fn sizes<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
        self.iter().for_each(|sub| match sub {
            Sub::Range { len, .. } => f(len),
            Sub::All | Sub::At(_) | Sub::Vector(_) => {}
        });
    }

    fn sizes_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
        self.iter_mut().for_each(|sub| match sub {
            Sub::Range { len, .. } => f(len),
            Sub::All | Sub::At(_) | Sub::Vector(_) => {}
        });
    }
}

impl Field for Size {
    fn sizes<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
        f(self);
    }

    fn sizes_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
        f(self);
    }
}

impl Field for Box<Region> {
    fn regions<'a>(&'a self, list: &mut Vec<&'a Region>) {
        list.push(self);
    }

    fn regions_mut<'a>(&'a mut self, list: &mut Vec<&'a mut Region>) {
        list.push(self);
    }
}

impl Field for Box<Kernel> {
    fn values(&self, f: &mut impl FnMut(Value)) {
        self.outs.iter().filter_map(|out| out.updated()).for_each(f);
    }

    fn values_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        self.outs.iter_mut().filter_map(|out| out.updated_mut()).for_each(f);
    }

    fn sizes<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
        self.domain.iter().for_each(f);
    }

    fn sizes_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
        self.domain.iter_mut().for_each(f);
    }

    fn regions<'a>(&'a self, list: &mut Vec<&'a Region>) {
        list.push(&self.body);
    }

    fn regions_mut<'a>(&'a mut self, list: &mut Vec<&'a mut Region>) {
        list.push(&mut self.body);
    }
}

impl Sub {
    /// The value in the subscript, if there is one.
    pub fn value(&self) -> Option<Value> {
        match self {
            Self::All => None,
            Self::At(v) | Self::Vector(v) | Self::Range { start: v, .. } => Some(*v),
        }
    }

    /// The value in the subscript, to be rewritten.
    pub fn value_mut(&mut self) -> Option<&mut Value> {
        match self {
            Self::All => None,
            Self::At(v) | Self::Vector(v) | Self::Range { start: v, .. } => Some(v),
        }
    }
}
