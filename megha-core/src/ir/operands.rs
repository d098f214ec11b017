//! What an operation mentions: the values it uses, the sizes it states, the regions in it.

use super::{Mem, Op, Region, Size, Sub, Value};

/// The operations that have neither regions nor sizes.
macro_rules! plain {
    () => {
        Self::Const(_)
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::Select(..)
            | Self::Fma(..)
            | Self::Convert(_)
            | Self::ToIndex(_)
            | Self::Bits(_)
            | Self::FromBits(_)
            | Self::Complex(..)
            | Self::Part(..)
            | Self::Fill(_)
            | Self::Range { .. }
            | Self::Linspace(..)
            | Self::Eye
            | Self::Transpose(_)
            | Self::Reshape(_)
            | Self::Resize(_)
            | Self::Concat(..)
            | Self::Reduce(..)
            | Self::Scan(..)
            | Self::Lib(..)
            | Self::Call(..)
            | Self::Assert(..)
            | Self::Raise { .. }
            | Self::Print(..)
            | Self::Display(..)
            | Self::Text(..)
            | Self::Ambient(..)
            | Self::Load(..)
            | Self::Put(..)
            | Self::Accumulate(..)
    };
}

impl Op {
    /// Calls `f` on each value that the operation itself uses, in order; not on those used inside nested regions.
    pub fn for_each_operand(&self, f: &mut impl FnMut(Value)) {
        match self {
            Self::Const(_) | Self::Size(_) | Self::Eye | Self::SameSize(..) => {}
            Self::Kernel(kernel) => kernel.outs.iter().filter_map(|out| out.updated()).for_each(f),
            Self::Unary(_, a)
            | Self::Convert(a)
            | Self::ToIndex(a)
            | Self::Bits(a)
            | Self::FromBits(a)
            | Self::Part(_, a)
            | Self::Fill(a)
            | Self::Transpose(a)
            | Self::Reshape(a)
            | Self::Resize(a)
            | Self::Reduce(_, a, _)
            | Self::Scan(_, a, _)
            | Self::Assert(a, _)
            | Self::Accumulate(_, a)
            | Self::If { cond: a, .. } => f(*a),
            Self::Binary(_, a, b) | Self::Complex(a, b) | Self::Linspace(a, b) | Self::Range { start: a, step: b } => {
                f(*a);
                f(*b);
            }
            Self::Select(a, b, c) | Self::Fma(a, b, c) => [*a, *b, *c].into_iter().for_each(f),
            Self::Index { array, subs, .. } => {
                f(*array);
                subs.iter().filter_map(Sub::value).for_each(f);
            }
            Self::Store { array, subs, value, .. } => {
                f(*array);
                subs.iter().filter_map(Sub::value).for_each(&mut *f);
                f(*value);
            }
            Self::Concat(_, list)
            | Self::Lib(_, list)
            | Self::Call(_, list)
            | Self::Raise { args: list, .. }
            | Self::Print(_, _, list)
            | Self::Display(_, list)
            | Self::Text(_, list)
            | Self::Ambient(_, list) => {
                list.iter().copied().for_each(f);
            }
            Self::For { trip, init, .. } => {
                f(*trip);
                init.iter().copied().for_each(f);
            }
            Self::While { init, .. } => init.iter().copied().for_each(f),
            Self::Load(mem, subs) => {
                if let Mem::In(array) = mem {
                    f(*array);
                }
                subs.iter().copied().for_each(f);
            }
            Self::Put(_, subs, value) => {
                subs.iter().copied().for_each(&mut *f);
                f(*value);
            }
        }
    }

    /// Calls `f` on each value that the operation itself uses, to be rewritten; not on those inside nested regions.
    pub fn for_each_operand_mut(&mut self, f: &mut impl FnMut(&mut Value)) {
        match self {
            Self::Const(_) | Self::Size(_) | Self::Eye | Self::SameSize(..) => {}
            Self::Unary(_, a)
            | Self::Convert(a)
            | Self::ToIndex(a)
            | Self::Bits(a)
            | Self::FromBits(a)
            | Self::Part(_, a)
            | Self::Fill(a)
            | Self::Transpose(a)
            | Self::Reshape(a)
            | Self::Resize(a)
            | Self::Reduce(_, a, _)
            | Self::Scan(_, a, _)
            | Self::Assert(a, _)
            | Self::Accumulate(_, a)
            | Self::If { cond: a, .. } => f(a),
            Self::Binary(_, a, b) | Self::Complex(a, b) | Self::Linspace(a, b) | Self::Range { start: a, step: b } => {
                f(a);
                f(b);
            }
            Self::Select(a, b, c) | Self::Fma(a, b, c) => [a, b, c].into_iter().for_each(f),
            Self::Index { array, subs, .. } => {
                f(array);
                subs.iter_mut().filter_map(Sub::value_mut).for_each(f);
            }
            Self::Store { array, subs, value, .. } => {
                f(array);
                subs.iter_mut().filter_map(Sub::value_mut).for_each(&mut *f);
                f(value);
            }
            Self::Concat(_, list)
            | Self::Lib(_, list)
            | Self::Call(_, list)
            | Self::Raise { args: list, .. }
            | Self::Print(_, _, list)
            | Self::Display(_, list)
            | Self::Text(_, list)
            | Self::Ambient(_, list) => {
                list.iter_mut().for_each(f);
            }
            Self::For { trip, init, .. } => {
                f(trip);
                init.iter_mut().for_each(f);
            }
            Self::While { init, .. } => init.iter_mut().for_each(f),
            Self::Kernel(kernel) => kernel.outs.iter_mut().filter_map(|out| out.updated_mut()).for_each(f),
            Self::Load(mem, subs) => {
                if let Mem::In(array) = mem {
                    f(array);
                }
                subs.iter_mut().for_each(f);
            }
            Self::Put(_, subs, value) => {
                subs.iter_mut().for_each(&mut *f);
                f(value);
            }
        }
    }

    /// The regions nested in the operation.
    pub fn regions(&self) -> Vec<&Region> {
        match self {
            Self::If { then, els, .. } => vec![then, els],
            Self::For { body, .. } => vec![body],
            Self::While { cond, body, .. } => vec![cond, body],
            Self::Kernel(kernel) => vec![&kernel.body],
            Self::Size(_) | Self::SameSize(..) | Self::Index { .. } | Self::Store { .. } | plain!() => Vec::new(),
        }
    }

    /// The regions nested in the operation, to be changed.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        match self {
            Self::If { then, els, .. } => vec![then, els],
            Self::For { body, .. } => vec![body],
            Self::While { cond, body, .. } => vec![cond, body],
            Self::Kernel(kernel) => vec![&mut kernel.body],
            Self::Size(_) | Self::SameSize(..) | Self::Index { .. } | Self::Store { .. } | plain!() => Vec::new(),
        }
    }

    /// Calls `f` on each size that the operation itself mentions (types of results aside).
    pub fn for_each_size<'a>(&'a self, f: &mut impl FnMut(&'a Size)) {
        match self {
            Self::Size(s) => f(s),
            Self::SameSize(a, b, _) => [a, b].into_iter().for_each(f),
            Self::Index { subs, .. } | Self::Store { subs, .. } => subs.iter().for_each(|sub| {
                if let Sub::Range { len, .. } = sub {
                    f(len);
                }
            }),
            Self::Kernel(kernel) => kernel.domain.iter().for_each(f),
            Self::If { .. } | Self::For { .. } | Self::While { .. } | plain!() => {}
        }
    }

    /// Calls `f` on each size that the operation itself mentions, to be rewritten (types of results aside).
    pub fn for_each_size_mut(&mut self, f: &mut impl FnMut(&mut Size)) {
        match self {
            Self::Size(s) => f(s),
            Self::SameSize(a, b, _) => {
                f(a);
                f(b);
            }
            Self::Index { subs, .. } | Self::Store { subs, .. } => {
                for sub in subs {
                    if let Sub::Range { len, .. } = sub {
                        f(len);
                    }
                }
            }
            Self::Kernel(kernel) => kernel.domain.iter_mut().for_each(f),
            Self::If { .. } | Self::For { .. } | Self::While { .. } | plain!() => {}
        }
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
