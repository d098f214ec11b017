//! Masked elements without lists of their places: `x(m) = f(x(m), y(m), s)` is `x = select(m, f(x, y, s), x)`, and `sum(x(m))` the sum of
//! `select(m, x, 0)`.
//!
//! Lowering lists the places of a mask's true elements, gathers what lies there, computes with that, and scatters the result. What
//! is computed element by element from such *selected* arrays, all of one mask, and from scalars is the same element of the same expression
//! over the whole arrays. So where such an expression is stored through its own mask, or combined to one scalar, the expression over whole arrays
//! takes its place, which is part of a kernel. Other elements are computed too, and count for nothing: element-wise operations cannot fail, and the tests of
//! what they compute (`sqrt` of a negative number) are reductions like others.
//!
//! This is the last step of lowering and not a pass, for the order in which a sum adds up becomes that of the whole array, where those count 0 that
//! are not selected: interpreter and compiled code take it from the program as it is afterwards. Lists and selections that nothing
//! needs any more are left to the passes.

use crate::hash::HashMap;
use crate::ir::{Class, Const, Func, Kind, Lib, Loc, Op, ReduceOp, Region, Size, Stmt, Sub, SymDef, Type, Value};

/// Rewrites the stores and reductions of a function.
pub(super) fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::Lib(Lib::Find, _))) {
        return;
    }
    let mut body = std::mem::take(&mut func.body);
    let mut masks = Masks {
        func,
        numbers: HashMap::default(),
        places: HashMap::default(),
        selected: HashMap::default(),
        whole: HashMap::default(),
    };
    masks.region(&mut body);
    func.body = body;
}

struct Masks<'f> {
    func: &'f mut Func,
    /// Conversions and sums: what counts of true elements are made of.
    numbers: HashMap<Value, Op>,
    /// Lists of places, and the masks that they are of.
    places: HashMap<Value, Value>,
    /// What is made in the current region of elements that a mask selects.
    selected: HashMap<Value, Selected>,
    /// The same over arrays of these sizes, as far as it has been made in the current region.
    whole: HashMap<(Value, Vec<Size>), Value>,
}

/// How a selected array is made.
#[derive(Clone)]
struct Selected {
    mask: Value,
    op: Op,
    loc: Loc,
}

impl Masks<'_> {
    fn region(&mut self, region: &mut Region) {
        // A selection outside of a loop is made once: it stays one for what is inside.
        let outer = (std::mem::take(&mut self.selected), std::mem::take(&mut self.whole));
        let stmts = std::mem::take(&mut region.stmts);
        for mut stmt in stmts {
            // And a list stays one, for few elements of many may be what a loop is written for.
            let lists = matches!(stmt.op, Op::For { .. } | Op::While { .. }).then(|| std::mem::take(&mut self.places));
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            if let Some(lists) = lists {
                self.places = lists;
            }
            self.stmt(stmt, &mut region.stmts);
        }
        (self.selected, self.whole) = outer;
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        let op = match &stmt.op {
            Op::Store { array, subs, value, .. } => self.store(*array, subs, *value, stmt.loc, out),
            Op::Reduce(how, value, _) => self.reduce(&stmt, *how, *value, out),
            _ => None,
        };
        if let [result] = stmt.results[..] {
            self.note(result, &mut stmt);
        }
        out.push(Stmt { op: op.unwrap_or(stmt.op), ..stmt });
    }

    /// Remembers what matters of a statement; the places of a mask that fits are within bounds.
    fn note(&mut self, result: Value, stmt: &mut Stmt) {
        match &stmt.op {
            Op::Convert(_) | Op::Reduce(ReduceOp::Sum, ..) => {
                self.numbers.insert(result, stmt.op.clone());
            }
            Op::Lib(Lib::Find, args) => {
                if let [mask] = args[..]
                    && self.is_count(&self.func.ty(result).numel(), mask)
                {
                    self.places.insert(result, mask);
                }
            }
            _ => {}
        }
        if let Some(mask) = self.mask_of(result, &stmt.op) {
            if let Op::Index { checked, .. } = &mut stmt.op {
                *checked = false;
            }
            self.selected.insert(result, Selected { mask, op: stmt.op.clone(), loc: stmt.loc });
        }
    }

    /// Whether a size counts all true elements of a mask, not just some.
    fn is_count(&self, size: &Size, mask: Value) -> bool {
        let Some(SymDef::Value(count)) = size.as_sym().map(|sym| &self.func.symbols.get(sym).def) else { return false };
        let Some(Op::Reduce(ReduceOp::Sum, numbers, _)) = self.summed(*count) else { return false };
        matches!(self.numbers.get(numbers), Some(Op::Convert(of)) if *of == mask)
    }

    /// The sum that a count is converted from.
    fn summed(&self, count: Value) -> Option<&Op> {
        let Op::Convert(sum) = self.numbers.get(&count)? else { return None };
        self.numbers.get(sum)
    }

    /// The mask whose selected elements an operation gives, in their order.
    fn mask_of(&self, result: Value, op: &Op) -> Option<Value> {
        let ty = self.func.ty(result);
        if !ty.is_vector() || ty.is_scalar() {
            return None;
        }
        match op {
            Op::Index { array, subs, .. } => {
                let mask = self.mask_in(subs)?;
                self.fits(mask, *array).then_some(mask)
            }
            Op::Reshape(a) | Op::Transpose(a) => {
                let of = self.selected.get(a)?;
                (self.func.ty(*a).numel() == ty.numel()).then_some(of.mask)
            }
            op if op.kind() == Kind::Elementwise => {
                let (mut mask, mut one) = (None, true);
                op.for_each_operand(&mut |v| {
                    if !self.func.ty(v).is_scalar() {
                        let of = self.selected.get(&v).filter(|_| self.func.ty(v).dims == ty.dims).map(|s| s.mask);
                        one &= of.is_some() && (mask.is_none() || mask == of);
                        mask = of;
                    }
                });
                mask.filter(|_| one)
            }
            _ => None,
        }
    }

    /// The mask whose places are the only subscript.
    fn mask_in(&self, subs: &[Sub]) -> Option<Value> {
        let [Sub::Vector(places)] = subs else { return None };
        self.places.get(places).copied()
    }

    /// Whether a mask has an element for each of an array's, at the same subscripts or, of two vectors, the same number.
    fn fits(&self, mask: Value, array: Value) -> bool {
        let (mask, array) = (self.func.ty(mask), self.func.ty(array));
        mask.dims == array.dims || mask.is_vector() && array.is_vector() && mask.numel() == array.numel()
    }

    fn store(&mut self, array: Value, subs: &[Sub], value: Value, loc: Loc, out: &mut Vec<Stmt>) -> Option<Op> {
        let mask = self.mask_in(subs).filter(|mask| self.fits(*mask, array))?;
        let scalar = self.func.ty(value).is_scalar();
        if !scalar && self.selected.get(&value).is_none_or(|of| of.mask != mask) {
            return None;
        }
        let dims = self.func.ty(array).dims.clone();
        let value = self.over(value, &dims, out);
        let mask = self.shaped(mask, &dims, loc, out);
        Some(Op::Select(mask, value, array))
    }

    /// A reduction of selected elements to one scalar.
    fn reduce(&mut self, stmt: &Stmt, how: ReduceOp, value: Value, out: &mut Vec<Stmt>) -> Option<Op> {
        let [result] = stmt.results[..] else { return None };
        let ty = self.func.ty(result).clone();
        let mask = self.selected.get(&value).filter(|_| ty.is_scalar())?.mask;
        let nothing = neutral(how, ty.class)?;
        let dims = self.func.ty(mask).dims.clone();
        let value = self.over(value, &dims, out);
        let nothing = self.push(Op::Const(nothing), Type::scalar(ty.class), stmt.loc, out);
        let axes = (0..dims.len()).collect();
        let counted = self.push(Op::Select(mask, value, nothing), Type::array(ty.class, dims), stmt.loc, out);
        Some(Op::Reduce(how, counted, axes))
    }

    /// What a selected array is made by, over whole arrays of these sizes; a scalar as it is.
    fn over(&mut self, value: Value, dims: &[Size], out: &mut Vec<Stmt>) -> Value {
        let Some(Selected { mut op, loc, .. }) = self.selected.get(&value).cloned() else { return value };
        let key = (value, dims.to_vec());
        if let Some(made) = self.whole.get(&key) {
            return *made;
        }
        let made = match op {
            Op::Index { array, .. } => self.shaped(array, dims, loc, out),
            Op::Reshape(a) | Op::Transpose(a) => self.over(a, dims, out),
            _ => {
                op.for_each_operand_mut(&mut |v| *v = self.over(*v, dims, out));
                let ty = Type::array(self.func.ty(value).class, dims.to_vec());
                self.push(op, ty, loc, out)
            }
        };
        self.whole.insert(key, made);
        made
    }

    /// An array in these sizes, in which it has as many elements.
    fn shaped(&mut self, array: Value, dims: &[Size], loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let own = self.func.ty(array);
        if own.dims == dims {
            return array;
        }
        let ty = Type::array(own.class, dims.to_vec());
        self.push(Op::Reshape(array), ty, loc, out)
    }

    fn push(&mut self, op: Op, ty: Type, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let result = self.func.new_value(ty);
        out.push(Stmt { results: vec![result], op, loc });
        result
    }
}

/// What changes nothing when it is combined, for the classes that have such a number.
fn neutral(how: ReduceOp, class: Class) -> Option<Const> {
    let float = matches!(class, Class::Double | Class::Single);
    let number = |value: i32| if float { Const::Float(f64::from(value)) } else { Const::Int(i64::from(value)) };
    match how {
        ReduceOp::Sum => Some(number(0)),
        ReduceOp::Prod => Some(number(1)),
        ReduceOp::Any => Some(Const::Bool(false)),
        ReduceOp::All => Some(Const::Bool(true)),
        // These skip NaN, and give it if nothing else is there.
        ReduceOp::Min | ReduceOp::Max => float.then_some(Const::Float(f64::NAN)),
    }
}
