//! Matrices that may turn out to be one row or one column: MATLAB then combines, searches and reads them as vectors.
//!
//! Of the sizes of inputs a program is taken at its word: a matrix is a matrix, and one row is an error where it would mean
//! something else. Sizes that come out of the program's own computing (counts, joins, loop counters: *loose* ones) are one often
//! enough, `rows = M(find(..), :)`. Calls that depend on the orientation of such a matrix are then compiled for both cases.

use super::facts::Facts;
use super::index::Subs;
use super::sizes::Proven;
use super::{Lower, Lowered, Operand, builtin};
use crate::ir::{Binary, Class, Op, Size, Sub, SymDef, Type, Value};
use crate::matlab::ast::{Expr, ExprKind, Function};
use crate::matlab::mentions;
use crate::source::Span;

/// Builtins that combine along the first dimension whose size is not one, or give back positions as they lie.
const ORIENTED: &[&str] =
    &["sum", "prod", "max", "min", "any", "all", "mean", "norm", "cumsum", "cumprod", "sumsq", "find", "sort", "diff"];

/// Of these, those of which `[]` gives what a row without elements does: one number.
const OF_ALL: &[&str] = &["sum", "prod", "any", "all", "mean", "sumsq"];

/// The name of the variable that holds the argument meanwhile: none that a program can write.
const ARGUMENT: &str = "(argument)";

/// What is called with operands.
type Calling<'c, L> = dyn FnMut(&mut L, Vec<Operand>) -> Lowered<Vec<Operand>> + 'c;

impl Lower<'_> {
    /// Remembers a size that a program has computed.
    pub fn loosen(&mut self, size: &Size) {
        self.loose.extend(size.as_sym());
    }

    /// Whether a size depends on what the program computed.
    pub fn is_loose(&self, size: &Size) -> bool {
        size.symbols().any(|s| {
            self.loose.contains(&s)
                || match &self.builder.func.symbols.get(s).def {
                    SymDef::Dim(..) | SymDef::Value(_) => false,
                    SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                        self.is_loose(a) || self.is_loose(b)
                    }
                }
        })
    }

    /// Whether a size is known not to be one where the current statement stands.
    fn never_one(&self, size: &Size) -> bool {
        let known = |proven: &Proven| matches!(proven, Proven::NotOne(s) if s == size);
        size.as_constant().is_some_and(|d| d != 1)
            || self.never_negative(&size.add_const(-2))
            || self.proven.iter().any(known)
    }

    /// Whether a matrix may be a row of several elements, as far as the types say.
    fn may_be_row(&self, ty: &Type) -> bool {
        let [rows, columns] = ty.dims.as_slice() else { return false };
        !rows.is_one() && !columns.is_one() && !self.never_one(rows) && !self.same_size(rows, columns)
    }

    /// Whether a matrix may be zero by zero, as far as the types say.
    fn may_be_empty(&self, ty: &Type) -> bool {
        ty.dims.len() == 2 && !ty.dims.iter().any(|d| self.never_negative(&d.add_const(-1)))
    }

    /// Tests at run time that an array whose first long dimension may be one is not then longer along another.
    pub fn never_one_row(&mut self, ty: &Type, text: &str) {
        let Some(axis) = ty.dims.iter().position(|d| !d.is_one()) else { return };
        let others = ty.dims.iter().skip(axis + 1).fold(Size::constant(1), |n, d| n.mul(d));
        self.never_alone(&ty.dims[axis], &others, text);
    }

    /// Tests at run time that the first of two sizes is not one where the second is not.
    pub fn never_alone(&mut self, size: &Size, other: &Size, text: &str) {
        if self.never_one(size) || other.is_one() || self.same_size(size, other) {
            return;
        }
        let fine = self.is_never_vector(size, other);
        self.builder.effect(Op::Assert(fine, text.into()));
    }

    /// Whether the first of two sizes is not one, or both are.
    fn is_never_vector(&mut self, size: &Size, other: &Size) -> Value {
        let (single, rest) = (self.is_one(size), self.is_one(other));
        let long = self.not(single);
        self.emit(Op::Binary(Binary::Or, long, rest), self.builder.func.ty(rest).clone(), Facts::default())
    }

    /// Calls a builtin for both orientations of its first argument; `None` if it has only one, or does not matter.
    pub fn builtin_by_orientation(
        &mut self,
        name: &str,
        args: &[Expr],
        span: Span,
        wanted: usize,
    ) -> Lowered<Option<Vec<Operand>>> {
        let alone = args.len() == 1 || (matches!(name, "find" | "sort" | "norm") && args.len() > 1);
        if !alone || self.loose.is_empty() || !ORIENTED.contains(&name) {
            return Ok(None);
        }
        let operand = self.expr(&args[0])?;
        let outer = self.env.get(ARGUMENT).cloned();
        let mut args = args.to_vec();
        args[0].kind = ExprKind::Ident(ARGUMENT.to_owned());
        let of_all = OF_ALL.contains(&name);
        let results = self.by_orientation_or_empty(vec![operand], wanted, span, of_all, &mut |this, mut operands| {
            this.env.set(ARGUMENT, super::env::Binding::Is(operands.swap_remove(0)), span);
            builtin::call_as_it_lies(this, name, &args, span, wanted)
        });
        match outer {
            Some(binding) => self.env.set(ARGUMENT, binding, span),
            None => self.env.remove(ARGUMENT),
        }
        results.map(Some)
    }

    /// A call of a function of the prelude, for both orientations if it asks how its first argument lies.
    pub fn prelude_by_orientation(
        &mut self,
        function: &'static Function,
        args: Vec<Operand>,
        span: Span,
        wanted: usize,
    ) -> Lowered<Vec<Operand>> {
        let asks = || {
            let mentioned = mentions::of_function(function);
            mentioned.contains("default_dimension") || mentioned.contains("is_row_type")
        };
        if self.loose.is_empty() || !asks() {
            return self.call_function(function, args, span, wanted);
        }
        self.by_orientation(args, wanted, span, &mut |this, args| this.call_function(function, args, span, wanted))
    }

    /// What a call gives, for both orientations of the first argument if that may be one row.
    pub fn by_orientation(
        &mut self,
        operands: Vec<Operand>,
        wanted: usize,
        span: Span,
        call: &mut Calling<'_, Self>,
    ) -> Lowered<Vec<Operand>> {
        self.by_orientation_or_empty(operands, wanted, span, false, call)
    }

    /// The same, where `[]` counts as a row if it is `of_all` elements that the call gives one number.
    fn by_orientation_or_empty(
        &mut self,
        operands: Vec<Operand>,
        wanted: usize,
        span: Span,
        of_all: bool,
        call: &mut Calling<'_, Self>,
    ) -> Lowered<Vec<Operand>> {
        let Some(Operand::Value(array)) = operands.first() else { return call(self, operands) };
        let (array, ty) = (*array, self.builder.func.ty(*array).clone());
        let or_empty = of_all && self.may_be_empty(&ty);
        if !(self.may_be_row(&ty) || or_empty) || !ty.dims.iter().any(|d| self.is_loose(d)) {
            return call(self, operands);
        }
        let mut single = self.is_one(&ty.dims[0]);
        if or_empty {
            let (any, none) = (self.index_value(&ty.dims[0].add(&ty.dims[1])), self.builder.int(0));
            let truth = Type::scalar(Class::Logical);
            let empty = self.emit(Op::Binary(Binary::Eq, any, none), truth.clone(), Facts::default());
            single = self.emit(Op::Binary(Binary::Or, single, empty), truth, Facts::default());
        }
        let call = std::cell::RefCell::new(call);
        let values = |this: &mut Self, operands: Vec<Operand>| {
            let results = (call.borrow_mut())(this, operands)?;
            let value = |operand: Operand| if let Operand::Value(v) = operand { Ok(v) } else { Err(super::Stop) };
            results.into_iter().take(wanted.max(1)).map(value).collect()
        };
        let results = self.either(
            single,
            &mut |this| {
                let mut operands = operands.clone();
                operands[0] = Operand::Value(this.as_row(array, &ty));
                values(this, operands)
            },
            &mut |this| {
                this.proven.push(Proven::NotOne(ty.dims[0].clone()));
                values(this, operands.clone())
            },
            span,
        )?;
        Ok(results.into_iter().map(Operand::Value).collect())
    }

    fn as_row(&mut self, array: Value, ty: &Type) -> Value {
        let row = Type::array(ty.class, vec![Size::constant(1), ty.dims[1].clone()]);
        let facts = Facts { progression: None, ..self.facts(array) };
        self.emit(Op::Reshape(array), row, facts)
    }

    /// The sizes of `array(sub)`: of a vector's orientation if the array is a vector, of the subscript's otherwise.
    pub fn linear_dims(&mut self, array: &Type, subs: &Subs) -> Vec<Size> {
        let one = Size::constant(1);
        let len = subs.lens[0].clone();
        if let Some(dims) = &subs.matrix {
            return dims.clone();
        }
        match &subs.subs[0] {
            Sub::All => vec![len, one],
            Sub::At(_) => vec![one.clone(), one],
            Sub::Vector(sub) => {
                let row = self.builder.func.ty(*sub).dim(0).is_one();
                self.dims_as_lies(array, len, row)
            }
            Sub::Range { .. } => self.dims_as_lies(array, len, true),
        }
    }

    /// The sizes of so many elements of an array at subscripts that are a row or a column.
    fn dims_as_lies(&mut self, array: &Type, len: Size, row: bool) -> Vec<Size> {
        let one = Size::constant(1);
        let lying = |row: bool| if row { vec![one.clone(), len.clone()] } else { vec![len.clone(), one.clone()] };
        let [rows, columns] = array.dims.as_slice() else { return lying(row) };
        if columns.is_one() || rows.is_one() {
            return lying(rows.is_one());
        }
        // Only a vector that lies in the other way changes anything.
        let (across, along) = if row { (columns, rows) } else { (rows, columns) };
        if self.never_one(across) || self.same_size(across, along) || len.is_one() || self.masked_store {
            return lying(row);
        }
        if !self.is_loose(across) && !self.is_loose(along) {
            let fine = self.is_never_vector(across, along);
            let text = "elements of a matrix lie as the subscripts do, but those of one row or column as that does";
            self.builder.effect(Op::Assert(fine, text.into()));
            return lying(row);
        }
        let fine = self.is_never_vector(across, along);
        let (own, other) = (lying(row), lying(!row));
        (0..2).map(|axis| self.size_if(fine, &own[axis], &other[axis])).collect()
    }
}
