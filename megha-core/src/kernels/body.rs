//! Writing scalar statements into a kernel's body, and elements of arrays as scalars.

use crate::hash::HashMap;
use crate::ir::{Binary, Check, Class, Const, Func, Kind, Loc, Mem, Op, Size, Stmt, Type, Value, Walk};

/// The operations by which array values are defined, for looking through them. Kernel bodies are not included.
#[derive(Debug, Default)]
pub(crate) struct Defs {
    ops: HashMap<Value, Op>,
}

impl Defs {
    /// Collects the definitions that can be looked through in the whole function.
    pub fn of(func: &Func) -> Self {
        let mut defs = Self::default();
        func.body.walk(&mut |stmt| {
            if let (
                Op::Fill(_)
                | Op::Range { .. }
                | Op::Linspace(..)
                | Op::Reshape(_)
                | Op::Const(_)
                | Op::Size(_)
                | Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..),
                [result],
            ) = (&stmt.op, stmt.results.as_slice())
            {
                defs.ops.insert(*result, stmt.op.clone());
            }
            if matches!(stmt.op, Op::Kernel(_)) { Walk::Skip } else { Walk::Advance }
        });
        defs
    }

    /// The operation that defines the value, if it can be looked through.
    pub fn get(&self, value: Value) -> Option<&Op> {
        self.ops.get(&value)
    }
}

/// Statements of a kernel's body under construction.
pub(crate) struct Body<'f> {
    pub func: &'f mut Func,
    pub defs: &'f Defs,
    pub stmts: Vec<Stmt>,
    pub loc: Loc,
    /// Index arrays that were replaced by expressions, by name.
    pub eliminated: Vec<Value>,
    zero: Option<Value>,
}

impl<'f> Body<'f> {
    /// An empty body whose statements have this source position.
    pub fn new(func: &'f mut Func, defs: &'f Defs, loc: Loc) -> Self {
        Self { func, defs, stmts: Vec::new(), loc, eliminated: Vec::new(), zero: None }
    }

    /// Appends a statement with a scalar result.
    pub fn push(&mut self, op: Op, class: Class) -> Value {
        let value = self.func.new_value(Type::scalar(class));
        self.stmts.push(Stmt { results: vec![value], op, loc: self.loc });
        value
    }

    /// Appends a statement without a result.
    pub fn effect(&mut self, op: Op) {
        self.stmts.push(Stmt { results: Vec::new(), op, loc: self.loc });
    }

    /// An `Index` constant.
    pub fn int(&mut self, value: i64) -> Value {
        if value != 0 {
            return self.push(Op::Const(Const::Int(value)), Class::Index);
        }
        match self.zero {
            Some(zero) => zero,
            None => {
                let zero = self.push(Op::Const(Const::Int(0)), Class::Index);
                self.zero = Some(zero);
                zero
            }
        }
    }

    /// `a + step * k` on `Index` scalars.
    pub fn affine(&mut self, a: Value, step: i64, k: Value) -> Value {
        let scaled = match step {
            1 => k,
            -1 => return self.push(Op::Binary(Binary::Sub, a, k), Class::Index),
            _ => {
                let step = self.int(step);
                self.push(Op::Binary(Binary::Mul, step, k), Class::Index)
            }
        };
        self.push(Op::Binary(Binary::Add, a, scaled), Class::Index)
    }

    /// The element of an array (or the scalar itself) at these subscripts, one for each dimension.
    ///
    /// An array that is a function of its subscripts alone is not loaded from but computed: index array elimination (MEGHA
    /// 3.2.1.4), for ranges, `linspace`, constant arrays, and arrays that only rename the dimensions of another.
    pub fn element(&mut self, value: Value, subs: &[Value]) -> Value {
        let ty = self.func.ty(value).clone();
        if ty.is_scalar() {
            return value;
        }
        match self.defs.get(value).cloned() {
            Some(Op::Fill(source)) => {
                let inner = self.func.ty(source).clone();
                let subs = self.clamped(&inner, subs);
                self.element(source, &subs)
            }
            Some(Op::Range { start, step }) => {
                self.eliminated.push(value);
                self.range_element(start, step, &ty, subs)
            }
            Some(Op::Linspace(a, b)) => {
                self.eliminated.push(value);
                self.linspace_element(a, b, &ty, subs)
            }
            Some(Op::Reshape(source)) if is_view(self.func.ty(source), &ty) => {
                let inner = self.func.ty(source).clone();
                let mut long = ty.dims.iter().zip(subs).filter(|(d, _)| !d.is_one()).map(|(_, s)| *s);
                let mapped: Vec<Option<Value>> =
                    inner.dims.iter().map(|d| if d.is_one() { None } else { long.next() }).collect();
                let mapped: Vec<Value> = mapped.into_iter().map(|s| s.unwrap_or_else(|| self.int(0))).collect();
                self.element(source, &mapped)
            }
            _ => self.push(Op::Load(Mem::In(value), subs.to_vec()), ty.class),
        }
    }

    /// Subscripts of an operand that is expanded: zero where its size is one.
    pub fn clamped(&mut self, operand: &Type, subs: &[Value]) -> Vec<Value> {
        operand
            .dims
            .iter()
            .enumerate()
            .map(|(axis, d)| match subs.get(axis) {
                Some(sub) if !d.is_one() => *sub,
                _ => self.int(0),
            })
            .collect()
    }

    fn range_element(&mut self, start: Value, step: Value, ty: &Type, subs: &[Value]) -> Value {
        let k = long_sub(ty, subs);
        if self.func.ty(start).class == Class::Index {
            let known = match self.defs.get(step) {
                Some(Op::Const(Const::Int(step))) => Some(*step),
                _ => None,
            };
            let index = match known {
                Some(step) => self.affine(start, step, k),
                None => {
                    let scaled = self.push(Op::Binary(Binary::Mul, k, step), Class::Index);
                    self.push(Op::Binary(Binary::Add, start, scaled), Class::Index)
                }
            };
            return self.push(Op::Convert(index), ty.class);
        }
        let k = self.push(Op::Convert(k), ty.class);
        let offset = self.push(Op::Binary(Binary::Mul, k, step), ty.class);
        self.push(Op::Binary(Binary::Add, start, offset), ty.class)
    }

    /// Octave's rule: the first half counts from the first limit, the second half back from the last, the middle is the mean.
    fn linspace_element(&mut self, a: Value, b: Value, ty: &Type, subs: &[Value]) -> Value {
        let class = ty.class;
        let k = long_sub(ty, subs);
        let n = ty.numel();
        let last = self.push(Op::Size(n.add_const(-1)), Class::Index);
        let intervals = self.push(Op::Convert(last), class);
        let span = self.push(Op::Binary(Binary::Sub, b, a), class);
        let delta = self.push(Op::Binary(Binary::Div, span, intervals), class);
        let back = self.push(Op::Binary(Binary::Sub, last, k), Class::Index);
        let (kf, backf) = (self.push(Op::Convert(k), class), self.push(Op::Convert(back), class));
        let up = self.push(Op::Binary(Binary::Mul, kf, delta), class);
        let up = self.push(Op::Binary(Binary::Add, a, up), class);
        let down = self.push(Op::Binary(Binary::Mul, backf, delta), class);
        let down = self.push(Op::Binary(Binary::Sub, b, down), class);
        let sum = self.push(Op::Binary(Binary::Add, a, b), class);
        let half = self.push(Op::Const(Const::Float(0.5)), class);
        let mean = self.push(Op::Binary(Binary::Mul, sum, half), class);
        let first_half = self.push(Op::Binary(Binary::Lt, k, back), Class::Logical);
        let sides = self.push(Op::Select(first_half, up, down), class);
        let middle = self.push(Op::Binary(Binary::Eq, k, back), Class::Logical);
        let inner = self.push(Op::Select(middle, mean, sides), class);
        // The ends are the limits themselves; an infinite difference would make them NaN.
        let zero = self.int(0);
        let at_start = self.push(Op::Binary(Binary::Eq, k, zero), Class::Logical);
        let started = self.push(Op::Select(at_start, a, inner), class);
        let at_end = self.push(Op::Binary(Binary::Eq, back, zero), Class::Logical);
        self.push(Op::Select(at_end, b, started), class)
    }

    /// A whole number from one, read from memory, as a tested subscript from zero.
    pub fn gathered(&mut self, vector: Value, subs: &[Value], extent: &Size, checked: bool) -> Value {
        let number = self.element(vector, subs);
        let one_based = match self.func.ty(number).class {
            Class::Index => number,
            _ => self.push(Op::ToIndex(number), Class::Index),
        };
        let one = self.int(1);
        let index = self.push(Op::Binary(Binary::Sub, one_based, one), Class::Index);
        if checked {
            let zero = self.int(0);
            let extent = self.push(Op::Size(extent.clone()), Class::Index);
            let low = self.push(Op::Binary(Binary::Ge, index, zero), Class::Logical);
            let high = self.push(Op::Binary(Binary::Lt, index, extent), Class::Logical);
            let fine = self.push(Op::Binary(Binary::And, low, high), Class::Logical);
            self.effect(Op::Assert(fine, Check::bounds("a subscript is out of bounds")));
        }
        index
    }

    /// An element-wise operation on elements.
    pub fn apply(&mut self, op: &Op, operands: &[Value], class: Class) -> Value {
        let mut scalar = op.clone();
        let mut next = operands.iter().copied();
        scalar.for_each_operand_mut(&mut |v| *v = next.next().unwrap_or(*v));
        self.push(scalar, class)
    }
}

/// Whether a reshape only adds, drops or renames dimensions: the long dimensions are as many and in the same order.
pub(crate) fn is_view(from: &Type, to: &Type) -> bool {
    let long = |t: &Type| t.dims.iter().filter(|d| !d.is_one()).count();
    if long(from) != long(to) {
        return false;
    }
    // Sizes may have been found equal by a test at run time, so forms may differ; with one long dimension nothing can go
    // wrong, with several the forms must agree pairwise or the ranks must.
    let pairs = || from.dims.iter().filter(|d| !d.is_one()).zip(to.dims.iter().filter(|d| !d.is_one()));
    long(from) <= 1 || pairs().all(|(a, b)| a == b) || (from.dims.len() == to.dims.len() && renames(from, to))
}

/// The same rank, and every size has the same form or differs by a form that a test has found equal (not by a constant).
fn renames(from: &Type, to: &Type) -> bool {
    let differing: Vec<_> = from.dims.iter().zip(&to.dims).filter(|(a, b)| a != b).collect();
    // Two differing sizes could also be a change of shape with equal products.
    differing.len() <= 1
}

/// The subscript of the only long dimension of a vector.
fn long_sub(ty: &Type, subs: &[Value]) -> Value {
    let axis = ty.dims.iter().position(|d| !d.is_one()).unwrap_or(0);
    subs[axis]
}

/// Whether the operation works element by element and all its operands and results may be arrays.
pub(crate) fn is_elementwise(op: &Op) -> bool {
    op.kind() == Kind::Elementwise
}
