//! Subscripts in canonical form, to compare the elements that two statements of one iteration touch.

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Const, Op, Size, Stmt, Sym, Symbols, Value};
use std::collections::BTreeMap;

/// A factor of a term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Factor {
    /// An iteration number of the kernel.
    Loop(usize),
    /// A symbol.
    Sym(Sym),
    /// Any other value.
    Value(Value),
}

/// A form with more terms is not kept: the value counts as one factor. Subscripts have few, but products of sums, as Horner's
/// scheme over arrays, would have exponentially many.
const MOST_TERMS: usize = 32;

/// What are compared by size have smaller coefficients: sums of products of two are numbers of 64 bits.
const SMALL: u64 = 1 << 28;

/// A polynomial over iteration numbers, symbols and values: equal forms are equal subscripts, as coefficients wrap like numbers do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Form {
    terms: BTreeMap<Vec<Factor>, i64>,
}

impl Form {
    fn constant(c: i64) -> Self {
        let mut form = Self::default();
        form.add_term(Vec::new(), c);
        form
    }

    fn factor(f: Factor) -> Self {
        Self { terms: BTreeMap::from([(vec![f], 1)]) }
    }

    fn size(size: &Size) -> Self {
        let mut form = Self::default();
        for (m, c) in size.terms() {
            form.add_term(m.iter().map(|s| Factor::Sym(*s)).collect(), c);
        }
        form
    }

    fn add_term(&mut self, mut product: Vec<Factor>, c: i64) {
        product.sort();
        let entry = self.terms.entry(product.clone()).or_insert(0);
        *entry = entry.wrapping_add(c);
        if *entry == 0 {
            self.terms.remove(&product);
        }
    }

    fn add(&self, other: &Self, sign: i64) -> Self {
        let mut out = self.clone();
        for (m, c) in &other.terms {
            out.add_term(m.clone(), c.wrapping_mul(sign));
        }
        out
    }

    fn mul(&self, other: &Self) -> Self {
        let mut out = Self::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                out.add_term(a.iter().chain(b).cloned().collect(), x.wrapping_mul(*y));
            }
        }
        out
    }

    /// Whether an iteration number occurs.
    pub fn varies(&self) -> bool {
        self.terms.keys().flatten().any(|f| !matches!(f, Factor::Sym(_)))
    }

    /// A form that is nowhere less (`upper`), or nowhere more, where the iteration numbers stay below these extents; made of symbols.
    fn bound(&self, extents: &[Form], upper: bool) -> Option<Self> {
        let mut bound = Self::default();
        for (product, c) in &self.terms {
            match product[..] {
                [Factor::Loop(axis)] if (*c > 0) == upper => {
                    let last = extents.get(axis)?.add(&Self::constant(1), -1);
                    bound = bound.add(&last, *c);
                }
                [Factor::Loop(_)] => {}
                _ if product.iter().all(|f| matches!(f, Factor::Sym(_))) => bound.add_term(product.clone(), *c),
                _ => return None,
            }
        }
        Some(bound)
    }

    fn is_small(&self) -> bool {
        self.terms.values().all(|c| c.unsigned_abs() < SMALL)
    }

    /// Whether the one is more than the other in whatever two iterations.
    fn exceeds(&self, other: &Self, extents: &[Form]) -> bool {
        if ![self, other].into_iter().chain(extents).all(Self::is_small) {
            return false;
        }
        let (Some(least), Some(most)) = (self.bound(extents, false), other.bound(extents, true)) else { return false };
        let difference = least.add(&most, -1);
        difference.terms.len() == 1 && difference.terms.get(&Vec::new()).is_some_and(|c| *c > 0)
    }

    /// Whether the two never agree, in whatever iterations: they differ by a constant and no iteration number occurs.
    pub fn never_equals(&self, other: &Self) -> bool {
        if self.varies() || other.varies() {
            return false;
        }
        let difference = self.add(other, -1);
        difference.terms.len() == 1 && difference.terms.contains_key(&Vec::new())
    }
}

/// Forms of the values that a kernel's subscripts are, and are computed from.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    known: HashMap<Value, Form>,
}

impl Forms {
    /// Forms for a body with these iteration numbers; `outer` gives the definitions of host values.
    pub fn of(params: &[Value], outer: &dyn Fn(Value) -> Option<Op>, stmts: &[Stmt]) -> Self {
        let mut forms = Self::default();
        for (i, p) in params.iter().enumerate() {
            forms.known.insert(*p, Form::factor(Factor::Loop(i)));
        }
        let mut ordered: Vec<&Stmt> = Vec::new();
        for stmt in stmts {
            stmt.walk(&mut |stmt| ordered.push(stmt));
        }
        let asked = subscripts(&ordered);
        for stmt in ordered {
            if let [result] = stmt.results[..]
                && asked.contains(&result)
                && let Some(form) = forms.form_of(&stmt.op, outer)
            {
                forms.known.insert(result, form);
            }
        }
        forms
    }

    fn form_of(&self, op: &Op, outer: &dyn Fn(Value) -> Option<Op>) -> Option<Form> {
        let form = match op {
            Op::Const(Const::Int(c)) => Form::constant(*c),
            Op::Size(s) => Form::size(s),
            Op::Binary(Binary::Add, a, b) => self.get_in(*a, outer).add(&self.get_in(*b, outer), 1),
            Op::Binary(Binary::Sub, a, b) => self.get_in(*a, outer).add(&self.get_in(*b, outer), -1),
            Op::Binary(Binary::Mul, a, b) => self.get_in(*a, outer).mul(&self.get_in(*b, outer)),
            _ => return None,
        };
        (form.terms.len() <= MOST_TERMS).then_some(form)
    }

    fn get_in(&self, value: Value, outer: &dyn Fn(Value) -> Option<Op>) -> Form {
        if let Some(form) = self.known.get(&value) {
            return form.clone();
        }
        outer(value).and_then(|op| self.form_of(&op, outer)).unwrap_or_else(|| Form::factor(Factor::Value(value)))
    }

    /// The form of a value.
    pub fn get(&self, value: Value, outer: &dyn Fn(Value) -> Option<Op>) -> Form {
        self.get_in(value, outer)
    }

    /// The forms of subscripts.
    pub fn all(&self, subs: &[Value], outer: &dyn Fn(Value) -> Option<Op>) -> Vec<Form> {
        subs.iter().map(|s| self.get(*s, outer)).collect()
    }
}

/// The values that subscripts are, and those that they are computed from: sums and products of elements have no form that anybody asks for.
fn subscripts(ordered: &[&Stmt]) -> HashSet<Value> {
    let mut asked = HashSet::default();
    for stmt in ordered.iter().rev() {
        match &stmt.op {
            Op::Load(_, subs) | Op::Put(_, subs, _) => asked.extend(subs.iter().copied()),
            Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b)
                if stmt.results.iter().any(|r| asked.contains(r)) =>
            {
                asked.extend([*a, *b]);
            }
            _ => {}
        }
    }
    asked
}

/// Whether two subscript lists name the same element in every iteration.
pub(crate) fn same_element(a: &[Form], b: &[Form]) -> bool {
    a == b
}

/// Whether two subscript lists never name the same element, in whatever two iterations.
pub(crate) fn never_same(a: &[Form], b: &[Form]) -> bool {
    a.len() == b.len() && a.iter().zip(b).any(|(x, y)| x.never_equals(y))
}

/// The numbers of iterations of loops, as bounds of their iteration numbers: where the number is `max(0, e)`, `e`.
pub(crate) fn extents(symbols: &Symbols, domain: &[Size]) -> Vec<Form> {
    domain.iter().map(|size| Form::size(&symbols.without_maximum(size))).collect()
}

/// Whether the elements that one subscript list names lie apart from those of another in some dimension, in whatever two iterations.
pub(crate) fn lie_apart(a: &[Form], b: &[Form], extents: &[Form]) -> bool {
    let apart = |(x, y): (&Form, &Form)| x.exceeds(y, extents) || y.exceeds(x, extents);
    a.len() == b.len() && a.iter().zip(b).any(apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Loc, Mem};

    fn stmt(result: usize, op: Op) -> Stmt {
        Stmt { results: vec![Value::new(result)], op, loc: Loc::new(0) }
    }

    /// `y = (y + a) * (b + c)` so many times, each time with other values.
    fn products_of_sums(steps: usize) -> Form {
        let value = |n: usize| Value::new(n);
        let (mut stmts, mut last) = (Vec::new(), value(0));
        for k in 0..steps {
            let (atoms, sums) = (1 + 3 * k, 1000 + 3 * k);
            stmts.push(stmt(sums, Op::Binary(Binary::Add, last, value(atoms))));
            stmts.push(stmt(sums + 1, Op::Binary(Binary::Add, value(atoms + 1), value(atoms + 2))));
            stmts.push(stmt(sums + 2, Op::Binary(Binary::Mul, value(sums), value(sums + 1))));
            last = value(sums + 2);
        }
        stmts.push(stmt(0, Op::Load(Mem::Out(0), vec![last])));
        Forms::of(&[], &|_| None, &stmts).get(last, &|_| None)
    }

    /// Multiples beyond 64 bits: they are equal where numbers are, and nothing is said of which is larger.
    #[test]
    fn large_coefficients_wrap() {
        let loops = Form::factor(Factor::Loop(0));
        let times = |c: i64| loops.mul(&Form::constant(c));
        assert!(times(i64::MAX).add(&times(i64::MAX), 1) != times(i64::MAX).add(&times(i64::MAX - 1), 1));
        let (low, high) = (Form::constant(i64::MIN), Form::constant(i64::MAX));
        assert!(!high.add(&Form::constant(1), 1).exceeds(&low, &[]) && !high.exceeds(&low, &[]));
        assert!(Form::constant(8).exceeds(&times(1), &[Form::constant(8)]));
        assert!(!Form::constant(7).exceeds(&times(1), &[Form::constant(8 << 40)]));
    }

    #[test]
    fn forms_stay_short() {
        assert_eq!(products_of_sums(1).terms.len(), 4);
        assert_eq!(products_of_sums(2).terms.len(), 10);
        assert!(products_of_sums(60).terms.len() <= MOST_TERMS);
    }
}
