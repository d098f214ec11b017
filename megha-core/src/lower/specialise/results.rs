//! The results of a specialisation: their types in terms of the arguments' sizes.
//!
//! A size that is one of the arguments' sizes, or a constant, is the same for caller and callee. Any other is free: as where
//! control joins (`lower::form`), it is returned as an `Index` before the result whose size it is.

use super::arguments::Passed;
use crate::diag::{Code, Diagnostic};
use crate::ir::{FuncId, Op, Size, Stmt, SymDef, Value};
use crate::lower::env::Binding;
use crate::lower::facts::Facts;
use crate::lower::form::Shape;
use crate::lower::{Lower, Lowered, Operand, Stop};
use crate::matlab::ast::Function;

impl Lower<'_> {
    /// The shapes of a function's results, joined with what was assumed of them.
    pub(super) fn result_shapes(
        &mut self,
        function: &Function,
        values: &[Value],
        sizes: usize,
        assumed: Option<&[Shape]>,
    ) -> Lowered<Vec<Shape>> {
        // Other symbols mean nothing to a caller, and of sums it could not be sure that the array is none of one element.
        let shared = |size: &Size| size.as_constant().is_some() || size.as_sym().is_some_and(|s| s.index() < sizes);
        let found = values.iter().map(|v| Shape::of(self.builder.func.ty(*v), shared)).collect::<Vec<_>>();
        let Some(assumed) = assumed else { return Ok(found) };
        let joined: Option<Vec<Shape>> = assumed.iter().zip(&found).map(|(a, b)| a.join(b)).collect();
        match joined {
            Some(joined) if assumed.len() == found.len() => Ok(joined),
            _ => self.report(unsettled(function)),
        }
    }

    /// The values that a function returns for a result of this shape: its free sizes, and the result.
    pub(super) fn returned_values(&mut self, value: Value, shape: &Shape) -> Lowered<Vec<Value>> {
        let mut values = self.carry(Some(&Binding::Is(Operand::Value(value))), shape).ok_or(Stop)?;
        let array = values.pop().ok_or(Stop)?;
        let mut ty = self.builder.func.ty(array).clone();
        let dims = ty.dims.iter_mut().zip(shape.sizes());
        for ((dim, _), index) in dims.filter(|(_, size)| size.is_none()).zip(&values) {
            *dim = self.own_symbol(dim, *index);
        }
        let fits = *self.builder.func.ty(array) == ty;
        values.push(if fits { array } else { self.emit(Op::Reshape(array), ty, Facts::default()) });
        Ok(values)
    }

    /// The symbol of the value that holds a size.
    fn own_symbol(&mut self, size: &Size, index: Value) -> Size {
        let def = size.as_sym().map(|s| &self.builder.func.symbols.get(s).def);
        if def == Some(&SymDef::Value(index)) {
            return size.clone();
        }
        self.symbol_for(index, vec![Size::constant(0)], Vec::new())
    }

    /// The call of a specialisation whose results have these shapes.
    pub(super) fn push_call(&mut self, id: FuncId, passed: Passed, shapes: &[Shape]) -> Lowered<Vec<Operand>> {
        let say = |size: &Size| size.substitute(&mut |s| passed.sizes.get(s.index()).cloned().unwrap_or_default());
        let shapes: Vec<Shape> = shapes.iter().map(|shape| shape.translated(say)).collect();
        let types = shapes.iter().flat_map(Shape::types).collect::<Vec<_>>();
        let results: Vec<Value> = types.into_iter().map(|ty| self.builder.func.new_value(ty)).collect();
        for result in &results {
            let logical = self.class(*result) == crate::ir::Class::Logical;
            self.learn(*result, Facts { nonnegative: logical, integral: logical, ..Facts::default() });
        }
        let mut next = results.iter().copied();
        let mut operands = Vec::new();
        for shape in &shapes {
            match self.receive(shape, "r", &mut next) {
                Some(Binding::Is(operand)) => operands.push(operand),
                _ => return Err(Stop),
            }
        }
        let loc = self.builder.loc();
        self.builder.push_stmt(Stmt { results, op: Op::Call(id, passed.values), loc });
        Ok(operands)
    }
}

/// The results have different types on different ways.
pub(super) fn unsettled(function: &Function) -> Diagnostic {
    let name = &function.name.text;
    let message = format!("`{name}`, which calls itself, gives results of different types on different ways");
    Diagnostic::error(Code::Recursion, function.signature, message).help("give each result one class on all ways")
}
