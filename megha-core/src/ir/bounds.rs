//! Bounds of sizes: proofs that one is not negative, and how large one can be.
//!
//! Sizes are computed in 64 bits and reasoned about as whole numbers without bounds. Both agree as long as no size leaves
//! 64 bits; [`Symbols::magnitude`] says when that is certain, from the limits that every argument keeps
//! ([`Symbols::limits`]).

use super::size::{Monomial, Size, SymData, SymDef, Symbols};
use super::{Sym, Value};
use crate::hash::HashMap;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

/// How often a bound may be replaced by the bound of one of its symbols.
const DEPTH: u32 = 6;
/// Steps after which a proof is given up: bounds of many symbols, each with several, would take exponentially many.
const PROOF_STEPS: u32 = 1000;

/// Sizes up to this magnitude, and sums of a few of them, are exact in 64 bits.
pub const LARGEST: u128 = 1 << 62;

impl Symbols {
    /// Whether a size is known to be zero or more.
    pub fn never_negative(&self, size: &Size) -> bool {
        Proof { symbols: self, steps: Cell::new(PROOF_STEPS) }.of_bound(size, DEPTH)
    }

    /// Whether a size whose symbols are whole numbers of a program cannot leave 64 bits.
    pub fn stays_small(&self, size: &Size) -> bool {
        self.sum_stays_small([(1, size)])
    }

    /// The same of a sum of sizes times numbers, in whatever order it is computed.
    pub fn sum_stays_small<'s>(&self, terms: impl IntoIterator<Item = (i64, &'s Size)>) -> bool {
        let sum = terms.into_iter().try_fold(0u128, |sum, (by, size)| {
            let magnitude = if by == 0 { 0 } else { self.magnitude(size, &|_| Some(WHOLE))? };
            Some(sum.saturating_add(magnitude.saturating_mul(u128::from(by.unsigned_abs()))))
        });
        sum.is_some_and(|sum| sum <= LARGEST)
    }

    /// A bound on the magnitude of a size, at most the largest number; `None` if there is none. `value` says what else is known of an
    /// `Index` scalar.
    pub fn magnitude(&self, size: &Size, value: &dyn Fn(Value) -> Option<u128>) -> Option<u128> {
        Magnitudes { symbols: self, value, known: RefCell::default() }.size(size)
    }
}

/// Bounds on magnitudes, each symbol's found once: of what is made of symbols that are made of others, twice each, there is no end.
struct Magnitudes<'s> {
    symbols: &'s Symbols,
    value: &'s dyn Fn(Value) -> Option<u128>,
    known: RefCell<HashMap<Sym, Option<u128>>>,
}

impl Magnitudes<'_> {
    fn size(&self, size: &Size) -> Option<u128> {
        size.terms().try_fold(0u128, |sum, (monomial, coefficient)| {
            let product = self.product(monomial)?.saturating_mul(u128::from(coefficient.unsigned_abs()));
            Some(sum.saturating_add(product))
        })
    }

    fn product(&self, monomial: &Monomial) -> Option<u128> {
        let direct = self.product_of_symbols(monomial);
        if monomial.len() < 2 {
            return direct;
        }
        // A number below a size, times another size of the same array, is below the array's number of elements.
        let bounded = (0..monomial.len()).flat_map(|at| {
            let data = self.symbols.get(monomial[at]);
            let counts = is_natural(data) && matches!(data.def, SymDef::Value(_));
            let most = if counts { &data.at_most[..] } else { &[] };
            let others = [&monomial[..at], &monomial[at + 1..]].concat();
            let times = move |most: &Size| others.iter().fold(most.clone(), |product, s| product.mul(&Size::sym(*s)));
            most.iter().filter_map(move |most| self.size(&times(most)))
        });
        bounded.chain(direct).min()
    }

    /// Of one array, the product of the extents along different axes is an argument's number of elements, or that of a part
    /// of its axes, and keeps the limit too.
    fn product_of_symbols(&self, monomial: &Monomial) -> Option<u128> {
        let mut counted: Vec<(usize, usize)> = Vec::new();
        monomial.iter().try_fold(1u128, |product, sym| {
            if let SymDef::Dim(param, axis) = self.symbols.get(*sym).def {
                let of_another = counted.iter().any(|(p, a)| *p == param && *a != axis);
                let again = counted.contains(&(param, axis));
                counted.push((param, axis));
                if of_another && !again {
                    return Some(product);
                }
            }
            Some(product.saturating_mul(self.symbol(*sym)?))
        })
    }

    fn symbol(&self, sym: Sym) -> Option<u128> {
        if let Some(known) = self.known.borrow().get(&sym) {
            return *known;
        }
        // A bound that leads back to this symbol says nothing.
        self.known.borrow_mut().insert(sym, None);
        let found = self.find(sym);
        self.known.borrow_mut().insert(sym, found);
        found
    }

    /// What a divisor's magnitude is at least.
    fn least_divisor(&self, by: &Size) -> u128 {
        let least = |sym: Sym| self.symbols.get(sym).at_least.iter().filter_map(Size::as_constant).max();
        let known = by.as_constant().map(i64::abs).or_else(|| by.as_sym().and_then(least));
        known.and_then(|least| u128::try_from(least).ok()).unwrap_or(1).max(1)
    }

    fn find(&self, sym: Sym) -> Option<u128> {
        let data = self.symbols.get(sym);
        let tightest = |bounds: &[Size]| bounds.iter().filter_map(|size| self.size(size)).min();
        match &data.def {
            SymDef::Dim(..) => Some(self.symbols.limits().elements.unsigned_abs().into()),
            SymDef::Min(a, b) if is_natural(data) => [a, b].into_iter().filter_map(|size| self.size(size)).min(),
            SymDef::Max(a, b) | SymDef::Min(a, b) => Some(self.size(a)?.max(self.size(b)?)),
            SymDef::FloorDiv(a, by) => Some(self.size(a)?.div_ceil(self.least_divisor(by))),
            SymDef::Value(of) => match (tightest(&data.at_least), tightest(&data.at_most)) {
                (Some(least), Some(most)) => Some(least.max(most).min((self.value)(*of).unwrap_or(u128::MAX))),
                _ => (self.value)(*of),
            },
        }
    }
}

/// Whether a symbol is known never to be negative.
fn is_natural(data: &SymData) -> bool {
    data.at_least.iter().any(|least| least.as_constant().is_some_and(|c| c >= 0))
}

/// No loop gets to a larger count: 2^51 iterations take a month.
pub const COUNTED: u128 = 1 << 51;

/// The largest whole number that a program may use as one: its neighbours are exact in `Double` too.
pub const WHOLE: u128 = (1 << 53) - 1;

/// A term of a size: a product of symbols that lies in a size of the program, and its coefficient.
type Term<'s> = (&'s [Sym], i64);

/// A proof that a size is not negative, as far as its steps go. Lowering asks for thousands, and most of their steps lead nowhere, so the
/// sizes on the way are lists of terms that own nothing.
struct Proof<'s> {
    symbols: &'s Symbols,
    steps: Cell<u32>,
}

impl<'s> Proof<'s> {
    fn of_bound(&self, size: &'s Size, depth: u32) -> bool {
        match size.as_constant() {
            Some(c) => c >= 0,
            None => self.holds(&terms_of(size), depth),
        }
    }

    /// Proves `size >= 0` by replacing one symbol after another by a bound that makes the size smaller.
    fn holds(&self, size: &[Term<'s>], depth: u32) -> bool {
        match size {
            [] => return true,
            [([], c)] => return *c >= 0,
            _ => {}
        }
        let Some(left) = self.steps.get().checked_sub(1) else { return false };
        self.steps.set(left);
        if size.iter().all(|(m, c)| *c >= 0 && m.iter().all(|s| self.symbol_holds(*s, depth))) {
            return true;
        }
        depth > 0 && symbols_of(size).into_iter().any(|sym| self.by_bound_of(size, sym, depth))
    }

    /// Only of symbols that occur in one term of degree one: the sign of the coefficient then says which bound to take.
    fn by_bound_of(&self, size: &[Term<'s>], sym: Sym, depth: u32) -> bool {
        let Some(at) = only_place(size, sym) else { return false };
        let c = size[at].1;
        let data = self.symbols.get(sym);
        let with = |bound: &'s Size| self.holds(&replaced(size, at, c, bound), depth - 1);
        // The larger of two is bounded from above by neither alone, but each case can be proven on its own.
        let cases = match &data.def {
            SymDef::Max(a, b) if c < 0 => Some((a, b)),
            SymDef::Min(a, b) if c > 0 => Some((a, b)),
            _ => None,
        };
        if let Some((a, b)) = cases
            && with(a)
            && with(b)
        {
            return true;
        }
        // d * floor(a / d) is at most a.
        if let SymDef::FloorDiv(a, by) = &data.def
            && let Some(by) = by.as_constant().filter(|by| c < 0 && *by > 0 && c % by == 0)
            && self.holds(&replaced(size, at, c / by, a), depth - 1)
        {
            return true;
        }
        let bounds = if c > 0 { &data.at_least } else { &data.at_most };
        bounds.iter().any(with)
    }

    fn symbol_holds(&self, sym: Sym, depth: u32) -> bool {
        depth > 0 && self.symbols.get(sym).at_least.iter().any(|bound| self.of_bound(bound, depth - 1))
    }
}

fn terms_of(size: &Size) -> Vec<Term<'_>> {
    size.terms().map(|(m, c)| (m.as_slice(), c)).collect()
}

/// The symbols of a size, the latest first, each once.
fn symbols_of(size: &[Term<'_>]) -> Vec<Sym> {
    let mut symbols: Vec<Sym> = Vec::new();
    for (product, _) in size {
        for sym in *product {
            let mut at = 0;
            while at < symbols.len() && symbols[at] > *sym {
                at += 1;
            }
            if symbols.get(at) != Some(sym) {
                symbols.insert(at, *sym);
            }
        }
    }
    symbols
}

/// The number of the term in which alone a symbol occurs, if it is alone there.
fn only_place(size: &[Term<'_>], sym: Sym) -> Option<usize> {
    let mut found = None;
    for (at, (product, _)) in size.iter().enumerate() {
        if product.contains(&sym) {
            if product.len() > 1 || found.is_some() {
                return None;
            }
            found = Some(at);
        }
    }
    found
}

/// The size with so many times another one in the place of a term: both lists are in order, so they are merged.
fn replaced<'s>(size: &[Term<'s>], place: usize, times: i64, other: &'s Size) -> Vec<Term<'s>> {
    let others = other.list();
    let mut terms = Vec::with_capacity(size.len() + others.len());
    let (mut own, mut added) = (0, 0);
    loop {
        if own == place {
            own += 1;
        }
        let order = match (size.get(own), others.get(added)) {
            (None, None) => return terms,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((m, _)), Some((n, _))) => compared(m, n),
        };
        let product = if order.is_ge() { others[added].1.saturating_mul(times) } else { 0 };
        match order {
            Ordering::Less => terms.push(size[own]),
            Ordering::Greater => terms.push((&others[added].0, product)),
            Ordering::Equal => {
                let sum = size[own].1.saturating_add(product);
                if sum != 0 {
                    terms.push((size[own].0, sum));
                }
            }
        }
        own += usize::from(order.is_le());
        added += usize::from(order.is_ge());
    }
}

/// The order of products in a size.
fn compared(a: &[Sym], b: &[Sym]) -> Ordering {
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at].cmp(&b[at]);
        }
        at += 1;
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::SymData;
    use crate::ir::size::Limits;

    fn symbols() -> (Symbols, [Size; 3]) {
        let mut symbols = Symbols::default();
        let mut define = |name: &str, def, at_least: Vec<Size>, at_most: Vec<Size>| {
            Size::sym(symbols.define(SymData { name: name.to_owned(), def, at_least, at_most }))
        };
        let n = define("n", SymDef::Dim(0, 0), vec![Size::constant(0)], Vec::new());
        let m = define("m", SymDef::Dim(0, 1), vec![Size::constant(0)], Vec::new());
        let last = n.add_const(-1);
        let i = define("i", SymDef::Value(Value::new(3)), vec![Size::constant(0)], vec![last]);
        symbols.set_limits(Limits { numbers: 1 << 40, elements: 1 << 40 });
        (symbols, [n, m, i])
    }

    #[test]
    fn quotients_and_minima_are_smaller() {
        let (mut symbols, [n, m, _]) = symbols();
        let mut define = |def, at_least: i64| {
            let at_least = vec![Size::constant(at_least)];
            Size::sym(symbols.define(SymData { name: "q".to_owned(), def, at_least, at_most: Vec::new() }))
        };
        let width = define(SymDef::Min(Size::constant(1024), n.clone()), 512);
        let either = define(SymDef::Min(n.add_const(-5), Size::constant(7)), -5);
        let strips = define(SymDef::FloorDiv(n.clone(), width.clone()), 0);
        let blocks = define(SymDef::FloorDiv(n.clone(), Size::constant(1 << 11)), 0);
        let unknown = define(SymDef::FloorDiv(n, m), 0);
        let magnitude = |size: &Size| symbols.magnitude(size, &|_| None);
        assert_eq!(magnitude(&width), Some(1024), "it is not negative");
        assert_eq!(magnitude(&either), Some((1 << 40) + 5), "it may be");
        assert_eq!(magnitude(&strips), Some((1 << 40) / 512), "the divisor is at least 512");
        assert_eq!(magnitude(&blocks), Some((1 << 40) >> 11));
        assert_eq!(magnitude(&unknown), Some(1 << 40));
    }

    #[test]
    fn a_counter_is_as_large_as_its_bounds() {
        let (symbols, [n, m, i]) = symbols();
        let magnitude = |size: &Size| symbols.magnitude(size, &|_| None);
        assert_eq!(magnitude(&i), Some((1 << 40) + 1));
        assert_eq!(magnitude(&i.scale(-3).add_const(5)), Some(3 * ((1 << 40) + 1) + 5));
        assert_eq!(magnitude(&n.mul(&m)), Some(1 << 40), "the elements of one array");
        assert_eq!(magnitude(&n.mul(&n)), Some(1 << 80));
        assert_eq!(magnitude(&n.mul(&m).mul(&m)), Some(1 << 80));
        assert_eq!(magnitude(&i.mul(&m)), Some(2 << 40), "i < n, and n*m are the elements of one array");
        assert_eq!(magnitude(&i.mul(&i)), Some((1 << 80) + (2 << 40) + 1), "squares are not");
        let large = (0..4).fold(Size::constant(1), |product, _| product.mul(&n));
        assert_eq!(magnitude(&large), Some(u128::MAX), "beyond 128 bits");
    }

    #[test]
    fn values_without_bounds_are_asked_about() {
        let (mut symbols, [n, ..]) = symbols();
        let def = SymDef::Value(Value::new(7));
        let v = Size::sym(symbols.define(SymData { name: "v".into(), def, at_least: Vec::new(), at_most: Vec::new() }));
        assert_eq!(symbols.magnitude(&v.add(&n), &|_| None), None);
        assert_eq!(symbols.magnitude(&v.add(&n), &|_| Some(8)), Some((1 << 40) + 8));
    }

    #[test]
    fn terms_are_replaced_as_by_sums() {
        let (_, [n, m, i]) = symbols();
        let size = n.mul(&m).add(&i.scale(-2)).add(&m).add_const(3);
        let square = n.mul(&m).scale(3).add(&n).add_const(-2);
        for by in [Size::constant(0), Size::constant(2), n.sub(&m), square, n.mul(&m).scale(2), i.clone()] {
            for (sym, times) in [(&i, -2), (&i, 1)] {
                let (terms, sym) = (terms_of(&size), sym.as_sym().unwrap());
                let sum = size.plus(2, &Size::sym(sym)).plus(times, &by);
                let at = only_place(&terms, sym).unwrap();
                assert_eq!(replaced(&terms, at, times, &by), terms_of(&sum), "{by}");
            }
            assert_eq!(only_place(&terms_of(&size), m.as_sym().unwrap()), None);
        }
        let all = symbols_of(&terms_of(&size));
        assert_eq!(all, [&i, &m, &n].map(|size| size.as_sym().unwrap()));
    }

    #[test]
    fn bounds_prove_that_sizes_are_not_negative() {
        let (symbols, [n, m, i]) = symbols();
        assert!(symbols.never_negative(&n.add(&m)));
        assert!(symbols.never_negative(&n.sub(&i).add_const(-1)));
        assert!(!symbols.never_negative(&n.add_const(-1)));
        assert!(!symbols.never_negative(&m.sub(&i)));
    }
}
