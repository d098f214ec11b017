//! Arrays that exchange their contents: `std::mem::swap`.
//!
//! An array is a value of the IR, so two names exchange values and nothing is copied. What is exchanged has one type, and with it one shape:
//! of parameters that is a condition of the entry, and their sizes are the same symbols.

use super::ast::{Block, Child, Function, Ident, Stmt, StmtKind};
use super::lower::Lower;
use crate::ir::Size;

impl Lower<'_> {
    /// For each parameter the first one that it has to have the shape of, as it is exchanged with that or with others of it.
    pub(super) fn find_shared_shapes(&mut self, function: &Function) {
        let mut pairs = Vec::new();
        swaps(&function.body, &mut pairs);
        let mut first: Vec<usize> = (0..function.params.len()).collect();
        for (a, b) in pairs {
            let [a, b] = [a, b].map(|name| self.types.variable(name.span));
            if let (Some(x), Some(y)) = (first.get(a).copied(), first.get(b).copied()) {
                first.iter_mut().filter(|of| **of == x.max(y)).for_each(|of| *of = x.min(y));
            }
        }
        self.shapes = first;
    }

    /// The sizes of a parameter: those of the one that it has to have the shape of.
    pub(super) fn shared_shape(&mut self, number: usize, own: Vec<Size>) -> Vec<Size> {
        let first = self.shapes.get(number).copied().unwrap_or(number);
        if first == number {
            return own;
        }
        let other = self.extents[&first].clone();
        for (x, y) in own.iter().zip(&other) {
            self.entry.extend([x.sub(y), y.sub(x)]);
        }
        other
    }

    pub(super) fn swap(&mut self, a: &Ident, b: &Ident) {
        let [first, second] = [a, b].map(|name| self.types.variable(name.span));
        let (x, y) = (self.env[&first], self.env[&second]);
        // One that is a single element is held in a longer array.
        let one = |number| self.dims.get(&number).is_some_and(|dims: &Vec<Size>| dims.iter().all(Size::is_one));
        let alike = self.builder.func.ty(x) == self.builder.func.ty(y) && one(first) == one(second);
        if !alike {
            let message = "whether the arrays that are exchanged here have one shape is not known".to_owned();
            self.refuse(b.span, message, "make them by the same sizes, or exchange their elements in a loop");
            return;
        }
        self.assign(first, y);
        self.assign(second, x);
    }
}

/// Whether a function exchanges arrays.
pub(super) fn is_in(function: &Function) -> bool {
    let mut pairs = Vec::new();
    swaps(&function.body, &mut pairs);
    !pairs.is_empty()
}

/// What is exchanged in a block.
pub(super) fn swaps<'f>(block: &'f Block, found: &mut Vec<(&'f Ident, &'f Ident)>) {
    let mut within = |stmt: &'f Stmt| {
        if let StmtKind::Swap(a, b) = &stmt.kind {
            found.push((a, b));
        }
        stmt.children(&mut |child| match child {
            Child::Block(block) => swaps(block, found),
            Child::Expr(_) => {}
        });
    };
    block.stmts.iter().for_each(&mut within);
}
