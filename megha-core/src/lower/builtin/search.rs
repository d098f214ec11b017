//! Where elements are and in which order: `find`, `nnz`, `sort`, and logical masks as subscripts.
//!
//! How many elements are found depends on data: they are counted first, the count gets a symbol, and the vector of their
//! positions is of that size. A scalar stored through a mask needs no positions: it is a selection, element by element.

use super::{Call, Handler, Results, value};
use crate::diag::Code;
use crate::ir::{Binary, Class, Lib, Op, ReduceOp, Size, Sub, Type, Value};
use crate::lower::facts::Facts;
use crate::lower::sizes::Proven;
use crate::lower::{Lower, Lowered, Operand};
use crate::matlab::ast::{Expr, ExprKind};
use crate::source::Span;

pub(super) const NAMES: &[&str] = &["find", "nnz", "sort"];

pub(super) fn find(name: &str) -> Option<Handler> {
    Some(match name {
        "find" => find_true,
        "nnz" => nnz,
        "sort" => sort,
        _ => return None,
    })
}

impl Lower<'_> {
    /// How many elements of a mask are true, as a size.
    pub fn true_count(&mut self, mask: Value) -> Size {
        self.counted(mask).1
    }

    /// A mask of the same elements whose true elements have been counted, and how many they are: of equal masks it is one mask and one size,
    /// so what they select of several arrays fits, and is seen to lie at the same places (`masks.rs`).
    fn counted(&mut self, mask: Value) -> (Value, Size) {
        let known = self.proven.iter().find_map(|proven| match proven {
            Proven::Count(counted, size) if self.builder.same_value(*counted, mask) => Some((*counted, size.clone())),
            _ => None,
        });
        if let Some(known) = known {
            return known;
        }
        let numel = self.builder.func.ty(mask).numel();
        let numbers = self.convert(mask, Class::Double);
        let axes: Vec<usize> = (0..self.builder.func.ty(mask).dims.len()).collect();
        let sum = self.reduce(ReduceOp::Sum, numbers, &axes);
        let count = self.builder.push(Op::Convert(sum), Type::scalar(Class::Index));
        let size = self.symbol_for(count, vec![Size::constant(0)], vec![numel]);
        self.learn(count, Facts::whole(size.clone(), true));
        self.loosen(&size);
        self.proven.push(Proven::Count(mask, size.clone()));
        (mask, size)
    }

    /// The numbers of a mask's true elements, from one: a row for a row, else a column. `lies` says whether it matters how
    /// they lie: not where elements are stored, nor in the value that is stored.
    pub fn true_positions(&mut self, mask: Value, lies: bool, span: Span) -> Value {
        let before = self.here(span);
        let (counted, count) = self.counted(mask);
        if lies && !self.masked_store {
            self.found_lie_known(mask);
        }
        let known = self.proven.iter().find_map(|proven| match proven {
            Proven::Places(of, places) if *of == counted => Some(*places),
            _ => None,
        });
        let positions = known.unwrap_or_else(|| {
            let positions = self.first_positions(counted, count);
            self.proven.push(Proven::Places(counted, positions));
            positions
        });
        self.builder.set_loc(before);
        positions
    }

    /// Tests at run time that a matrix has not one row: what is found would lie in a row.
    fn found_lie_known(&mut self, mask: Value) {
        let ty = self.builder.func.ty(mask).clone();
        if !ty.is_vector() {
            self.never_one_row(&ty, "the true elements of a matrix come as a column, but those of one row as a row");
        }
    }

    /// What is found is often one number, which element-wise work repeats.
    fn first_positions(&mut self, mask: Value, count: Size) -> Value {
        self.stretch(&count);
        let ty = self.builder.func.ty(mask).clone();
        let one = Size::constant(1);
        let row = ty.dims.len() == 2 && ty.dims[0].is_one();
        let found = Type::array(Class::Double, if row { vec![one, count] } else { vec![count, one] });
        self.emit(
            Op::Lib(Lib::Find, vec![mask]),
            found,
            Facts { nonnegative: true, integral: true, ..Facts::default() },
        )
    }

    /// `array(mask) = scalar`, where the mask [covers](Lower::covers) the array.
    pub fn store_masked(&mut self, array: Value, mask: Value, scalar: Value, span: Span) -> Value {
        let ty = self.builder.func.ty(array).clone();
        let mut mask = mask;
        // A row may mark a column.
        if self.builder.func.ty(mask).is_vector() && self.builder.func.ty(mask).dims != ty.dims {
            mask = self.emit(Op::Reshape(mask), ty.with_class(Class::Logical), Facts::default());
        }
        // Sizes that are equal may be written in two ways: the array keeps its own.
        let mask = self.recast(mask, &ty.dims);
        let (old, new) = (self.facts(array), self.facts(scalar));
        let facts = Facts {
            nonnegative: old.nonnegative && new.nonnegative,
            integral: old.integral && new.integral,
            ..Facts::default()
        };
        let before = self.here(span);
        let result = self.emit(Op::Select(mask, scalar, array), ty, facts);
        self.builder.set_loc(before);
        result
    }

    /// Whether a mask has an element for each of the array's. Another one marks elements counted columns first.
    pub fn covers(&self, mask: Value, array: Value) -> bool {
        let (mask, array) = (self.builder.func.ty(mask), self.builder.func.ty(array));
        let same = mask.dims.len() == array.dims.len();
        let same = same && mask.dims.iter().zip(&array.dims).all(|(a, b)| self.same_size(a, b));
        same || mask.is_vector() && array.is_vector() && self.same_size(&mask.numel(), &array.numel())
    }
}

/// `find(x)`, `find(x, k)`, `find(x, k, 'last')`; rows, columns and values as results.
fn find_true(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 3)?;
    let array = lower.expr_value(&call.args[0])?;
    let last = match call.args.get(2).map(|a| &a.kind) {
        None => false,
        Some(ExprKind::Str { text, .. }) if text == "first" || text == "last" => text == "last",
        Some(_) => return lower.stop(Code::Unsupported, call.span, "`find` takes 'first' or 'last' as third argument"),
    };
    let limit = match call.args.get(1) {
        Some(k) => {
            let k = lower.expr_value(k)?;
            Some(lower.whole_number(k, "the number of elements to find", call.span)?)
        }
        None => None,
    };
    let before = lower.here(call.span);
    let positions = limited_positions(lower, array, limit, last);
    let results = parts(lower, call, array, positions);
    lower.builder.set_loc(before);
    results
}

fn limited_positions(lower: &mut Lower<'_>, array: Value, limit: Option<Size>, last: bool) -> Value {
    let mask = lower.logical(array);
    let count = lower.true_count(mask);
    if lower.is_scalar(mask) {
        // 1 or an empty matrix.
        let one = lower.number(1.0);
        let ty = Type::array(Class::Double, vec![count.clone(), count]);
        return if ty.is_scalar() { one } else { lower.emit(Op::Fill(one), ty, Facts::default()) };
    }
    let ty = lower.builder.func.ty(mask).clone();
    if ty.ndims() == 2 && ty.dims.iter().all(|d| d.as_constant() == Some(0)) {
        return lower.filled(0.0, Class::Double, ty.dims);
    }
    lower.found_lie_known(mask);
    let Some(limit) = limit else { return lower.first_positions(mask, count) };
    let taken = lower.size_from(limit);
    let taken = lower.size_min(taken, count.clone());
    if !last {
        return lower.first_positions(mask, taken);
    }
    last_positions(lower, mask, taken)
}

/// The numbers of the last so many true elements: the first ones of the mask from its end, counted from there, so that what is
/// before them is not listed.
fn last_positions(lower: &mut Lower<'_>, mask: Value, taken: Size) -> Value {
    let ty = lower.builder.func.ty(mask).clone();
    let (n, one) = (ty.numel(), Size::constant(1));
    let lying = if ty.dims[0].is_one() && ty.ndims() == 2 { vec![one, n.clone()] } else { vec![n.clone(), one] };
    let line = if ty.dims == lying { mask } else { lower.retyped(mask, lying) };
    let turned = from_its_end(lower, line);
    let counted = lower.first_positions(turned, taken);
    let behind = lower.double_of_size(&n.add_const(1));
    let found = lower.builder.func.ty(counted).clone();
    let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
    let positions = lower.emit(Op::Binary(Binary::Sub, behind, counted), found, facts);
    from_its_end(lower, positions)
}

/// A vector from its last element to its first.
fn from_its_end(lower: &mut Lower<'_>, vector: Value) -> Value {
    let (ty, old) = (lower.builder.func.ty(vector).clone(), lower.facts(vector));
    let len = ty.numel();
    let sub = Sub::Range { start: lower.index_value(&len.add_const(-1)), step: -1, len };
    let facts = Facts { nonnegative: old.nonnegative, integral: old.integral, ..Facts::default() };
    lower.emit(Op::Index { array: vector, subs: vec![sub], checked: false }, ty, facts)
}

/// Positions as they are, or as rows and columns, and the values there.
fn parts(lower: &mut Lower<'_>, call: &Call<'_>, array: Value, positions: Value) -> Results {
    if call.wanted <= 1 {
        return value(positions);
    }
    let ty = lower.builder.func.ty(array).clone();
    let rows = lower.double_of_size(&ty.dim(0));
    let one = lower.number(1.0);
    let offset = lower.binary(Binary::Sub, positions, one, "`find`", call.span)?;
    let row = lower.binary(Binary::Rem, offset, rows, "`find`", call.span)?;
    let row_of = lower.binary(Binary::Add, row, one, "`find`", call.span)?;
    let above = lower.binary(Binary::Sub, offset, row, "`find`", call.span)?;
    let column = lower.binary(Binary::Div, above, rows, "`find`", call.span)?;
    let column_of = lower.binary(Binary::Add, column, one, "`find`", call.span)?;
    let mut results = vec![Operand::Value(row_of), Operand::Value(column_of)];
    if call.wanted > 2 {
        let found = lower.builder.func.ty(positions).with_class(ty.class);
        let values = if ty.is_scalar() {
            lower.emit(Op::Fill(array), found, Facts::default())
        } else {
            let subs = vec![Sub::Vector(positions)];
            lower.emit(Op::Index { array, subs, checked: false }, found, Facts::default())
        };
        results.push(Operand::Value(values));
    }
    Ok(results)
}

fn nnz(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 1)?;
    let array = call.values(lower)?[0];
    let before = lower.here(call.span);
    let mask = lower.logical(array);
    let count = lower.true_count(mask);
    lower.builder.set_loc(before);
    value(lower.double_of_size(&count))
}

/// `sort(x)`, `sort(x, dim)`, `sort(x, dim, 'descend')`; the second result says where each element was.
fn sort(lower: &mut Lower<'_>, call: &Call<'_>) -> Results {
    call.arity(lower, 1, 3)?;
    let operand = lower.expr(&call.args[0])?;
    let array = match lower.characters_of(&operand, call.args[0].span)? {
        Some(codes) => codes,
        None => lower.operand_value(operand, call.args[0].span)?,
    };
    let ty = lower.builder.func.ty(array).clone();
    let (axis, descending) = sort_options(lower, call, &ty)?;
    if ty.is_scalar() {
        let one = lower.number(1.0);
        return Ok([array, one].into_iter().take(call.wanted.max(1)).map(Operand::Value).collect());
    }
    if lower.is_complex(array) {
        let (dimension, sign) = (lower.number((axis + 1) as f64), lower.number(if descending { -1.0 } else { 1.0 }));
        return lower.call_inner("complex_sort", vec![array, dimension, sign], call.span, call.wanted);
    }
    let before = lower.here(call.span);
    let along = lower.builder.int(axis as i64);
    let direction = lower.truth_constant(descending);
    let old = lower.facts(array);
    let Facts { nonnegative, integral, characters, .. } = old;
    let facts = Facts { nonnegative, integral, characters, ..Facts::default() };
    let sorted = lower.emit(Op::Lib(Lib::Sort, vec![array, along, direction]), ty.clone(), facts);
    let mut results = vec![Operand::Value(sorted)];
    if call.wanted > 1 {
        let facts = Facts { nonnegative: true, integral: true, ..Facts::default() };
        let places = ty.with_class(Class::Double);
        let index = lower.emit(Op::Lib(Lib::SortIndex, vec![array, along, direction]), places, facts);
        results.push(Operand::Value(index));
    }
    lower.builder.set_loc(before);
    Ok(results)
}

fn sort_options(lower: &mut Lower<'_>, call: &Call<'_>, ty: &Type) -> Lowered<(usize, bool)> {
    let (mut axis, mut descending) = (None, false);
    for arg in &call.args[1..] {
        match direction(arg) {
            Some(down) => descending = down,
            None => axis = Some(lower.axis_argument(arg)?),
        }
    }
    let axis = match axis {
        Some(axis) => axis,
        None => lower.default_axis(ty),
    };
    Ok((axis, descending))
}

/// Whether a text asks for descending order.
fn direction(arg: &Expr) -> Option<bool> {
    let ExprKind::Str { text, .. } = &arg.kind else { return None };
    match text.to_ascii_lowercase().as_str() {
        "ascend" => Some(false),
        "descend" => Some(true),
        _ => None,
    }
}
