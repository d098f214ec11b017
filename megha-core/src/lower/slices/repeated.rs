//! Tests that sizes are equal where both are made of equal numbers: `A_row(i) + 1:A_row(i + 1)`, written twice, is as long both times.

use super::Made;
use crate::hash::HashMap;
use crate::ir::{Func, Kind, Op, Region, Size, Sub, Sym, SymDef, Value};

/// Drops such tests of a region.
pub(super) fn drop_tests(func: &Func, made: &HashMap<Value, Made>, region: &mut Region) {
    let mut numbers = Numbers { func, made, first: HashMap::default(), same: HashMap::default() };
    region.map_regions(&mut |region| {
        region.stmts.retain(|stmt| {
            let Op::SameSize(a, b, _) = &stmt.op else { return true };
            !numbers.are_same(a, b)
        });
    });
}

/// Values that are equal by how they are made.
struct Numbers<'f> {
    func: &'f Func,
    made: &'f HashMap<Value, Made>,
    /// The first value that is made so of such first values.
    first: HashMap<Op, Value>,
    /// The first value that each is equal to.
    same: HashMap<Value, Value>,
}

impl Numbers<'_> {
    fn are_same(&mut self, a: &Size, b: &Size) -> bool {
        self.size(a) == self.size(b)
    }

    /// The size in symbols of first values.
    fn size(&mut self, size: &Size) -> Size {
        size.substitute(&mut |sym| self.symbol(sym))
    }

    fn symbol(&mut self, sym: Sym) -> Size {
        let symbols = &self.func.symbols;
        let new = match &symbols.get(sym).def {
            SymDef::Dim(..) => return Size::sym(sym),
            SymDef::Value(value) => SymDef::Value(self.number(*value)),
            SymDef::Max(a, b) => SymDef::Max(self.size(a), self.size(b)),
            SymDef::Min(a, b) => SymDef::Min(self.size(a), self.size(b)),
            SymDef::FloorDiv(a, b) => SymDef::FloorDiv(self.size(a), self.size(b)),
        };
        let known = symbols.iter().find(|(_, data)| data.def == new).map(|(sym, _)| sym);
        Size::sym(known.unwrap_or(sym))
    }

    /// The first value that is made as this one. Elements of an array are those of this state of it.
    fn number(&mut self, value: Value) -> Value {
        if let Some(same) = self.same.get(&value) {
            return *same;
        }
        let op = self.made.get(&value).map(|made| &made.op).filter(|_| self.func.ty(value).is_scalar());
        let is_element = |subs: &[Sub]| subs.iter().all(|sub| matches!(sub, Sub::At(_)));
        let first = match op {
            Some(op @ Op::Index { subs, .. }) if is_element(subs) => self.first_of(op.clone(), value),
            Some(op) if matches!(op.kind(), Kind::Scalar | Kind::Elementwise) => self.first_of(op.clone(), value),
            _ => value,
        };
        self.same.insert(value, first);
        first
    }

    fn first_of(&mut self, mut op: Op, value: Value) -> Value {
        op.for_each_operand_mut(&mut |operand| *operand = self.number(*operand));
        op.for_each_size_mut(&mut |size| *size = self.size(size));
        let first = *self.first.entry(op).or_insert(value);
        // The same operation gives numbers of several classes.
        if self.func.ty(first) == self.func.ty(value) { first } else { value }
    }
}
