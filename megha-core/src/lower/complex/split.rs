//! The split: every complex value becomes two `Double` values, its real and its imaginary part.
//!
//! Lowering has expressed all arithmetic by parts, so what is left moves numbers: such an operation is done twice, once for
//! each part. Region parameters, results and the values of terminators become pairs in place. `Complex` and `Part` vanish:
//! they only say which values belong together. An operation that neither moves numbers nor has been expressed by parts is
//! reported; this is how a function without a complex form is refused.

use crate::diag::{Code, Diagnostic};
use crate::hash::HashMap;
use crate::ir::{Class, Func, Loc, Op, Param, Part, Region, Stmt, Terminator, Value, Walk};
use crate::lower::SpanTable;

/// An operation on complex numbers that has no form by parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub loc: Loc,
    /// The operation, in words.
    pub what: String,
}

impl Refused {
    /// The message.
    pub fn diagnostic(&self, spans: &SpanTable) -> Diagnostic {
        let span = spans.span(self.loc).unwrap_or_default();
        let message = format!("{} of complex numbers is not supported", self.what);
        Diagnostic::error(Code::Complex, span, message).help("use the parts real(..), imag(..), or abs(..)")
    }
}

/// Splits all complex values of a function.
///
/// # Errors
/// The operations that complex numbers do not have; the function is of no use then.
pub fn run(func: &mut Func) -> Result<(), Vec<Refused>> {
    if func.types.iter().chain(&func.results).all(|ty| ty.class != Class::Complex) {
        return Ok(());
    }
    let body = std::mem::take(&mut func.body);
    split_head(func);
    let mut split = Split { func, pairs: HashMap::default(), same: HashMap::default(), refused: Vec::new() };
    let body = split.region(body);
    let (refused, pairs) = (split.refused, split.pairs);
    func.body = body;
    split_params(func, &pairs);
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

/// Result names and types; symbols that name a parameter by its number.
fn split_head(func: &mut Func) {
    let (names, types) = (std::mem::take(&mut func.result_names), std::mem::take(&mut func.results));
    for (name, ty) in names.into_iter().zip(types) {
        if ty.class == Class::Complex {
            for part in [Part::Real, Part::Imag] {
                func.result_names.push(part.of(&name));
                func.results.push(ty.with_class(Class::Double));
            }
        } else {
            func.result_names.push(name);
            func.results.push(ty);
        }
    }
    let mut moved = Vec::new();
    let mut next = 0;
    for param in &func.params {
        moved.push(next);
        next += if func.ty(param.value).class == Class::Complex { 2 } else { 1 };
    }
    func.symbols.renumber_params(&moved);
}

fn split_params(func: &mut Func, pairs: &HashMap<Value, (Value, Value)>) {
    for param in std::mem::take(&mut func.params) {
        match pairs.get(&param.value) {
            Some((re, im)) => {
                for (part, value) in [(Part::Real, *re), (Part::Imag, *im)] {
                    let name = part.of(&param.name);
                    func.params.push(Param { value, name, facts: param.facts });
                }
            }
            None => func.params.push(param),
        }
    }
}

struct Split<'f> {
    func: &'f mut Func,
    /// The parts of each complex value.
    pairs: HashMap<Value, (Value, Value)>,
    /// Real values that a `Part` gave: the part itself.
    same: HashMap<Value, Value>,
    refused: Vec<Refused>,
}

impl Split<'_> {
    fn region(&mut self, region: Region) -> Region {
        let params = self.define_all(region.params);
        let mut stmts = Vec::new();
        for stmt in region.stmts {
            self.stmt(stmt, &mut stmts);
        }
        let term = match region.term {
            Terminator::Yield(values) => Terminator::Yield(self.uses(&values)),
            Terminator::Break(depth, values) => Terminator::Break(depth, self.uses(&values)),
            Terminator::Continue(depth, values) => Terminator::Continue(depth, self.uses(&values)),
            Terminator::Return(values) => Terminator::Return(self.uses(&values)),
            Terminator::Unreachable => Terminator::Unreachable,
        };
        Region { params, stmts, term }
    }

    /// A definition: the value itself becomes its real part, a new value the imaginary part.
    fn define(&mut self, z: Value) -> (Value, Value) {
        let ty = self.func.ty(z).with_class(Class::Double);
        self.func.types[z.index()] = ty.clone();
        let im = self.func.new_value(ty);
        if let Some(name) = self.func.names[z.index()].take() {
            self.func.names[im.index()] = Some(Part::Imag.of(&name));
            self.func.names[z.index()] = Some(Part::Real.of(&name));
        }
        self.pairs.insert(z, (z, im));
        (z, im)
    }

    fn define_all(&mut self, values: Vec<Value>) -> Vec<Value> {
        let mut out = Vec::new();
        for value in values {
            out.push(value);
            if self.func.ty(value).class == Class::Complex {
                out.push(self.define(value).1);
            }
        }
        out
    }

    /// A real value under the name that it has after the split.
    fn real(&self, value: Value) -> Value {
        self.same.get(&value).copied().unwrap_or(value)
    }

    /// The parts of a complex value.
    fn pair(&self, value: Value) -> (Value, Value) {
        self.pairs.get(&value).copied().unwrap_or((value, value))
    }

    fn uses(&self, values: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        for value in values {
            match self.pairs.get(value) {
                Some((re, im)) => out.extend([*re, *im]),
                None => out.push(self.real(*value)),
            }
        }
        out
    }

    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        let mut complex = stmt.results.iter().any(|r| self.func.ty(*r).class == Class::Complex);
        stmt.op.for_each_operand(&mut |v| complex |= self.pairs.contains_key(&v));
        let Stmt { results, op, loc } = stmt;
        match op {
            Op::Complex(re, im) => self.join(results[0], self.real(re), self.real(im)),
            Op::Part(part, z) => {
                let (re, im) = self.pair(z);
                self.same.insert(results[0], if part == Part::Real { re } else { im });
            }
            Op::If { .. } | Op::For { .. } | Op::While { .. } => {
                let stmt = self.control(Stmt { results, op, loc });
                out.push(stmt);
            }
            // The callee is split too, so its parameters and results come as pairs in the same places.
            Op::Call(callee, args) => {
                let op = Op::Call(callee, self.uses(&args));
                out.push(Stmt { results: self.define_all(results), op, loc });
            }
            op if complex && moves(&op) => {
                let (re, im) = self.define(results[0]);
                for (imag, result) in [(false, re), (true, im)] {
                    out.push(Stmt { results: vec![result], op: self.part_of(&op, imag), loc });
                }
            }
            op if complex => self.refused.push(Refused { loc, what: words(&op) }),
            mut op => {
                op.for_each_operand_mut(&mut |v| *v = self.real(*v));
                // A kernel of the lowering (`permute`, `circshift`) names what it reads in its body.
                for nested in op.regions_mut() {
                    nested.walk_mut(&mut |stmt| {
                        stmt.op.for_each_operand_mut(&mut |v| *v = self.real(*v));
                        Walk::Advance
                    });
                }
                out.push(Stmt { results, op, loc });
            }
        }
    }

    /// The two values are the parts of `z`; they take its name where they have none.
    fn join(&mut self, z: Value, re: Value, im: Value) {
        if let Some(name) = self.func.names[z.index()].take() {
            for (part, value) in [(Part::Real, re), (Part::Imag, im)] {
                self.func.names[value.index()].get_or_insert_with(|| part.of(&name));
            }
        }
        self.func.types[z.index()].class = Class::Double;
        self.pairs.insert(z, (re, im));
    }

    /// The operation on one part of its complex operands.
    fn part_of(&self, op: &Op, imag: bool) -> Op {
        let mut op = op.clone();
        op.for_each_operand_mut(&mut |v| {
            *v = match self.pairs.get(v) {
                Some((re, im)) => {
                    if imag {
                        *im
                    } else {
                        *re
                    }
                }
                None => self.real(*v),
            }
        });
        op
    }

    fn control(&mut self, stmt: Stmt) -> Stmt {
        let Stmt { results, op, loc } = stmt;
        let op = match op {
            Op::If { cond, then, els } => {
                let cond = self.real(cond);
                Op::If { cond, then: Box::new(self.region(*then)), els: Box::new(self.region(*els)) }
            }
            Op::For { trip, init, body } => {
                let (trip, init) = (self.real(trip), self.uses(&init));
                Op::For { trip, init, body: Box::new(self.region(*body)) }
            }
            Op::While { init, cond, body } => {
                let init = self.uses(&init);
                Op::While { init, cond: Box::new(self.region(*cond)), body: Box::new(self.region(*body)) }
            }
            other => other,
        };
        Stmt { results: self.define_all(results), op, loc }
    }
}

/// Whether an operation only moves numbers, each part like the other.
fn moves(op: &Op) -> bool {
    matches!(
        op,
        Op::Fill(_)
            | Op::Index { .. }
            | Op::Store { .. }
            | Op::Transpose(_)
            | Op::Reshape(_)
            | Op::Resize(_)
            | Op::Concat(..)
            | Op::Select(..)
    )
}

/// What the program does there.
fn words(op: &Op) -> String {
    match op {
        Op::Unary(op, _) => format!("`{}`", op.name()),
        Op::Binary(op, ..) => format!("`{}`", op.name()),
        Op::Reduce(op, ..) | Op::Scan(op, ..) => format!("`{}`", op.name()),
        Op::Lib(lib, _) => format!("`{}`", lib.name()),
        Op::Print(..) | Op::Display(..) | Op::Raise { .. } => "printing".into(),
        _ => "this use".into(),
    }
}
