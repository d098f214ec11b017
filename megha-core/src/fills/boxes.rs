//! What a store in counted loops stores, as a box.

use super::Search;
use super::chain::Touch;
use crate::affine::LinExpr;
use crate::ir::{Size, Sub, Type, Value, Written};
use crate::kernels::accesses::{AffineView, Atom, Counted, Extent};

/// The box that a store in all iterations of its loops stores, made of what is known before them, and the counters of the loops in each of whose iterations it
/// stores all of it; `None` if it is no box or not known.
pub(super) fn stored<'f>(
    search: &Search<'f>,
    view: &mut AffineView<'f>,
    ty: &Type,
    store: &Touch,
) -> Option<(Written, Vec<Value>)> {
    if !store.others.iter().all(|other| are_equal(view, &store.subs, other)) {
        return None;
    }
    let mut boxed = Boxed { search, view, unused: store.loops.clone() };
    let rank = ty.dims.len();
    let mut written =
        Written { first: vec![Size::default(); rank], count: vec![Size::constant(1); rank], rounds: Vec::new() };
    let long: Vec<usize> = (0..rank).filter(|axis| !ty.dims[*axis].is_one()).collect();
    let axes: Vec<usize> = match (store.subs.len(), &long[..]) {
        (len, _) if len == rank => (0..rank).collect(),
        // One subscript of a vector.
        (1, [axis]) => vec![*axis],
        _ => return None,
    };
    for (sub, axis) in store.subs.iter().zip(axes) {
        (written.first[axis], written.count[axis]) = boxed.side(sub, &ty.dims[axis])?;
    }
    let unused = std::mem::take(&mut boxed.unused);
    for counted in &unused {
        let extent = boxed.extent(counted)?;
        // Points of a kernel that store one element: there is one of them.
        let is_kernels = store.loops[store.parallel.clone()].contains(counted);
        if is_kernels && !extent.is_one() {
            return None;
        }
        if extent.as_constant().is_none_or(|extent| extent < 1) {
            written.rounds.push(extent);
        }
    }
    let is_known = written.each_size().all(|size| search.is_known(size));
    is_known.then(|| (written, unused.iter().map(|counted| counted.counter).collect()))
}

/// Whether these subscripts are those of one element.
fn are_equal(view: &mut AffineView<'_>, subs: &[Sub], others: &[Sub]) -> bool {
    subs.len() == others.len()
        && subs.iter().zip(others).all(|pair| match pair {
            (Sub::At(a), Sub::At(b)) => a == b || view.expr(*a).is_some_and(|a| view.expr(*b) == Some(a)),
            (a, b) => a == b,
        })
}

/// Whether a box is worth leaving out: only along dimensions that are constants is it so many elements thick for all sizes.
pub(super) fn is_large(written: &Written, dims: &[Size]) -> bool {
    let is_long = |(count, dim): (&Size, &Size)| count.as_constant().is_none() || dim.as_constant().is_some();
    written.count.iter().zip(dims).all(is_long)
}

impl Search<'_> {
    /// Whether a size is made of what is known at the filling.
    fn is_known(&self, size: &Size) -> bool {
        size.symbols().all(|sym| self.func.symbols.is_known(sym, &|value| self.known.contains(&value)))
    }
}

struct Boxed<'b, 'f> {
    search: &'b Search<'f>,
    view: &'b mut AffineView<'f>,
    /// The loops that no subscript follows.
    unused: Vec<Counted>,
}

impl Boxed<'_, '_> {
    /// The first element along a dimension, and how many.
    fn side(&mut self, sub: &Sub, dim: &Size) -> Option<(Size, Size)> {
        match sub {
            Sub::All => Some((Size::default(), dim.clone())),
            Sub::Range { start, step: 1, len } => Some((self.size_of(*start)?, len.clone())),
            Sub::At(value) => self.followed(*value),
            Sub::Range { .. } | Sub::Vector(_) => None,
        }
    }

    /// A value that no loop changes, as a size.
    fn size_of(&mut self, value: Value) -> Option<Size> {
        let expr = self.view.expr(value)?;
        self.size(&expr)
    }

    /// The elements that a subscript goes through which follows at most one loop, one by one.
    fn followed(&mut self, value: Value) -> Option<(Size, Size)> {
        let expr = self.view.expr(value)?;
        let counters: Vec<LinExpr> =
            self.unused.clone().iter().map(|l| self.view.expr(l.counter)).collect::<Option<_>>()?;
        let step = |counter: &LinExpr| counter.terms().next().map_or(0, |(var, _)| expr.coefficient(var));
        let Some(at) = counters.iter().position(|counter| step(counter) != 0) else {
            return Some((self.size(&expr)?, Size::constant(1)));
        };
        let by = Some(step(&counters[at])).filter(|by| by.abs() == 1)?;
        let rest = expr.checked_sub(&counters[at].checked_scale(by)?)?;
        let (start, counted) = (self.size(&rest)?, self.unused.remove(at));
        let count = self.extent(&counted)?;
        let first = if by > 0 { start } else { start.sub(&count).add_const(1) };
        Some((first, count))
    }

    /// How many iterations a loop has.
    fn extent(&mut self, counted: &Counted) -> Option<Size> {
        match &counted.extent {
            Extent::Size(size) => Some(size.clone()),
            Extent::Trip(trip) => self.search.defs.trip_size(*trip).or_else(|| self.size_of(*trip)),
        }
    }

    /// An expression of symbols as a size. Counters of loops that are followed already have none that is known at the filling.
    fn size(&self, expr: &LinExpr) -> Option<Size> {
        expr.terms().try_fold(Size::constant(expr.constant_term()), |sum, (var, by)| {
            let term = match self.view.atom(var) {
                Atom::Value(value) => Size::sym(self.search.defs.symbol_of(*value)?),
                Atom::Symbol(sym) => Size::sym(*sym),
                Atom::Product(syms) => {
                    syms.iter().fold(Size::constant(1), |product, sym| product.mul(&Size::sym(*sym)))
                }
                Atom::Trip(_) | Atom::Quotient(..) => return None,
            };
            Some(sum.plus(by, &term))
        })
    }
}
