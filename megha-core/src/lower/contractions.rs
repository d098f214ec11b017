//! Sums of products of two arrays each of which lacks a dimension of the result that the other one has, as loops: tensor contractions.
//!
//! ```text
//! y(:, i, j, :) = sum(x(:, i:i+k-1, j:j+k-1, :) .* w, [2 3 4]);   % w of 1 by k by k by m by n
//! ```
//! Every element of either array meets several of the other, as in a product of matrices, whose terms nobody would store either. Written as loops over elements the sum
//! is a nest, whose points share what they read in registers and vectors (`crate::schedule::windows`, `panels`); as a reduction it would read both
//! arrays again for each point. Taken where the first and the last dimension are not added up, so that points lie along memory in either order; else
//! what is added up does, and the tree of a reduction is fast and more exact.
//!
//! This stands with the last steps of lowering for the reason that [`super::slices`] does: the order in which a sum adds up becomes that of the loops, the first dimension
//! fastest, from +0 on, and interpreter and compiled code take it from the program as it is afterwards.

use super::slices::{Made, size_of};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, ReduceOp, Region, Size, Stmt, Sub, Terminator, Type, Value};
use crate::kernels::accesses::new_counter;

/// Rewrites the sums of a function.
pub(super) fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::Reduce(ReduceOp::Sum, ..))) {
        return;
    }
    let (mut made, mut uses) = (HashMap::default(), HashMap::default());
    func.body.walk(&mut |stmt| {
        let is_wanted = match &stmt.op {
            Op::Binary(Binary::Mul, ..) | Op::Reshape(_) | Op::Transpose(_) | Op::Fill(_) => true,
            Op::Const(_) | Op::Size(_) | Op::Range { .. } => true,
            Op::Index { checked, .. } => !checked,
            _ => false,
        };
        if let ([result], true) = (&stmt.results[..], is_wanted) {
            made.insert(*result, Made { op: stmt.op.clone(), loc: stmt.loc });
        }
    });
    func.body.for_each_use(&mut |value| *uses.entry(value).or_insert(0) += 1);
    let mut body = std::mem::take(&mut func.body);
    Contractions { func, made, uses }.region(&mut body);
    func.body = body;
}

struct Contractions<'f> {
    func: &'f mut Func,
    /// How products are made, and arrays that hold elements of others in other places.
    made: HashMap<Value, Made>,
    uses: HashMap<Value, usize>,
}

/// A sum of products.
struct Contraction {
    factors: [Value; 2],
    /// The sizes of the products.
    dims: Vec<Size>,
    /// The dimensions that are added up.
    summed: Vec<usize>,
}

impl Contractions<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            match self.contraction(&stmt) {
                Some(contraction) => self.write(&stmt, &contraction, &mut region.stmts),
                None => region.stmts.push(stmt),
            }
        }
    }

    fn contraction(&self, stmt: &Stmt) -> Option<Contraction> {
        let Op::Reduce(ReduceOp::Sum, products, summed) = &stmt.op else { return None };
        let Op::Binary(Binary::Mul, a, b) = self.made.get(products)?.op else { return None };
        let ty = self.func.ty(*products);
        let is_alone = self.uses.get(products) == Some(&1) && ty.class.is_float();
        let dims = ty.dims.clone();
        let [of_a, of_b] = [a, b].map(|factor| {
            let ty = self.func.ty(factor);
            (0..dims.len()).map(|d| !ty.dim(d).is_one()).collect::<Vec<bool>>()
        });
        let fits = |d: usize| [a, b].iter().all(|factor| is_one_or(&self.func.ty(*factor).dim(d), &dims[d]));
        let kept = || (0..dims.len()).filter(|d| !summed.contains(d));
        let shares = kept().any(|d| of_a[d] && !of_b[d]) && kept().any(|d| of_b[d] && !of_a[d]);
        let long = || (0..dims.len()).filter(|d| !dims[*d].is_one());
        let along = [long().next(), long().next_back()].into_iter().all(|d| d.is_some_and(|d| !summed.contains(&d)));
        let adds = long().any(|d| summed.contains(&d));
        (is_alone && shares && along && adds && (0..dims.len()).all(fits)).then(|| Contraction {
            factors: [a, b],
            dims,
            summed: summed.clone(),
        })
    }

    /// The loops in the place of the sum.
    fn write(&mut self, stmt: &Stmt, contraction: &Contraction, out: &mut Vec<Stmt>) {
        let (result, loc) = (stmt.results[0], stmt.loc);
        let ty = self.func.ty(result).clone();
        let number = Type::scalar(ty.class);
        let Contraction { factors, dims, summed } = contraction;
        let first = self.push(Op::Const(Const::Int(0)), Type::scalar(Class::Index), loc, out);
        let zero = self.push(Op::Const(Const::Float(0.0)), number.clone(), loc, out);
        let at: Vec<Value> =
            dims.iter().map(|size| if size.is_one() { first } else { self.counter(result, size) }).collect();
        // Innermost first: what is added up as sums are numbered, the others as the points of a kernel are counted, so that it composes with what goes on from the result.
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..dims.len()).filter(|d| !dims[*d].is_one()).partition(|d| summed.contains(d));
        let of = |d: &usize| (at[*d], &dims[*d]);
        let (inside, outside): (Vec<_>, Vec<_>) =
            (inside.iter().map(of).collect(), outside.iter().rev().map(of).collect());
        let (mut inner, before) = (Vec::new(), self.func.new_value(number.clone()));
        let [a, b] = factors.map(|factor| self.element(factor, &at, loc, &mut inner));
        let term = self.push(Op::Binary(Binary::Mul, a, b), number.clone(), loc, &mut inner);
        let sum = self.push(Op::Binary(Binary::Add, before, term), number, loc, &mut inner);
        let sum = self.nest((&inside, loc), (zero, before), (&mut inner, sum));
        let subs = |d: usize| Sub::At(if summed.contains(&d) { first } else { at[d] });
        let (array, subs) = (self.func.new_like(result), (0..ty.dims.len()).map(subs).collect());
        let stored = self.push(Op::Store { array, subs, value: sum, checked: false }, ty.clone(), loc, &mut inner);
        let filled = self.push(Op::Fill(zero), ty, loc, out);
        self.nest((&outside, loc), (filled, array), (&mut inner, stored));
        if let Some(outermost) = inner.last_mut() {
            outermost.results = vec![result];
        }
        out.extend(inner);
    }

    /// Loops around the statements, the innermost first, which carry one value from `first` on; gives its last state.
    fn nest(
        &mut self,
        (loops, loc): (&[(Value, &Size)], Loc),
        (first, mut carried): (Value, Value),
        (stmts, mut yielded): (&mut Vec<Stmt>, Value),
    ) -> Value {
        for (number, (counter, size)) in loops.iter().enumerate() {
            let init = if number + 1 == loops.len() { first } else { self.func.new_like(first) };
            yielded = self.repeat((*counter, size, loc), (init, carried), (stmts, yielded));
            carried = init;
        }
        yielded
    }

    /// A loop around the statements, which carries one value; gives its last state.
    fn repeat(
        &mut self,
        (counter, size, loc): (Value, &Size, Loc),
        (init, carried): (Value, Value),
        (stmts, yielded): (&mut Vec<Stmt>, Value),
    ) -> Value {
        let inside = std::mem::take(stmts);
        let body = Region { params: vec![counter, carried], stmts: inside, term: Terminator::Yield(vec![yielded]) };
        let trip = self.push(Op::Size(size.clone()), Type::scalar(Class::Index), loc, stmts);
        let ty = self.func.ty(init).clone();
        self.push(Op::For { trip, init: vec![init], body: Box::new(body) }, ty, loc, stmts)
    }

    fn counter(&mut self, named: Value, size: &Size) -> Value {
        let longest = self.func.symbols.without_maximum(size);
        let (counter, _) = new_counter(self.func, named, &longest);
        self.func.names[counter.index()] = None;
        counter
    }

    /// The element of an array at these places, or, where its size is one, at the first: from where it was taken, if that only moved it.
    fn element(&mut self, array: Value, at: &[Value], loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let ty = self.func.ty(array).clone();
        if ty.is_scalar() {
            return array;
        }
        let first = |this: &mut Self, out: &mut Vec<Stmt>| {
            this.push(Op::Const(Const::Int(0)), Type::scalar(Class::Index), loc, out)
        };
        let at: Vec<Value> =
            (0..ty.dims.len()).map(|d| if ty.dims[d].is_one() { first(self, out) } else { at[d] }).collect();
        match self.made.get(&array).map(|made| made.op.clone()) {
            Some(Op::Transpose(of)) if at.len() == 2 => return self.element(of, &[at[1], at[0]], loc, out),
            Some(Op::Fill(of)) => return self.element(of, &at, loc, out),
            Some(Op::Reshape(of)) => {
                let before = self.func.ty(of).dims.clone();
                let long = |dims: &[Size]| (0..dims.len()).filter(|d| !dims[*d].is_one()).collect::<Vec<_>>();
                let (from, to) = (long(&before), long(&ty.dims));
                if from.iter().map(|d| &before[*d]).eq(to.iter().map(|d| &ty.dims[*d])) {
                    let mut places = vec![at[0]; before.len()];
                    from.iter().zip(&to).for_each(|(from, to)| places[*from] = at[*to]);
                    return self.element(of, &places, loc, out);
                }
            }
            Some(Op::Index { array: of, subs, .. }) if subs.len() == self.func.ty(of).dims.len() => {
                if let Some(places) = self.selected(&subs, &at, loc, out) {
                    return self.element(of, &places, loc, out);
                }
            }
            _ => {}
        }
        let subs = at.into_iter().map(Sub::At).collect();
        self.push(Op::Index { array, subs, checked: false }, Type::scalar(ty.class), loc, out)
    }

    /// The places in an array of the element that a selection has at these places.
    fn selected(&mut self, subs: &[Sub], at: &[Value], loc: Loc, out: &mut Vec<Stmt>) -> Option<Vec<Value>> {
        let first = self.push(Op::Const(Const::Int(0)), Type::scalar(Class::Index), loc, out);
        // Trailing dimensions of one element are none of the selection's.
        let at = at.iter().copied().chain(std::iter::repeat(first));
        let places = subs.iter().zip(at).map(|(sub, at)| match sub {
            Sub::All => Some(at),
            Sub::At(place) => Some(*place),
            Sub::Range { start, step, .. } => Some(self.progression((*start, *step, 0), at, loc, out)),
            Sub::Vector(list) => {
                let Op::Range { start, step } = self.made.get(list)?.op else { return None };
                let is_whole = self.func.ty(start).class == Class::Index;
                let by = size_of(self.func, &self.made, step).as_constant().filter(|_| is_whole)?;
                Some(self.progression((start, by, -1), at, loc, out))
            }
        });
        places.collect()
    }

    /// `start + step * at + more`.
    fn progression(
        &mut self,
        (start, step, more): (Value, i64, i64),
        at: Value,
        loc: Loc,
        out: &mut Vec<Stmt>,
    ) -> Value {
        let [start, at] = [start, at].map(|value| size_of(self.func, &self.made, value));
        let place = start.plus(step, &at).add_const(more);
        self.push(Op::Size(place), Type::scalar(Class::Index), loc, out)
    }

    fn push(&mut self, op: Op, ty: Type, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let result = self.func.new_value(ty);
        out.push(Stmt { results: vec![result], op, loc });
        result
    }
}

/// Whether a size is one or that of the dimension.
fn is_one_or(size: &Size, of: &Size) -> bool {
    size.is_one() || size == of
}
