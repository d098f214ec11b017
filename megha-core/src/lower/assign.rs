//! Assignments: of whole variables, and of parts of arrays.

use super::env::Binding;
use super::facts::Facts;
use super::grow::Given;
use super::index::{Purpose, Subs};
use super::{Lower, Lowered, Operand};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Class, Op, Size, Type, Value};
use crate::matlab::ast::{Access, AccessKind, BinaryOp, Expr, ExprKind, LValue, Stmt};
use crate::matlab::print_expression;
use crate::matlab::walk::{self, Visitor};
use crate::source::Span;

impl Lower<'_> {
    /// `x = e`, `x(i) = e`, `x += e`
    pub fn assign(&mut self, target: &LValue, op: Option<BinaryOp>, value: &Expr, stmt: &Stmt) -> Lowered<()> {
        if let Some(args) = super::delete::deletion(target, value).filter(|_| op.is_none()) {
            self.delete(target, args)?;
            return self.display_assigned(target, stmt);
        }
        let masked = self.stores_through_mask(target);
        let outer = std::mem::replace(&mut self.masked_store, masked);
        let operand = self.expr_or_choice(value);
        self.masked_store = outer;
        let mut operand = operand?;
        if let Some(op) = op {
            let old = self.read_place(target)?;
            let Operand::Value(new) = operand else {
                return self.stop(Code::TextValue, value.span, "a text cannot be added to a variable");
            };
            operand = Operand::Value(self.binary_op(op, old, new, stmt.span)?);
        }
        let outer = std::mem::replace(&mut self.replaced_store, op.is_some() || reads_place(value, target));
        let stored = self.assign_operand(target, operand, stmt.span);
        self.replaced_store = outer;
        stored?;
        self.display_assigned(target, stmt)
    }

    /// Displays a variable that a statement without `;` has assigned.
    pub fn display_assigned(&mut self, target: &LValue, stmt: &Stmt) -> Lowered<()> {
        match self.env.get(&target.name.text).cloned() {
            Some(Binding::Is(operand)) if stmt.prints && super::structs::field_of(&target.name.text).is_none() => {
                self.display(&target.name.text, &operand, stmt.span)
            }
            None | Some(Binding::Is(_)) if stmt.prints => self.struct_refused(stmt.span),
            _ => Ok(()),
        }
    }

    /// Whether the only subscript of an assignment's target is a variable that holds a mask.
    fn stores_through_mask(&self, target: &LValue) -> bool {
        let [access] = target.accesses.as_slice() else { return false };
        let AccessKind::Paren(args) = &access.kind else { return false };
        let [Expr { kind: ExprKind::Ident(name), .. }] = args.as_slice() else { return false };
        matches!(self.env.get(name), Some(Binding::Is(Operand::Value(v))) if self.class(*v) == Class::Logical)
    }

    /// The value of an assignment's target before the assignment, for `x += e`.
    fn read_place(&mut self, target: &LValue) -> Lowered<Value> {
        let Operand::Value(whole) = self.name(&target.name.text, target.name.span)? else {
            return self.stop(Code::TextValue, target.span, "this is not a number");
        };
        match target.accesses.as_slice() {
            [] => Ok(whole),
            [access] => match &access.kind {
                AccessKind::Paren(args) => self.index(whole, args, target.span),
                _ => self.not_paren(target),
            },
            _ => self.not_paren(target),
        }
    }

    fn not_paren<T>(&mut self, target: &LValue) -> Lowered<T> {
        let cell = target.accesses.iter().any(|a| matches!(a.kind, AccessKind::Brace(_)));
        if cell {
            return self.cells_refused(target.span);
        }
        self.report(
            Diagnostic::error(Code::Struct, target.span, "arrays of structs are not supported")
                .help("use one array for each field"),
        )
    }

    /// Gives the target a value.
    pub fn assign_operand(&mut self, target: &LValue, operand: Operand, span: Span) -> Lowered<()> {
        if let Some(target) = self.known_target(target)? {
            return self.assign_operand(&target, operand, span);
        }
        let name = &target.name.text;
        self.may_have_fields(name, target.span)?;
        let args = match target.accesses.as_slice() {
            [] => {
                if let Operand::Value(value) = &operand
                    && self.is_nameless(*value)
                {
                    self.give_name(*value, name);
                }
                self.env.bind(name, operand, target.span);
                return Ok(());
            }
            [access] => match &access.kind {
                AccessKind::Paren(args) => args,
                AccessKind::Brace(_) => return self.store_in_list(target, operand, span),
                _ => return self.not_paren(target),
            },
            [Access { kind: AccessKind::Brace(_), .. }, ..] => return self.store_in_list(target, operand, span),
            _ => return self.not_paren(target),
        };
        if let (Some(Binding::Is(Operand::List(list))), Operand::List(value)) = (self.env.get(name), &operand) {
            let (list, value) = (list.clone(), value.clone());
            return self.store_part_of_list(target, list, args, value, span);
        }
        let value = match (self.characters_of(&operand, span)?, operand) {
            (Some(codes), _) => codes,
            (None, Operand::Value(value)) => value,
            (None, Operand::List(_)) => return self.cells_refused(span),
            (None, _) => {
                return self.report(
                    Diagnostic::error(Code::FunctionValue, span, "a function cannot be stored in an array")
                        .help(super::concat::CALL_HELP),
                );
            }
        };
        let array = match self.env.get(name) {
            None => {
                self.grows(name, true);
                let class = self.class(value);
                let none = self.filled(0.0, class, vec![Size::constant(0), Size::constant(0)]);
                if self.facts(value).characters { self.as_characters(none) } else { none }
            }
            Some(_) => match self.name(name, target.name.span)? {
                Operand::Value(array) => array,
                operand => match self.characters_of(&operand, target.span)? {
                    Some(codes) => codes,
                    None => return self.stop(Code::FunctionValue, target.span, "a function has no elements"),
                },
            },
        };
        let stored = self.store(name, array, args, value, target.span)?;
        let stored = self.keep_text(array, stored, target.span)?;
        self.give_name(stored, name);
        let first = self.env.span(name).unwrap_or(target.span);
        self.env.set_value(name, stored, first);
        Ok(())
    }

    /// A text stays a text and numbers stay numbers, whatever is stored.
    fn keep_text(&mut self, array: Value, stored: Value, span: Span) -> Lowered<Value> {
        let text = self.facts(array).characters;
        if text == self.facts(stored).characters {
            return Ok(stored);
        }
        let zero = self.number(0.0);
        let copy = self.binary(crate::ir::Binary::Add, stored, zero, "indexed assignment", span)?;
        Ok(if text { self.as_characters(copy) } else { copy })
    }

    /// The array with some elements replaced.
    fn store(&mut self, name: &str, array: Value, args: &[Expr], value: Value, span: Span) -> Lowered<Value> {
        if args.is_empty() {
            let error = Diagnostic::error(Code::Unsupported, span, "an assignment to no subscript is an error");
            return self.report(error.help(format!("write `{name}(:)` for all elements, `{name}` for the variable")));
        }
        let (mut array, value) = self.store_class(array, value, span)?;
        let ty = self.builder.func.ty(array);
        let rank = ty.ndims();
        // Subscripts 1 behind the last dimension of an array that is not to be made yet.
        let made = rank >= 2 && ty.numel().as_constant() != Some(0);
        let args = match args.split_at_checked(rank) {
            Some((args, further)) if made && further.iter().all(is_one) => args,
            _ => args,
        };
        // Fewer subscripts than dimensions: the last one runs over several, and nothing grows.
        let folded = if args.len() < rank { self.with_rank(array, args.len(), span)? } else { array };
        let mut given = self.subscript_values(folded, args)?;
        if folded == array {
            given = self.numbers_for_masks(name, array, given, span);
        }
        if folded == array
            && let Some(grown) = self.grown(name, array, &given, value, span)?
        {
            array = grown;
        }
        let original = self.builder.func.ty(array).clone();
        if original.is_scalar() {
            return self.store_scalar(array, &given, value, span);
        }
        // No store enlarges the array along what is left behind its last dimension.
        self.only_ones(&original, args, &given, span)?;
        let within = args.len().min(original.ndims());
        let (args, given) = (&args[..within], &given[..within]);
        let shaped = if folded == array { array } else { self.with_rank(array, args.len(), span)? };
        let subs = self.subscripts_of(shaped, args, given, Purpose::Store)?;
        if let Some(mask) = subs.mask.filter(|mask| self.is_scalar(value) && self.covers(*mask, array)) {
            return Ok(self.store_masked(array, mask, value, span));
        }
        let value = self.stored_value(value, &subs, span)?;
        let ty = self.builder.func.ty(shaped).clone();
        let (old, new) = (self.facts(array), self.facts(value));
        let facts = Facts {
            nonnegative: old.nonnegative && new.nonnegative,
            integral: old.integral && new.integral,
            ..Facts::default()
        };
        let before = self.here(span);
        let op = Op::Store { array: shaped, subs: subs.subs, value, checked: subs.checked };
        let mut result = self.emit(op, ty.clone(), facts.clone());
        if ty != original {
            result = self.emit(Op::Reshape(result), original, facts);
        }
        self.builder.set_loc(before);
        Ok(result)
    }

    /// The array keeps its class and the value is converted; but a real array becomes complex, and Octave makes a double array
    /// of a logical one that gets a number of class `single`.
    fn store_class(&mut self, array: Value, value: Value, span: Span) -> Lowered<(Value, Value)> {
        let class = match (self.class(array), self.class(value)) {
            (Class::Logical, Class::Single) => Class::Double,
            (Class::Logical | Class::Double, Class::Complex) => Class::Complex,
            (old, _) => old,
        };
        let value = match class {
            Class::Logical => self.tested_logical(value, span)?,
            _ => self.convert(value, class),
        };
        Ok((self.convert(array, class), value))
    }

    /// `x(1) = v` of a scalar is `x = v`. What can enlarge it has done so, so other subscripts are out of bounds.
    fn store_scalar(&mut self, array: Value, given: &Given, value: Value, span: Span) -> Lowered<Value> {
        if let [Some(mask)] = given[..]
            && self.class(mask) == Class::Logical
            && self.is_scalar(mask)
            && !self.is_scalar(value)
        {
            // `x(x < 3) = f(x(x < 3))`: what is not selected has no elements.
            let mut selected = |this: &mut Self| this.store_scalar(array, &[None], value, span).map(|v| vec![v]);
            let made = self.either(mask, &mut selected, &mut |_| Ok(vec![array]), span)?;
            return Ok(made[0]);
        }
        let number = |this: &Self, v: Value| this.is_scalar(v) && this.class(v) != Class::Logical;
        let value = self.only_element(value, "indexed assignment", span);
        if self.is_scalar(value) && given.iter().all(|v| v.is_none_or(|v| number(self, v))) {
            for subscript in given.iter().flatten() {
                self.must_be_one(*subscript, span)?;
            }
            return Ok(value);
        }
        if let [Some(mask)] = given[..]
            && self.class(mask) == Class::Logical
            && self.is_scalar(mask)
            && self.is_scalar(value)
        {
            // Where the mask is false nothing is stored.
            return Ok(self.emit(Op::Select(mask, value, array), Type::scalar(self.class(value)), Facts::default()));
        }
        self.report(
            Diagnostic::error(Code::Growth, span, "this assignment would make a scalar grow into an array")
                .help("create the array with its final size first, for example with zeros(..)"),
        )
    }

    /// The value in the sizes that the subscripts select (dimensions of size one aside).
    fn stored_value(&mut self, value: Value, subs: &Subs, span: Span) -> Lowered<Value> {
        let target: Vec<Size> = match &subs.matrix {
            Some(dims) => dims.clone(),
            None => subs.lens.clone(),
        };
        let single = target.iter().all(Size::is_one);
        let value = if single { self.only_element(value, "indexed assignment", span) } else { value };
        let ty = self.builder.func.ty(value).clone();
        if ty.is_scalar() {
            return Ok(value);
        }
        let selected: Vec<&Size> = target.iter().filter(|d| !d.is_one()).collect();
        let given: Vec<&Size> = ty.dims.iter().filter(|d| !d.is_one()).collect();
        let differs = |a: &Size, b: &Size| a.sub(b).as_constant().is_some_and(|d| d != 0);
        let linear = subs.subs.len() == 1 && subs.matrix.is_none();
        if linear && given.len() > 1 {
            // x(:) = matrix: counted columns first.
            let total = ty.numel();
            if differs(&total, selected.first().copied().unwrap_or(&Size::constant(1))) {
                return self.store_mismatch(&target, &ty, span);
            }
            let len = subs.lens[0].clone();
            self.check_same(&total, &len, "indexed assignment", span);
            let column = Type::array(ty.class, vec![len, Size::constant(1)]);
            return Ok(self.emit(Op::Reshape(value), column, Facts::default()));
        }
        // Sizes that may be one when it runs: dimension by dimension.
        let by_place = selected.len() != given.len() && !linear && target.len() == ty.dims.len();
        let (selected, given) =
            if by_place { (target.iter().collect(), ty.dims.iter().collect()) } else { (selected, given) };
        if selected.len() != given.len() || selected.iter().zip(&given).any(|(a, b)| differs(a, b)) {
            return self.store_mismatch(&target, &ty, span);
        }
        let pairs: Vec<(Size, Size)> = selected.into_iter().cloned().zip(given.into_iter().cloned()).collect();
        for (a, b) in &pairs {
            self.check_same(a, b, "indexed assignment", span);
        }
        let dims = if linear {
            ty.dims.iter().map(|d| if d.is_one() { d.clone() } else { subs.lens[0].clone() }).collect()
        } else {
            target
        };
        let wanted = Type::array(ty.class, dims);
        if wanted == ty {
            return Ok(value);
        }
        let facts = Facts { progression: None, ..self.facts(value) };
        Ok(self.emit(Op::Reshape(value), wanted, facts))
    }

    fn store_mismatch<T>(&mut self, target: &[Size], ty: &Type, span: Span) -> Lowered<T> {
        let (a, b) = (self.dims_text(target), self.dims_text(&ty.dims));
        self.report(Diagnostic::error(
            Code::SizeMismatch,
            span,
            format!("this assignment stores {b} into a part of size {a}"),
        ))
    }
}

/// Whether a subscript is written `1` or `:`.
fn is_one(subscript: &Expr) -> bool {
    matches!(subscript.kind, ExprKind::Colon | ExprKind::Number { value: 1.0, imaginary: false })
}

/// Whether an expression reads the part of an array that is the target of its assignment.
fn reads_place(value: &Expr, target: &LValue) -> bool {
    let [Access { kind: AccessKind::Paren(subscripts), .. }] = target.accesses.as_slice() else { return false };
    let texts = |list: &[Expr]| list.iter().map(print_expression).collect::<Vec<_>>();
    let mut reads = Reads { name: &target.name.text, subscripts: texts(subscripts), found: false };
    walk::expr(value, &mut reads);
    reads.found
}

struct Reads<'e> {
    name: &'e str,
    subscripts: Vec<String>,
    found: bool,
}

impl Visitor for Reads<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Apply { callee, args } = &expr.kind
            && matches!(&callee.kind, ExprKind::Ident(name) if name == self.name)
        {
            self.found |= args.iter().map(print_expression).eq(self.subscripts.iter().cloned());
        }
    }
}
