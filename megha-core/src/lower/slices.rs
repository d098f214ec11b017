//! Products of slices in loops over elements as loops: `A(i, 1:j-1) * A(1:j-1, j)`, `dot(x(p), y(p))`, `sum(a(k:n) .* b(k:n))`.
//!
//! A loop that touches single elements is a nest, whose iterations run in parallel, in vectors, several together or on a device. A
//! product of a row and a column in it, of as many elements as the iteration says, would be the one operation on whole arrays there: it would copy what the slices
//! select and call the library for one number. Written as a loop over its terms it is part of the nest.
//!
//! This is the last step of lowering and not a pass, for the order in which a sum adds up becomes that of the loop: like those of small arrays, which are scalar code
//! too, such products are sums of rounded terms in the order of the inner index, from +0 on. Interpreter and compiled code take it from the program
//! as it is afterwards. Taken are only products whose length depends on the iteration, for what is as long in each of them is better left to the library,
//! in loops of which nothing is left behind but elements. What is stored into such slices beside them (`C(1:i-1, j) = C(1:i-1, j) + ..`) is stored element by element too
//! where of the array itself it needs no element but the one that it replaces. Of two faults of one iteration the other one may be reported.

mod elements;
mod repeated;

use crate::hash::{HashMap, HashSet};
use crate::ir::{
    Binary, Class, Const, Func, Lib, Loc, Op, ReduceOp, Region, Size, Stmt, Sub, SymDef, Terminator, Type, Value, Walk,
};
use crate::kernels::accesses::{new_counter, symbol};
use crate::nests::is_nest;
use elements::Elements;

/// Rewrites the loops of a function.
pub(super) fn run(func: &mut Func) {
    let is_product = |op: &Op| matches!(op, Op::Lib(Lib::MatMul, _) | Op::Reduce(ReduceOp::Sum, ..));
    if !func.body.any(|op| matches!(op, Op::For { body, .. } if body.any(is_product))) {
        return;
    }
    let mut made = HashMap::default();
    func.body.walk(&mut |stmt| {
        if let [result] = stmt.results[..]
            && !stmt.op.may_have_regions()
        {
            made.insert(result, Made { op: stmt.op.clone(), loc: stmt.loc });
        }
    });
    let mut body = std::mem::take(&mut func.body);
    Slices { func, made, varying: HashSet::default() }.region(&mut body);
    func.body = body;
}

/// How a value is made.
pub(super) struct Made {
    pub op: Op,
    pub loc: Loc,
}

struct Slices<'f> {
    func: &'f mut Func,
    made: HashMap<Value, Made>,
    /// What the outermost of the loops around defines.
    varying: HashSet<Value>,
}

impl Slices<'_> {
    /// Inner loops come first: they are nests whatever stands around them.
    fn region(&mut self, region: &mut Region) {
        for stmt in region.stmts.iter_mut().filter(|stmt| stmt.op.may_have_regions()) {
            let is_outermost = self.varying.is_empty();
            if let Op::For { body, .. } = &stmt.op
                && is_outermost
            {
                body.defined(&mut self.varying);
            }
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            if let Some(new) = self.nest(stmt) {
                *stmt = new;
            }
            if is_outermost {
                self.varying.clear();
            }
        }
    }

    /// The loop with its products as loops, if it is a nest then.
    fn nest(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let Op::For { init, body, .. } = &stmt.op else { return None };
        let hands_on_arrays = !init.is_empty() && init.iter().all(|value| !self.func.ty(*value).is_scalar());
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let varies = |stmt: &Stmt| self.terms(stmt).is_some_and(|terms| self.varies(&terms.count));
        let none = body.walk(&mut |stmt| if varies(stmt) { Walk::Interrupt } else { Walk::Advance });
        if none || !hands_on_arrays || jumps(body) {
            return None;
        }
        let before = (self.func.types.len(), self.func.symbols.len());
        let mut new = stmt.clone();
        let Op::For { body, .. } = &mut new.op else { return None };
        repeated::drop_tests(self.func, &self.made, body);
        let mut selected = HashSet::default();
        let mut written = self.written(std::mem::take(body), &inside, &mut selected);
        drop_arrays(self.func, &mut written, &selected);
        **body = written;
        if is_nest(self.func, &new) {
            return Some(new);
        }
        self.func.types.truncate(before.0);
        self.func.names.truncate(before.0);
        self.func.symbols.truncate(before.1);
        None
    }

    /// What a statement adds up to a number.
    fn terms(&self, stmt: &Stmt) -> Option<Terms> {
        let [result] = stmt.results[..] else { return None };
        let ty = self.func.ty(result);
        if !ty.is_scalar() || !ty.class.is_float() {
            return None;
        }
        match &stmt.op {
            Op::Lib(Lib::MatMul, factors) => {
                let [a, b] = factors[..] else { return None };
                Some(Terms { of: vec![a, b], count: self.func.ty(a).numel() })
            }
            Op::Reduce(ReduceOp::Sum, a, _) => {
                let product = matches!(self.made.get(a)?.op, Op::Binary(Binary::Mul, ..));
                let ty = self.func.ty(*a);
                (product && ty.is_vector()).then(|| Terms { of: vec![*a], count: ty.numel() })
            }
            _ => None,
        }
    }

    /// Whether these are as many as an iteration of a loop around says.
    fn varies(&self, count: &Size) -> bool {
        !self.func.symbols.is_made_of(count, &|value| !self.varying.contains(&value))
    }

    /// The region with its products as loops. What these read elements of goes to `selected`.
    fn written(&mut self, mut region: Region, inside: &HashSet<Value>, selected: &mut HashSet<Value>) -> Region {
        let stmts = std::mem::take(&mut region.stmts);
        let here = stmts.iter().flat_map(|stmt| &stmt.results).copied().collect();
        for mut stmt in stmts {
            for nested in stmt.op.regions_mut() {
                *nested = self.written(std::mem::take(nested), inside, selected);
            }
            let around = Around { inside, here: &here };
            let terms = self.terms(&stmt).filter(|terms| self.varies(&terms.count));
            let looped = match terms {
                Some(terms) => self.summed(&stmt, &terms, around, selected),
                None => self.stored(&stmt, around, selected),
            };
            match looped {
                Some(looped) => region.stmts.extend(looped),
                None => region.stmts.push(stmt),
            }
        }
        region
    }

    /// The loop that adds up the terms, and what stands before it.
    fn summed(
        &mut self,
        stmt: &Stmt,
        terms: &Terms,
        around: Around<'_>,
        selected: &mut HashSet<Value>,
    ) -> Option<Vec<Stmt>> {
        let (result, loc) = (stmt.results[0], stmt.loc);
        let number = Type::scalar(self.func.ty(result).class);
        let mut elements = self.elements(stmt, &terms.count, around);
        let counter = elements.counter();
        let factors = terms.of.iter().map(|array| elements.element(*array)).collect::<Option<Vec<Value>>>()?;
        let (mut stmts, read) = elements.into_stmts();
        selected.extend(read);
        let term = match factors[..] {
            [a, b] => self.push(Op::Binary(Binary::Mul, a, b), number.clone(), loc, &mut stmts),
            [term] => term,
            _ => return None,
        };
        let before = self.func.new_value(number.clone());
        let sum = self.push(Op::Binary(Binary::Add, before, term), number.clone(), loc, &mut stmts);
        let body = Region { params: vec![counter, before], stmts, term: Terminator::Yield(vec![sum]) };
        let mut out = Vec::new();
        let zero = self.push(Op::Const(Const::Float(0.0)), number, loc, &mut out);
        self.repeat(stmt, (&terms.count, zero), body, &mut out);
        Some(out)
    }

    /// The loop that stores the elements of a slice of as many as the iteration says, each of which is computed from others than these at most where it was.
    fn stored(&mut self, stmt: &Stmt, around: Around<'_>, selected: &mut HashSet<Value>) -> Option<Vec<Stmt>> {
        let Op::Store { array, subs, value, checked } = &stmt.op else { return None };
        let mut moving = subs.iter().filter(|sub| !matches!(sub, Sub::At(_)));
        let (Some(slice), None) = (moving.next(), moving.next()) else { return None };
        let count = match slice {
            Sub::Range { len, .. } => len.clone(),
            Sub::Vector(list) => self.func.ty(*list).numel(),
            Sub::All | Sub::At(_) => return None,
        };
        if !self.varies(&count) {
            return None;
        }
        let before = self.func.new_like(*array);
        let mut elements = self.elements(stmt, &count, around);
        let counter = elements.counter();
        elements.store((*array, subs, before));
        let value = elements.element(*value)?;
        let subs = elements.places(subs)?;
        let (mut stmts, read) = elements.into_stmts();
        selected.extend(read);
        let after = self.func.new_like(*array);
        let op = Op::Store { array: before, subs, value, checked: *checked };
        stmts.push(Stmt { results: vec![after], op, loc: stmt.loc });
        let body = Region { params: vec![counter, before], stmts, term: Terminator::Yield(vec![after]) };
        let mut out = Vec::new();
        self.repeat(stmt, (&count, *array), body, &mut out);
        Some(out)
    }

    /// What computes the elements that belong to a number.
    fn elements<'s>(&'s mut self, stmt: &Stmt, count: &Size, around: Around<'s>) -> Elements<'s> {
        let longest = self.func.symbols.without_maximum(count);
        let name = self.free_name();
        let (counter, sym) = new_counter(self.func, stmt.results[0], &longest);
        self.func.names[counter.index()] = None;
        let mut elements = Elements::new(self.func, &self.made, around, (counter, sym), stmt.loc);
        elements.call(name);
        elements
    }

    /// The loop of so many iterations, which begins with this value, in the place of a statement.
    fn repeat(&mut self, stmt: &Stmt, (count, first): (&Size, Value), body: Region, out: &mut Vec<Stmt>) {
        let trip = self.push(Op::Size(count.clone()), Type::scalar(Class::Index), stmt.loc, out);
        let op = Op::For { trip, init: vec![first], body: Box::new(body) };
        out.push(Stmt { results: stmt.results.clone(), op, loc: stmt.loc });
    }

    /// What explanations call the place in the slices, which has no name in the program.
    fn free_name(&self) -> Option<String> {
        let is_free = |name: &&str| !self.func.names.iter().flatten().any(|known| known == name);
        ["k", "l", "p", "q", "t"].into_iter().find(is_free).map(str::to_owned)
    }

    fn push(&mut self, op: Op, ty: Type, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let result = self.func.new_value(ty);
        out.push(Stmt { results: vec![result], op, loc });
        result
    }
}

/// What the loop around a sum or a store defines, and the region that it stands in.
#[derive(Clone, Copy)]
struct Around<'s> {
    inside: &'s HashSet<Value>,
    here: &'s HashSet<Value>,
}

/// A sum of products: of two factors, or of the terms themselves.
struct Terms {
    of: Vec<Value>,
    count: Size,
}

/// Whether an iteration may end before its last statement, and so before it tests what it reads.
fn jumps(body: &Region) -> bool {
    let mut found = false;
    body.walk_regions(&mut |region| found |= !matches!(region.term, Terminator::Yield(_)));
    found
}

/// Drops the arrays that nothing needs any more. A slice that is read by elements is tested there.
fn drop_arrays(func: &Func, region: &mut Region, selected: &HashSet<Value>) {
    loop {
        let mut used = HashSet::default();
        region.for_each_use(&mut |value| _ = used.insert(value));
        let mut dropped = false;
        region.map_regions(&mut |region| {
            let count = region.stmts.len();
            region.stmts.retain(|stmt| {
                let [result] = stmt.results[..] else { return true };
                let is_free = !stmt.op.has_effect() || selected.contains(&result);
                func.ty(result).is_scalar() || used.contains(&result) || !is_free
            });
            dropped |= region.stmts.len() < count;
        });
        if !dropped {
            return;
        }
    }
}

/// The size that an `Index` scalar is.
pub(super) fn size_of(func: &mut Func, made: &HashMap<Value, Made>, value: Value) -> Size {
    match made.get(&value).map(|made| &made.op) {
        Some(Op::Const(Const::Int(number))) => Size::constant(*number),
        Some(Op::Size(size)) => size.clone(),
        _ => {
            let known = func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(value)).map(|(sym, _)| sym);
            Size::sym(known.unwrap_or_else(|| symbol(func, SymDef::Value(value), Vec::new(), Vec::new())))
        }
    }
}
