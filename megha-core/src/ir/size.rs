//! Symbolic sizes: polynomials with integer coefficients over the symbols of a function, in canonical form.

use super::bounds::WHOLE;
use super::entity::{Sym, Value};
use std::fmt;

/// A product of symbols, sorted; empty for the constant term.
pub type Monomial = Vec<Sym>;

/// An integer polynomial over symbols: no zero coefficients, monomials in order, so `==` is equality of polynomials.
/// Coefficients saturate; sizes near 2^63 exist nowhere.
///
/// Most have one or two terms, and they are copied and compared everywhere: a list costs an unoptimised compiler far less than a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Size {
    terms: Vec<(Monomial, i64)>,
}

impl Size {
    /// A known number.
    pub fn constant(value: i64) -> Self {
        Self { terms: if value == 0 { Vec::new() } else { vec![(Monomial::new(), value)] } }
    }

    /// One symbol.
    pub fn sym(sym: Sym) -> Self {
        Self { terms: vec![(vec![sym], 1)] }
    }

    /// The terms: monomial and coefficient.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(m, c)| (m, *c))
    }

    /// The terms in order.
    pub(super) fn list(&self) -> &[(Monomial, i64)] {
        &self.terms
    }

    /// The number, if no symbol occurs.
    pub fn as_constant(&self) -> Option<i64> {
        match &self.terms[..] {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(*c),
            _ => None,
        }
    }

    /// The symbol, if this is exactly one symbol.
    pub fn as_sym(&self) -> Option<Sym> {
        match &self.terms[..] {
            [(m, 1)] if m.len() == 1 => Some(m[0]),
            _ => None,
        }
    }

    /// Whether this is the constant one.
    pub fn is_one(&self) -> bool {
        self.as_constant() == Some(1)
    }

    /// The constant term.
    pub fn constant_term(&self) -> i64 {
        // Its monomial is empty, so it comes first.
        self.terms.first().filter(|(m, _)| m.is_empty()).map_or(0, |(_, c)| *c)
    }

    /// The largest number of symbols in one product.
    pub fn degree(&self) -> usize {
        self.terms.iter().map(|(m, _)| m.len()).max().unwrap_or(0)
    }

    /// All symbols that occur.
    pub fn symbols(&self) -> impl Iterator<Item = Sym> + '_ {
        self.terms.iter().flat_map(|(m, _)| m).copied()
    }

    /// The number that a symbol is multiplied with, if it occurs in one term and alone there.
    pub fn only_factor(&self, sym: Sym) -> Option<i64> {
        let mut holding = self.terms.iter().filter(|(m, _)| m.contains(&sym));
        match (holding.next(), holding.next()) {
            (Some((m, c)), None) if m.len() == 1 => Some(*c),
            _ => None,
        }
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        self.plus(1, other)
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Self {
        self.plus(-1, other)
    }

    /// The sum with a multiple of another size: both lists are in order, so they are merged.
    pub fn plus(&self, times: i64, other: &Self) -> Self {
        if times == 0 {
            return self.clone();
        }
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut own, mut added) = (&self.terms[..], &other.terms[..]);
        while let ([(m, c), own_rest @ ..], [(n, d), added_rest @ ..]) = (own, added) {
            let order = m.cmp(n);
            if order.is_eq() {
                let sum = c.saturating_add(d.saturating_mul(times));
                if sum != 0 {
                    terms.push((m.clone(), sum));
                }
            } else if order.is_lt() {
                terms.push((m.clone(), *c));
            } else {
                terms.push((n.clone(), d.saturating_mul(times)));
            }
            own = if order.is_le() { own_rest } else { own };
            added = if order.is_ge() { added_rest } else { added };
        }
        terms.extend_from_slice(own);
        for (n, d) in added {
            terms.push((n.clone(), d.saturating_mul(times)));
        }
        Self { terms }
    }

    /// The product with a number.
    pub fn scale(&self, by: i64) -> Self {
        if by == 0 {
            return Self::default();
        }
        Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), c.saturating_mul(by))).collect() }
    }

    /// The sum with a number.
    pub fn add_const(&self, by: i64) -> Self {
        let mut out = self.clone();
        out.add_term(&Monomial::new(), by);
        out
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        let mut out = Self::default();
        for (m1, c1) in &self.terms {
            for (m2, c2) in &other.terms {
                let mut m = m1.clone();
                m.extend_from_slice(m2);
                m.sort_unstable();
                out.add_term(&m, c1.saturating_mul(*c2));
            }
        }
        out
    }

    /// The quotient by a number, if every coefficient is a multiple of it.
    pub fn div_exact(&self, by: i64) -> Option<Self> {
        if by == 0 || self.terms.iter().any(|(_, c)| c % by != 0) {
            return None;
        }
        Some(Self { terms: self.terms.iter().map(|(m, c)| (m.clone(), c / by)).collect() })
    }

    /// Replaces symbols by sizes.
    pub fn substitute(&self, f: &mut impl FnMut(Sym) -> Size) -> Self {
        let mut out = Self::default();
        for (m, c) in &self.terms {
            let product = m.iter().fold(Self::constant(*c), |p, s| p.mul(&f(*s)));
            out = out.add(&product);
        }
        out
    }

    /// The value when each symbol has the given one.
    pub fn eval(&self, f: &impl Fn(Sym) -> i64) -> i64 {
        self.terms.iter().map(|(m, c)| m.iter().fold(*c, |p, s| p.saturating_mul(f(*s)))).fold(0, i64::saturating_add)
    }

    fn add_term(&mut self, m: &Monomial, c: i64) {
        match self.terms.binary_search_by(|(own, _)| own.cmp(m)) {
            Ok(at) => {
                let sum = &mut self.terms[at].1;
                *sum = sum.saturating_add(c);
                if *sum == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if c != 0 => self.terms.insert(at, (m.clone(), c)),
            Err(_) => {}
        }
    }

    /// The text with each symbol written by `name`: `2*n*m + n - 1`.
    pub fn display_with(&self, name: &impl Fn(Sym) -> String) -> String {
        let mut text = String::new();
        let constant_last = self.terms.iter().filter(|(m, _)| !m.is_empty());
        for (m, c) in constant_last.chain(self.terms.iter().filter(|(m, _)| m.is_empty())) {
            let product: Vec<String> = m.iter().map(|s| name(*s)).collect();
            let magnitude = c.unsigned_abs();
            let body = match (product.is_empty(), magnitude) {
                (true, _) => magnitude.to_string(),
                (false, 1) => product.join("*"),
                (false, _) => format!("{magnitude}*{}", product.join("*")),
            };
            match (text.is_empty(), *c < 0) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            text.push_str(&body);
        }
        if text.is_empty() { "0".into() } else { text }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display_with(&|s| s.to_string()))
    }
}

/// What a symbol stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SymDef {
    /// The size of an input: parameter number and axis, both from zero.
    Dim(usize, usize),
    /// The value of an `Index` scalar.
    Value(Value),
    /// The larger of two sizes.
    Max(Size, Size),
    /// The smaller of two sizes.
    Min(Size, Size),
    /// The quotient, rounded down.
    FloorDiv(Size, Size),
}

/// A symbol: its definition and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymData {
    /// The name in printed sizes, unique in the function.
    pub name: String,
    /// What it stands for.
    pub def: SymDef,
    /// Sizes it is never below.
    pub at_least: Vec<Size>,
    /// Sizes it is never above.
    pub at_most: Vec<Size>,
}

/// What no argument of a function exceeds; whoever calls the function sees to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The magnitude of `Index` arguments.
    pub numbers: i64,
    /// The number of elements of array arguments, axes without elements left out.
    pub elements: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { numbers: WHOLE as i64, elements: WHOLE as i64 }
    }
}

/// The symbols of a function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Symbols {
    table: Vec<SymData>,
    limits: Limits,
}

impl Symbols {
    /// Adds a symbol; a `Max`, `Min` or `FloorDiv` that exists already is found again.
    pub fn define(&mut self, data: SymData) -> Sym {
        let existing = self.table.iter().position(|d| d.def == data.def);
        if let Some(found) = existing {
            return Sym::new(found);
        }
        self.table.push(data);
        Sym::new(self.table.len() - 1)
    }

    /// What the arguments keep to.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets [`Symbols::limits`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Whether a symbol's value is known where these values are: it is the size of an argument, or made of them.
    pub fn is_known(&self, sym: Sym, value: &dyn Fn(Value) -> bool) -> bool {
        self.all_values(vec![sym], &mut |v| value(v))
    }

    /// Whether a size is made of nothing but the sizes of arguments and `Index` scalars of which this holds.
    pub fn is_made_of(&self, size: &Size, value: &dyn Fn(Value) -> bool) -> bool {
        self.all_values(size.symbols().collect(), &mut |v| value(v))
    }

    /// A size that bounds the same counters: of `max(0, e)` just `e`.
    pub fn without_maximum(&self, size: &Size) -> Size {
        let not_positive = |s: &Size| s.as_constant().is_some_and(|c| c <= 0);
        match size.as_sym().map(|sym| &self.get(sym).def) {
            Some(SymDef::Max(a, b)) if not_positive(a) => b.clone(),
            Some(SymDef::Max(a, b)) if not_positive(b) => a.clone(),
            _ => size.clone(),
        }
    }

    /// The data of a symbol.
    pub fn get(&self, sym: Sym) -> &SymData {
        &self.table[sym.index()]
    }

    /// The data of a symbol, to be changed.
    pub fn get_mut(&mut self, sym: Sym) -> &mut SymData {
        &mut self.table[sym.index()]
    }

    /// All symbols in order of definition: a definition mentions earlier symbols only.
    pub fn iter(&self) -> impl Iterator<Item = (Sym, &SymData)> {
        self.table.iter().enumerate().map(|(i, d)| (Sym::new(i), d))
    }

    /// The symbol of this name.
    pub fn by_name(&self, name: &str) -> Option<Sym> {
        self.table.iter().position(|d| d.name == name).map(Sym::new)
    }

    /// The text of a size with the symbols' names.
    pub fn show(&self, size: &Size) -> String {
        size.display_with(&|s| self.get(s).name.clone())
    }

    /// The text of a size in terms of the inputs; `None` if it depends on what only the run knows.
    pub fn tell(&self, size: &Size) -> Option<String> {
        let known = std::cell::Cell::new(true);
        let of = |name: &str, a: &Size, b: &Size| match (self.tell(a), self.tell(b)) {
            (Some(a), Some(b)) => Some(format!("{name}({a}, {b})")),
            _ => None,
        };
        let text = size.display_with(&|sym| {
            let data = self.get(sym);
            let text = match &data.def {
                // A name of its own is one that a signature gave.
                SymDef::Value(value) if data.name == format!("v{}", value.index()) => None,
                SymDef::Dim(..) | SymDef::Value(_) => Some(data.name.clone()),
                SymDef::Max(a, b) => of("max", a, b),
                SymDef::Min(a, b) => of("min", a, b),
                SymDef::FloorDiv(a, b) => of("floordiv", a, b),
            };
            known.set(known.get() && text.is_some());
            text.unwrap_or_default()
        });
        known.get().then_some(text)
    }

    /// Calls `f` on each `Index` scalar that a size depends on, also through other symbols.
    pub fn for_each_value(&self, size: &Size, f: &mut impl FnMut(Value)) {
        let visit = &mut |value| {
            f(value);
            true
        };
        self.all_values(size.symbols().collect(), visit);
    }

    /// Whether `f` holds of each `Index` scalar that symbols depend on. Each symbol is looked at once: through maxima of maxima of shared
    /// sizes lead as many ways as there are subsets.
    fn all_values(&self, mut found: Vec<Sym>, f: &mut dyn FnMut(Value) -> bool) -> bool {
        let mut at = 0;
        while let Some(sym) = found.get(at).copied() {
            at += 1;
            match &self.get(sym).def {
                SymDef::Dim(..) => {}
                SymDef::Value(value) => {
                    if !f(*value) {
                        return false;
                    }
                }
                SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => {
                    for sym in a.symbols().chain(b.symbols()) {
                        if !found.contains(&sym) {
                            found.push(sym);
                        }
                    }
                }
            }
        }
        true
    }

    /// The `Index` scalars that symbols stand for.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.table.iter().filter_map(|data| if let SymDef::Value(value) = data.def { Some(value) } else { None })
    }

    /// Gives parameters new numbers: number `p` becomes `moved[p]`.
    pub fn renumber_params(&mut self, moved: &[usize]) {
        for data in &mut self.table {
            if let SymDef::Dim(param, _) = &mut data.def {
                *param = moved[*param];
            }
        }
    }

    /// Forgets all symbols but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.table.truncate(len);
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }
}

impl FromIterator<SymData> for Symbols {
    /// The table with exactly these entries, in this order.
    fn from_iter<T: IntoIterator<Item = SymData>>(list: T) -> Self {
        Self { table: list.into_iter().collect(), limits: Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symbol_is_looked_at_once() {
        // The n-th symbol is the larger of the two before it: 2 to the power of 40 ways lead from the last to the first.
        let mut symbols = Symbols::default();
        let mut define = |def| {
            let name = format!("s{}", symbols.len());
            symbols.define(SymData { name, def, at_least: Vec::new(), at_most: Vec::new() })
        };
        let mut sizes = vec![Size::sym(define(SymDef::Dim(0, 0))), Size::sym(define(SymDef::Value(Value::new(7))))];
        for n in 2..60 {
            let (a, b) = (sizes[n - 2].clone(), sizes[n - 1].add_const(1));
            sizes.push(Size::sym(define(SymDef::Max(a, b))));
        }
        let mut values = Vec::new();
        symbols.for_each_value(&sizes[59], &mut |v| values.push(v));
        assert_eq!(values, [Value::new(7)]);
        assert!(symbols.is_made_of(&sizes[59], &|v| v == Value::new(7)));
        assert!(!symbols.is_known(sizes[59].as_sym().unwrap(), &|_| false));
        assert!(symbols.is_made_of(&sizes[0], &|_| false));
    }

    #[test]
    fn sums_merge_terms_in_order() {
        let [n, m, k] = [0, 1, 2].map(|s| Size::sym(Sym::new(s)));
        let (a, b) = (n.scale(2).add(&k).add_const(5), m.add(&k.scale(-1)).add(&n.mul(&m)).add_const(-5));
        assert_eq!(a.add(&b).to_string(), b.add(&a).to_string());
        assert_eq!(a.add(&b), n.scale(2).add(&m).add(&n.mul(&m)));
        assert_eq!(a.plus(3, &b).sub(&b.scale(3)), a);
        assert_eq!(a.sub(&a), Size::default());
        assert_eq!(a.plus(0, &b), a);
    }

    #[test]
    fn a_factor_is_of_a_symbol_that_stands_alone() {
        let [n, m] = [0, 1].map(Sym::new);
        let size = Size::sym(n).scale(-3).add(&Size::sym(m).mul(&Size::sym(m))).add(&Size::sym(m));
        assert_eq!((size.only_factor(n), size.only_factor(m)), (Some(-3), None));
    }
}
