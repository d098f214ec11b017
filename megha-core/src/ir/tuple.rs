//! Dependent tuples: values that travel together, of which an array's sizes are other values of the same tuple.
//!
//! The parameters of a region, the results of an `If` or a loop, and the values that a terminator gives form tuples. A tuple
//! `(k: index, x: f64[1, K])`, where the symbol K stands for the value k, says that x has as many columns as k tells: this is
//! how arrays whose sizes are known only at run time cross a join. Where a tuple is given to another one, the receiving
//! symbols stand for the given sizes: K becomes the size that the given index holds.

use super::{Class, Const, Func, Op, Size, Stmt, SymDef, Value};

/// Definitions refer to earlier ones, so this is deeper than any chain that lowering makes; it ends the walk of a cyclic one.
const MAX_CHAIN: u32 = 64;

/// The sizes that `Index` scalars of a function are known to hold.
pub struct Held<'f> {
    func: &'f Func,
    /// By value: what [`Op::Size`] or a constant says.
    sizes: Vec<Option<Size>>,
    /// By value: the symbol that stands for it.
    symbols: Vec<Option<Size>>,
}

impl<'f> Held<'f> {
    /// Collects the definitions of a function whose tables are in order.
    pub fn new(func: &'f Func) -> Self {
        let mut symbols = vec![None; func.types.len()];
        for (sym, data) in func.symbols.iter() {
            if let SymDef::Value(value) = data.def {
                symbols[value.index()].get_or_insert(Size::sym(sym));
            }
        }
        let mut held = Self { func, sizes: vec![None; func.types.len()], symbols };
        func.body.walk(&mut |stmt| held.note(stmt));
        held
    }

    fn note(&mut self, stmt: &Stmt) {
        let size = match &stmt.op {
            Op::Size(size) => Some(size.clone()),
            Op::Const(Const::Int(c)) => Some(Size::constant(*c)),
            _ => None,
        };
        if let (Some(size), [result]) = (size, stmt.results.as_slice())
            && self.func.ty(*result).class == Class::Index
        {
            self.sizes[result.index()] = Some(size);
        }
    }

    /// The size that a value holds: by its definition, or the symbol that stands for it.
    pub fn size_of(&self, value: Value) -> Option<Size> {
        self.sizes[value.index()].as_ref().or(self.symbols[value.index()].as_ref()).map(|s| self.settled(s))
    }

    /// The size with each symbol replaced that stands for a value of known size.
    pub fn settled(&self, size: &Size) -> Size {
        self.settle(size, MAX_CHAIN)
    }

    fn settle(&self, size: &Size, depth: u32) -> Size {
        size.substitute(&mut |sym| match self.func.symbols.get(sym).def {
            SymDef::Value(v) if depth > 0 => match &self.sizes[v.index()] {
                Some(held) => self.settle(held, depth - 1),
                None => Size::sym(sym),
            },
            _ => Size::sym(sym),
        })
    }

    /// What a size of a receiving tuple is when it is given these values; both tuples have one length.
    pub fn received(&self, size: &Size, receiving: &[Value], given: &[Value]) -> Size {
        let size = size.substitute(&mut |sym| {
            let position = match self.func.symbols.get(sym).def {
                SymDef::Value(v) => receiving.iter().position(|r| *r == v),
                _ => None,
            };
            position.and_then(|p| self.size_of(given[p])).unwrap_or(Size::sym(sym))
        });
        self.settled(&size)
    }
}
