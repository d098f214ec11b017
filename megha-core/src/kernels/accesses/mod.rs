//! From the IR to the affine framework: subscripts as linear expressions, loops as domains, what is known of symbols as
//! assumptions.
//!
//! An *atom* is what the framework sees as a variable: the counter of a loop, an `Index` value that nothing more is known
//! of, a symbol, or a product of symbols (`n*m` is one parameter: between iterations of a nest it does not change). An
//! atom that is neither a counter nor defined outside of the nest is no parameter; whatever mentions one is
//! unanalysable, but for what is bound to counters by linear constraints, if that is asked for (`locals`).
//!
//! `Index` arithmetic wraps, linear expressions do not. They agree where the magnitudes of what occurs say that nothing leaves 64
//! bits ([`crate::ir::bounds`]); other sums and products are not analysed further.

mod bounds;
mod conditions;
mod definitions;
mod ends;
mod locals;
mod obstacles;
mod strided;
mod sums;

pub use definitions::{Counted, Definitions, Extent, Scope, counted_loops};
pub use locals::Meaning;
pub use obstacles::Obstacle;
pub(crate) use sums::{Sum, new_counter, symbol, symbol_of};

use crate::affine::{
    self, Access, AccessKind, Dependence, Domain, LinExpr, Local, Loop, Pair, Polynomial, System, Var,
};
use crate::hash::HashMap;
use crate::ir::size::SymDef;
use crate::ir::{Binary, Func, Kernel, Size, Sym, Symbols, Type, Value};
use definitions::Def;
use locals::LocalValue;
use std::cell::RefCell;

/// What a variable of the affine framework stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Atom {
    /// An `Index` value: a counter, or one that is not analysed further.
    Value(Value),
    /// A symbol that stands for no single value.
    Symbol(Sym),
    /// A product of symbols.
    Product(Vec<Sym>),
    /// The unknown number of iterations of the loop with this counter.
    Trip(Value),
    /// An expression that varies, divided by a positive number and rounded down.
    Quotient(LinExpr, i64),
}

/// The affine view of the values of a function around one nest, or around two kernels that are to be compared.
pub struct AffineView<'f> {
    symbols: &'f Symbols,
    defs: &'f Definitions,
    varying: Vec<Scope>,
    /// A counter and the counter that it is identified with.
    aliases: Vec<(Value, Value)>,
    atoms: Vec<Atom>,
    vars: HashMap<Atom, Var>,
    known: HashMap<Value, Option<LinExpr>>,
    /// What is known of variables that count no loop of the nest.
    known_facts: HashMap<Var, Vec<LinExpr>>,
    /// Whether there are local variables, and what is known of them.
    has_locals: bool,
    locals: HashMap<Var, LocalValue>,
    known_locals: HashMap<Value, Option<LinExpr>>,
    /// What values are that use others twice, each found once: else every line of a program could double the work.
    known_conditions: HashMap<(Value, bool), Option<Vec<System>>>,
    known_floats: HashMap<Value, Option<LinExpr>>,
    known_sums: HashMap<Value, Option<Polynomial>>,
    known_symbols: HashMap<Sym, Option<LinExpr>>,
    known_magnitudes: RefCell<HashMap<Value, Option<u128>>>,
}

impl<'f> AffineView<'f> {
    /// A view in which values defined in the given regions vary, and all others are parameters.
    pub fn new(symbols: &'f Symbols, defs: &'f Definitions, varying: impl IntoIterator<Item = Scope>) -> Self {
        Self {
            symbols,
            defs,
            varying: varying.into_iter().collect(),
            aliases: Vec::new(),
            atoms: Vec::new(),
            vars: HashMap::default(),
            known: HashMap::default(),
            known_facts: HashMap::default(),
            has_locals: false,
            locals: HashMap::default(),
            known_locals: HashMap::default(),
            known_conditions: HashMap::default(),
            known_floats: HashMap::default(),
            known_sums: HashMap::default(),
            known_symbols: HashMap::default(),
            known_magnitudes: RefCell::default(),
        }
    }

    /// A view around two kernels of the same function over equal domains, in which the second one's iteration numbers
    /// are those of the first. Then [`AffineView::same_iteration_only`] compares accesses of the two.
    pub fn of_two_kernels(func: &'f Func, defs: &'f Definitions, first: &Kernel, second: &Kernel) -> Self {
        let scopes = [first, second].into_iter().filter_map(|k| defs.scope_of(*k.body.params.first()?));
        let mut view = Self::new(&func.symbols, defs, scopes);
        let pairs = second.body.params.iter().copied().zip(first.body.params.iter().copied());
        view.aliases = pairs.collect();
        view
    }

    /// The variable of an atom.
    pub fn var(&mut self, atom: Atom) -> Var {
        if let Some(var) = self.vars.get(&atom) {
            return *var;
        }
        let var = Var(self.atoms.len() as u32);
        self.atoms.push(atom.clone());
        self.vars.insert(atom, var);
        var
    }

    /// What a variable stands for.
    pub fn atom(&self, var: Var) -> &Atom {
        &self.atoms[var.0 as usize]
    }

    fn definition(&self, value: Value) -> &'f Def {
        self.defs.def(value)
    }

    fn varies(&self, value: Value) -> bool {
        self.varying.iter().any(|scope| self.defs.is_inside(value, *scope))
    }

    fn size_varies(&self, size: &Size) -> bool {
        self.varying.iter().any(|scope| self.defs.size_is_inside(size, self.symbols, *scope))
    }

    /// An `Index` value as a linear expression; `None` if it is none.
    pub fn expr(&mut self, value: Value) -> Option<LinExpr> {
        let value = self.aliases.iter().find(|(from, _)| *from == value).map_or(value, |(_, to)| *to);
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let defs = self.defs;
        let analysed = match defs.def(value) {
            Def::Int(number) => Some(LinExpr::constant(*number)),
            Def::Size(size) => self.size(size),
            Def::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => self.binary(*op, *a, *b),
            Def::Counter(_) => Some(LinExpr::var(self.var(Atom::Value(value)))),
            Def::Binary(..) | Def::Choice(..) => self.local(value),
            Def::ToIndex(of) if self.has_locals => self.whole(*of),
            Def::ToIndex(_) | Def::Unary(..) | Def::Bool(_) | Def::Float(_) | Def::Convert(_) | Def::Fill(_) => None,
            Def::Element(_) | Def::Argument | Def::Other => None,
        };
        let expr = match analysed {
            None if !self.varies(value) => Some(LinExpr::var(self.var(Atom::Value(value)))),
            found => found,
        };
        self.known.insert(value, expr.clone());
        expr
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Option<LinExpr> {
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        let found = match op {
            Binary::Add => a.checked_add(&b),
            Binary::Sub => a.checked_sub(&b),
            _ => a.checked_mul(&b),
        };
        found.filter(|found| self.is_exact(found))
    }

    /// A size as a linear expression.
    pub fn size(&mut self, size: &Size) -> Option<LinExpr> {
        let mut sum = LinExpr::default();
        for (monomial, coefficient) in size.terms() {
            let product = match monomial.as_slice() {
                [] => LinExpr::constant(1),
                [sym] => self.symbol(*sym)?,
                several => self.product(several)?,
            };
            sum = sum.checked_add(&product.checked_scale(coefficient)?)?;
        }
        Some(sum)
    }

    fn symbol(&mut self, sym: Sym) -> Option<LinExpr> {
        if let Some(known) = self.known_symbols.get(&sym) {
            return known.clone();
        }
        let found = self.find_symbol(sym);
        self.known_symbols.insert(sym, found.clone());
        found
    }

    fn find_symbol(&mut self, sym: Sym) -> Option<LinExpr> {
        match self.symbols.get(sym).def {
            SymDef::Value(value) => self.expr(value),
            _ if self.size_varies(&Size::sym(sym)) => self.local_symbol(sym),
            _ => Some(LinExpr::var(self.var(Atom::Symbol(sym)))),
        }
    }

    fn product(&mut self, syms: &[Sym]) -> Option<LinExpr> {
        let factors: Vec<LinExpr> = syms.iter().map(|s| self.symbol(*s)).collect::<Option<_>>()?;
        let linear = factors.iter().try_fold(LinExpr::constant(1), |product, f| product.checked_mul(f));
        let varies = syms.iter().any(|s| self.size_varies(&Size::sym(*s)));
        match linear {
            None if !varies => Some(LinExpr::var(self.var(Atom::Product(syms.to_vec())))),
            linear => linear,
        }
    }

    /// An exclusive upper bound of the counter of a loop: the number of iterations, or instead of `max(0, e)` just `e`,
    /// which bounds the same counters. A number of iterations that is not analysable is a parameter of its own.
    fn upper(&mut self, counter: Value, extent: &Extent) -> LinExpr {
        let size = match extent {
            Extent::Trip(trip) => self.defs.trip_size(*trip),
            Extent::Size(size) => Some(size.clone()),
        };
        let found = match (size, extent) {
            (Some(size), _) => self.size(&self.symbols.without_maximum(&size)),
            (None, Extent::Trip(trip)) => self.expr(*trip),
            (None, Extent::Size(_)) => None,
        };
        found.unwrap_or_else(|| LinExpr::var(self.var(Atom::Trip(counter))))
    }

    /// The iteration domain of a nest, given from the outside in. Its assumptions are what is known of all that occurs in
    /// the bounds and in `exprs`.
    pub fn domain<'e>(&mut self, loops: &[Counted], exprs: impl IntoIterator<Item = &'e LinExpr>) -> Domain {
        let mut domain = Domain::default();
        for counted in loops {
            let counter = self.expr(counted.counter).unwrap_or_default();
            let Some((var, _)) = counter.terms().next() else { continue };
            let upper = self.upper(counted.counter, &counted.extent);
            let upper = upper.checked_offset(-1).unwrap_or(upper);
            domain.loops.push(Loop { var, lower: LinExpr::default(), upper });
        }
        let of_loops = domain.loops.iter().flat_map(|l| l.upper.terms().map(|(v, _)| v).chain([l.var]));
        let of_exprs = exprs.into_iter().flat_map(|e| e.terms().map(|(v, _)| v));
        let seeds: Vec<Var> = of_loops.chain(of_exprs).collect();
        (domain.assumptions, domain.locals) = self.facts(seeds, &domain);
        domain
    }

    /// The iteration domain of a kernel.
    pub fn domain_of_kernel(&mut self, kernel: &Kernel) -> Domain {
        let loops = kernel.body.params.iter().zip(&kernel.domain);
        let loops: Vec<Counted> =
            loops.map(|(counter, size)| Counted { counter: *counter, extent: Extent::Size(size.clone()) }).collect();
        self.domain(&loops, [])
    }

    /// What is known of variables, and of those that the knowledge mentions; those of them that are local.
    fn facts(&mut self, mut vars: Vec<Var>, domain: &Domain) -> (System, Vec<Local>) {
        let (mut system, mut locals) = (System::new(), Vec::new());
        let mut at = 0;
        vars.sort_unstable();
        vars.dedup();
        while let Some(var) = vars.get(at).copied() {
            at += 1;
            let is_loop = domain.loops.iter().any(|l| l.var == var);
            if !is_loop && self.is_local(var) {
                locals.push(Local { var, determined: true });
            }
            for fact in self.facts_of(var, is_loop) {
                for (mentioned, _) in fact.terms() {
                    if !vars.contains(&mentioned) {
                        vars.push(mentioned);
                    }
                }
                system.require_nonnegative(fact);
            }
        }
        (system, locals)
    }

    /// Expressions that are not negative.
    fn facts_of(&mut self, var: Var, is_loop: bool) -> Vec<LinExpr> {
        if is_loop {
            return self.find_facts(var, true);
        }
        if let Some(facts) = self.known_facts.get(&var) {
            return facts.clone();
        }
        let facts = self.find_facts(var, false);
        self.known_facts.insert(var, facts.clone());
        facts
    }

    fn find_facts(&mut self, var: Var, is_loop: bool) -> Vec<LinExpr> {
        let this = LinExpr::var(var);
        let mut facts = Vec::new();
        match self.atom(var).clone() {
            Atom::Value(value) => {
                if let (Def::Counter(extent), false) = (self.defs.def(value).clone(), is_loop) {
                    let upper = self.upper(value, &extent);
                    facts.push(Some(this.clone()));
                    facts.push(upper.checked_sub(&this).and_then(|d| d.checked_offset(-1)));
                }
                if let Some(sym) = self.defs.symbol_of(value) {
                    self.bounds_of(sym, &this, &mut facts);
                }
            }
            Atom::Symbol(sym) => {
                self.bounds_of(sym, &this, &mut facts);
                self.definition_of(sym, &this, &mut facts);
            }
            Atom::Product(syms) => {
                let not_negative = |sym: &Sym| {
                    let data = self.symbols.get(*sym);
                    let zero = |s: &Size| s.as_constant().is_some_and(|c| c >= 0);
                    matches!(data.def, SymDef::Dim(..)) || data.at_least.iter().any(zero)
                };
                facts.push(syms.iter().all(not_negative).then(|| this.clone()));
            }
            Atom::Quotient(of, by) => self.remainder_facts(&of, &this, by, &mut facts),
            Atom::Trip(_) => {}
        }
        facts.into_iter().flatten().collect()
    }

    fn bounds_of(&mut self, sym: Sym, this: &LinExpr, facts: &mut Vec<Option<LinExpr>>) {
        let data = self.symbols.get(sym);
        for least in &data.at_least {
            facts.push(self.size(least).and_then(|e| this.checked_sub(&e)));
        }
        for most in &data.at_most {
            facts.push(self.size(most).and_then(|e| e.checked_sub(this)));
        }
    }

    fn definition_of(&mut self, sym: Sym, this: &LinExpr, facts: &mut Vec<Option<LinExpr>>) {
        match &self.symbols.get(sym).def {
            SymDef::Dim(..) => facts.push(Some(this.clone())),
            SymDef::Value(_) => {}
            SymDef::Max(a, b) => {
                for side in [a, b] {
                    facts.push(self.size(side).and_then(|e| this.checked_sub(&e)));
                }
            }
            SymDef::Min(a, b) => {
                for side in [a, b] {
                    facts.push(self.size(side).and_then(|e| e.checked_sub(this)));
                }
            }
            SymDef::FloorDiv(a, b) => {
                let Some(by) = b.as_constant().filter(|by| *by > 0) else { return };
                if let Some(of) = self.size(a) {
                    self.remainder_facts(&of, this, by, facts);
                }
            }
        }
    }

    /// What a quotient leaves of a number is at least zero and less than the divisor.
    fn remainder_facts(&self, of: &LinExpr, quotient: &LinExpr, by: i64, facts: &mut Vec<Option<LinExpr>>) {
        let rest = quotient.checked_scale(by).and_then(|multiple| of.checked_sub(&multiple));
        facts.push(rest.as_ref().and_then(|r| r.checked_scale(-1)?.checked_offset(by - 1)));
        facts.push(rest);
    }

    /// An access to an array of this type by `Index` scalars, as many as its rank or one. Of an array that extends along
    /// one axis only, that axis' subscript is kept, so that `x(i)` and `x(i, 1)` are alike.
    pub fn access(&mut self, kind: AccessKind, ty: &Type, subs: &[Value]) -> Access {
        let extended: Vec<usize> = (0..ty.dims.len()).filter(|axis| !ty.dims[*axis].is_one()).collect();
        let subs = match extended[..] {
            [axis] if subs.len() > 1 => &subs[axis..=axis],
            _ => subs,
        };
        Access { kind, subscripts: subs.iter().map(|s| self.subscript(*s)).collect() }
    }

    /// The exclusive upper bound of each subscript of an access to an array of this type.
    pub fn extents(&mut self, ty: &Type, subs: usize) -> Vec<Option<LinExpr>> {
        if subs == 1 {
            return vec![self.size(&ty.numel())];
        }
        ty.dims.iter().map(|d| self.size(d)).collect()
    }

    /// Whether conflicts between accesses of two kernels over equal domains stay within an iteration. Each access comes
    /// with the loops around it inside its kernel, from the outside in.
    ///
    /// # Errors
    /// A dependence between different iterations.
    pub fn same_iteration_only(
        &mut self,
        kernel: &Kernel,
        first: (&Access, &[Counted]),
        second: (&Access, &[Counted]),
    ) -> Result<(), Dependence> {
        let shared = self.domain_of_kernel(kernel);
        if first.1.is_empty() && second.1.is_empty() {
            return affine::same_iteration_only(&self.domain_of(kernel, first), first.0, second.0);
        }
        let (one, other) = (self.domain_of(kernel, first), self.domain_of(kernel, second));
        let pair = Pair::new((&one, first.0), (&other, second.0), shared.loops.len());
        match (0..pair.common_loops()).find_map(|level| pair.carried_by(level)) {
            None => Ok(()),
            Some(found) => Err(found),
        }
    }

    /// Whether no element is touched by both of two accesses in one iteration of a kernel and of those of its loops that are around both:
    /// those around the first one.
    pub fn never_in_one_iteration(
        &mut self,
        kernel: &Kernel,
        first: (&Access, &[Counted]),
        second: (&Access, &[Counted]),
    ) -> bool {
        let (one, other) = (self.domain_of(kernel, first), self.domain_of(kernel, second));
        let common = one.loops.len();
        Pair::new((&one, first.0), (&other, second.0), common).dependences_inside(common).is_empty()
    }

    fn domain_of(&mut self, kernel: &Kernel, access: (&Access, &[Counted])) -> Domain {
        let outer = kernel.body.params.iter().zip(&kernel.domain);
        let outer = outer.map(|(c, size)| Counted { counter: *c, extent: Extent::Size(size.clone()) });
        let loops: Vec<Counted> = outer.chain(access.1.iter().cloned()).collect();
        let known: Vec<LinExpr> = access.0.variables().map(LinExpr::var).collect();
        self.domain(&loops, &known)
    }
}
