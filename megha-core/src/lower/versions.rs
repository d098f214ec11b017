//! What would have to hold of the arguments so that no store enlarges an array.
//!
//! MATLAB's stores may enlarge arrays, so of `v(1, 2:N-1) = 0`, with `v` of n rows and a number `N`, little is known: `n` may be zero,
//! `N` no whole number, or larger than there are columns. Lowering notes what would settle each such store ([`Lower::wish_inside`]): that
//! a parameter is a whole number, that a sum of sizes and whole parameters is not negative. A function with wishes is
//! lowered again under these assumptions, until there are no new ones ([`super::entry`]); the caller has both forms, and looks
//! at the arguments first ([`crate::ir::version`]).

use super::Lower;
use super::grow::Given;
use crate::ir::{Assumptions, Class, Condition, Quantity, Size, Sym, SymDef, Value};

/// A store for which more conditions would have to hold wishes none.
const MAX_OF_STORE: usize = 12;
/// So far definitions are followed.
const DEPTH: u32 = 12;

/// What is assumed of the arguments of an exported function, and what else would help.
#[derive(Debug, Clone, Default)]
pub(super) struct Versions {
    /// What lowering may rely on.
    pub assumed: Assumptions,
    /// What it wishes.
    pub wished: Assumptions,
    /// The symbols of whole parameters, by their numbers.
    pub numbers: Vec<(Sym, usize)>,
    /// Whether there is anything to wish: in exported functions, not in those that they call.
    pub open: bool,
}

impl Versions {
    /// Both together, in order.
    pub fn all(&self) -> Assumptions {
        let mut all = self.assumed.clone();
        all.whole.extend(&self.wished.whole);
        all.whole.sort_unstable();
        all.whole.dedup();
        all.conditions.extend(self.wished.conditions.iter().cloned());
        all.conditions.sort_unstable();
        all.conditions.dedup();
        all
    }
}

impl Lower<'_> {
    /// Whether a scalar parameter may be taken for a whole number.
    pub fn is_assumed_whole(&self, param: usize) -> bool {
        self.versions.assumed.whole.contains(&param)
    }

    /// Gives symbols the bounds that follow from what is assumed. Each bound is one of the latest symbol of a sum in terms of those before it.
    pub fn rely_on_assumptions(&mut self) {
        for condition in self.versions.assumed.conditions.clone() {
            let Some(size) = self.size_of(&condition) else { continue };
            let mut symbols: Vec<Sym> = size.symbols().collect();
            symbols.sort_unstable();
            let alone = |sym: &Sym| matches!(size.only_factor(*sym), Some(1 | -1));
            let Some(sym) = symbols.into_iter().rev().find(alone) else { continue };
            let factor = size.only_factor(sym).unwrap_or_default();
            let bound = Size::sym(sym).sub(&size.scale(factor));
            let data = self.builder.func.symbols.get_mut(sym);
            if factor > 0 { &mut data.at_least } else { &mut data.at_most }.push(bound);
        }
    }

    fn size_of(&self, condition: &Condition) -> Option<Size> {
        condition.terms.iter().try_fold(Size::constant(condition.constant), |sum, (quantity, factor)| {
            let mut symbols = self.builder.func.symbols.iter();
            let sym = match *quantity {
                Quantity::Extent(param, axis) => symbols.find(|(_, data)| data.def == SymDef::Dim(param, axis))?.0,
                Quantity::Number(param) => self.versions.numbers.iter().find(|(_, own)| *own == param)?.0,
            };
            Some(sum.add(&Size::sym(sym).scale(*factor)))
        })
    }

    /// Notes what would have to hold so that a store with this subscript stays inside: `reach`, where it is the largest, at most
    /// `room`.
    pub fn wish_inside(&mut self, given: &Given, axis: usize, reach: &Size, room: &Size) {
        if !self.versions.open {
            return;
        }
        for value in given.iter().flatten() {
            self.wish_whole(*value, DEPTH);
        }
        let range = given[axis].and_then(|value| self.facts(value).progression);
        // Of a range the last element, even where there may be none: what is assumed need not be all that would do.
        let reach = range.map_or(reach.clone(), |range| {
            if range.step > 0 { range.start.add(&range.len.add_const(-1).scale(range.step)) } else { range.start }
        });
        let inside = room.sub(&reach);
        let symbols: Vec<Sym> = inside.symbols().collect();
        for sym in symbols {
            self.wish_whole_symbol(sym, DEPTH);
        }
        // Of an array that has been enlarged before, only the run knows how large it is.
        let symbols = &self.builder.func.symbols;
        let number = |value| self.versions.numbers.iter().any(|(sym, _)| symbols.get(*sym).def == SymDef::Value(value));
        if !symbols.is_made_of(room, &number) {
            return;
        }
        for condition in self.before_run(&inside, DEPTH).unwrap_or_default() {
            let whole = |(quantity, _): &(Quantity, i64)| match quantity {
                Quantity::Number(param) => Some(*param),
                Quantity::Extent(..) => None,
            };
            self.versions.wished.whole.extend(condition.terms.iter().filter_map(whole));
            self.versions.wished.conditions.push(condition);
        }
    }

    /// Notes that the scalar parameters from which a number is computed should be whole.
    fn wish_whole(&mut self, value: Value, depth: u32) {
        let Some(left) =
            depth.checked_sub(1).filter(|_| self.is_scalar(value) || self.facts(value).progression.is_none())
        else {
            return;
        };
        if let Some(param) = self.builder.func.params.iter().position(|p| p.value == value) {
            let double = self.is_scalar(value) && self.class(value) == Class::Double;
            if double && self.whole_of(value).is_none() {
                self.versions.wished.whole.push(param);
            }
            return;
        }
        let (mut operands, mut sizes) = (Vec::new(), Vec::new());
        if let Some(op) = self.builder.definition(value) {
            op.for_each_operand(&mut |v| operands.push(v));
        }
        operands.retain(|v| self.is_scalar(*v));
        self.builder.func.ty(value).dims.iter().for_each(|size| sizes.extend(size.symbols()));
        operands.into_iter().for_each(|v| self.wish_whole(v, left));
        sizes.into_iter().for_each(|sym| self.wish_whole_symbol(sym, left));
    }

    fn wish_whole_symbol(&mut self, sym: Sym, depth: u32) {
        let Some(left) = depth.checked_sub(1) else { return };
        let data = self.builder.func.symbols.get(sym).clone();
        let mut sizes: Vec<Size> = Vec::new();
        match data.def {
            SymDef::Dim(..) => return,
            SymDef::Value(value) => {
                self.wish_whole(value, left);
                sizes.extend(data.at_most);
            }
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => sizes.extend([a, b]),
        }
        for sym in sizes.iter().flat_map(Size::symbols).filter(|s| *s < sym).collect::<Vec<_>>() {
            self.wish_whole_symbol(sym, left);
        }
    }

    /// Conditions on the arguments that make a size zero or more; `None` where none are found.
    fn before_run(&self, size: &Size, depth: u32) -> Option<Vec<Condition>> {
        if self.never_negative(size) {
            return Some(Vec::new());
        }
        let mut symbols: Vec<Sym> = size.symbols().collect();
        symbols.sort_unstable();
        let Some(sym) = symbols.into_iter().rev().find(|sym| self.quantity(*sym).is_none()) else {
            return self.condition_of(size).map(|condition| vec![condition]);
        };
        let left = depth.checked_sub(1)?;
        let factor = size.only_factor(sym)?;
        let with = |bound: &Size| {
            let replaced = size.sub(&Size::sym(sym).scale(factor)).add(&bound.scale(factor));
            self.before_run(&replaced, left).filter(|conditions| conditions.len() <= MAX_OF_STORE)
        };
        let data = self.builder.func.symbols.get(sym);
        match &data.def {
            SymDef::Max(a, b) if factor < 0 => return Some([with(a)?, with(b)?].concat()),
            SymDef::Min(a, b) if factor > 0 => return Some([with(a)?, with(b)?].concat()),
            // Either will do, but a constant in the place of a size, as in `max(0, n)`, says nothing of it.
            SymDef::Max(a, b) | SymDef::Min(a, b) => {
                return [a, b].into_iter().filter(|size| size.as_constant().is_none()).find_map(with);
            }
            SymDef::Dim(..) | SymDef::Value(_) | SymDef::FloorDiv(..) => {}
        }
        if factor > 0 { &data.at_least } else { &data.at_most }.iter().find_map(with)
    }

    /// What a symbol is of the arguments.
    fn quantity(&self, sym: Sym) -> Option<Quantity> {
        match self.builder.func.symbols.get(sym).def {
            SymDef::Dim(param, axis) => Some(Quantity::Extent(param, axis)),
            SymDef::Value(_) | SymDef::Max(..) | SymDef::Min(..) | SymDef::FloorDiv(..) => {
                self.versions.numbers.iter().find(|(own, _)| *own == sym).map(|(_, param)| Quantity::Number(*param))
            }
        }
    }

    /// That a sum of sizes and numbers of the arguments is zero or more. A constant below zero never will be.
    fn condition_of(&self, size: &Size) -> Option<Condition> {
        let mut condition = Condition { terms: Vec::new(), constant: size.constant_term() };
        for (product, factor) in size.terms().filter(|(product, _)| !product.is_empty()) {
            let [sym] = product[..] else { return None };
            condition.terms.push((self.quantity(sym)?, factor));
        }
        condition.terms.sort_unstable();
        let small = condition.terms.iter().all(|(_, factor)| factor.unsigned_abs() < 1 << 20);
        (small && !condition.terms.is_empty()).then_some(condition)
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::{Job, compile};
    use crate::interp::{self, Array, Datum, Elements, Options, Scalar};
    use crate::ir::{FuncId, Module, Op};
    use crate::source::SourceMap;
    use std::sync::Arc;

    const EDGES: &str = "function v = edges(N, u)\n\
        arguments\n N (1,1) double\n u (n,m) double\n end\n\
        v = zeros(size(u));\n\
        v(1, 2:N-1) = 1;\n\
        for j = 2:N-1\n v(end, j) = u(1, j) + v(1, j-1);\n end\n\
        end\n";

    fn compiled(text: &str) -> Module {
        let mut sources = SourceMap::new();
        let main = sources.add("f.m", text);
        let outcome = compile(Job::text(sources, main));
        assert!(outcome.is_ok(), "{}", crate::diag::render_all(&outcome.diags, &outcome.sources, false));
        outcome.module
    }

    fn resizes(module: &Module, id: FuncId) -> usize {
        module.funcs[id.index()].body.count(|op| matches!(op, Op::Resize(..)))
    }

    #[test]
    fn both_forms_give_the_same() {
        let module = compiled(EDGES);
        let [version] = &module.versions[..] else { panic!("{module}") };
        assert_eq!((version.func.index(), resizes(&module, version.func)), (0, 0));
        assert!(resizes(&module, version.general) > 0);
        let mut general = module.clone();
        general.versions.clear();
        let mut held = 0;
        for (n, m) in [(1, 1), (2, 3), (4, 4), (3, 6)] {
            let elements = Elements::Double((0..n * m).map(|k| k as f64 + 0.5).collect());
            let u = Datum::Array(Arc::new(Array::new(vec![n, m], elements).unwrap()));
            for number in [-3.0, 0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 6.0, 7.0, 9.0] {
                let args = vec![Datum::Scalar(Scalar::Double(number)), u.clone()];
                let run =
                    |module: &Module, id| interp::run(module, id, args.clone(), &Options::default(), &mut Vec::new());
                let whole = number.fract() == 0.0;
                let inside = whole && number <= m as f64;
                held += usize::from(inside);
                let chosen = run(&module, version.func).map_err(|e| e.to_string());
                let by_general = run(&general, version.general).map_err(|e| e.to_string());
                assert_eq!(chosen, by_general, "{n} {m} {number}");
                if inside {
                    assert_eq!(run(&general, version.func).map_err(|e| e.to_string()), by_general, "{n} {m} {number}");
                }
            }
        }
        assert!(held > 20);
    }

    #[test]
    fn what_is_assumed_is_read_back() {
        let module = compiled(EDGES);
        let text = module.to_string();
        assert!(text.contains("{\n  whole 0\n  holds -1, 1 extent 1 0\n"), "{text}");
        assert!(text.contains("\n  holds 1, 1 extent 1 1, -1 number 0\n}"), "{text}");
        assert_eq!(crate::ir::parse::parse(&text).unwrap(), module);
    }

    #[test]
    fn assumptions_that_settle_nothing_are_none() {
        // a store that enlarges whatever the arguments are; and one whose subscript is no matter of them
        for body in
            ["x = zeros(1, 3);\n x(end + 1) = N;", "x = zeros(1, 3);\n x(ceil(N / 3)) = 1;", "x = N;\n x(2) = N;"]
        {
            let text = format!("function x = f(N)\narguments\n N (1,1) double\n end\n{body}\nend\n");
            assert_eq!(compiled(&text).versions, [], "{body}");
        }
    }
}
