//! What became of each loop, in the words of the source.

use crate::affine::{
    Access, Certainty, Domain, Explanation, LinExpr, Loop, Names, Pair, Polynomial, Subscript, System, Var,
};
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Loc, Op, Region, Size, Value};
use crate::kernels::accesses::{AffineView, Atom, Counted, Definitions, Meaning, Obstacle, counted_loops};
use crate::nests::contents::Site;
use crate::nests::dependence::{Conflict, domains};
use crate::nests::{Copied, Jammed};
use std::fmt;

/// What became of one `for` loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopReport {
    /// The loop variable's name in the source.
    pub variable: Option<String>,
    /// Where the loop stands.
    pub loc: Loc,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Its iterations are independent: it is a loop of a kernel.
    Parallel {
        /// The kernel's number.
        kernel: u32,
        /// Which loop of the kernel, 0 the outermost.
        axis: usize,
    },
    /// Its iterations are independent: the kernels in it have become kernels over it too.
    Expanded,
    /// It runs in order, inside each iteration of a kernel.
    InKernel {
        /// The kernel's number.
        kernel: u32,
        /// Why it is no loop of the kernel.
        reason: Reason,
    },
    /// It runs in order, several iterations together.
    Jammed {
        /// How many.
        rows: i64,
        /// By how many iterations of the loop in it each is behind the one before.
        behind: i64,
        /// Whether the loop in it is cut into strips that run on several threads.
        in_strips: bool,
        /// Why it runs in order.
        reason: Reason,
    },
    /// It runs in order.
    Sequential(Reason),
}

/// What keeps a loop sequential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Iterations depend on each other through an array.
    Dependence {
        /// The array's name.
        array: String,
        /// The two accesses, in source names; subscripts count from one where the loop variables have names.
        explanation: Box<Explanation>,
        /// If it is only assumed, the access that could not be analysed.
        unknown: Option<Unknown>,
        /// Where the two accesses stand.
        sites: [Loc; 2],
    },
    /// Something in the body, as a clause whose subject is the loop ("it prints").
    Construct(String),
}

/// An access that could not be analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Where it stands.
    pub loc: Loc,
    /// Why, as a clause whose subject is the subscript ("subscript 1 of `y` is an element of `p`").
    pub why: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dependence { explanation, unknown: Some(unknown), .. } => write!(f, "{explanation}: {}", unknown.why),
            Self::Dependence { explanation, unknown: None, .. } => write!(f, "{explanation}"),
            Self::Construct(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parallel { kernel, axis } => write!(f, "parallel, loop {axis} of kernel {kernel}"),
            Self::Expanded => f.write_str("parallel, a loop of each kernel in it"),
            Self::InKernel { kernel, reason } => write!(f, "in order inside kernel {kernel}: {reason}"),
            Self::Jammed { rows, behind, in_strips, reason } => {
                write!(f, "in order, {}: {reason}", together(*rows, *behind, *in_strips))
            }
            Self::Sequential(reason) => write!(f, "in order: {reason}"),
        }
    }
}

impl fmt::Display for LoopReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.variable {
            Some(name) => write!(f, "loop over {name}: {}", self.outcome),
            None => write!(f, "loop: {}", self.outcome),
        }
    }
}

/// How a loop runs of which so many iterations go together.
pub fn together(rows: i64, behind: i64, in_strips: bool) -> String {
    let strips = if in_strips { ", in strips of that loop, which run on several threads" } else { "" };
    let together = match behind {
        0 => format!("{rows} iterations together"),
        1 => format!("{rows} iterations together, each an iteration of the loop in it behind the one before"),
        _ => format!("{rows} iterations together, each {behind} iterations of the loop in it behind the one before"),
    };
    together + strips
}

/// Notes which loops have several iterations together, each place once for each loop.
pub fn note_jammed(reports: &mut [LoopReport], jammed: &[Jammed]) {
    for Jammed { loc, rows, behind, in_strips } in jammed {
        let at_it = reports.iter_mut().filter(|report| report.loc == *loc);
        let outcome = at_it.map(|report| &mut report.outcome).find(|outcome| matches!(outcome, Outcome::Sequential(_)));
        if let Some(outcome) = outcome
            && let Outcome::Sequential(reason) = outcome
        {
            let (rows, behind, in_strips, reason) = (*rows, *behind, *in_strips, reason.clone());
            *outcome = Outcome::Jammed { rows, behind, in_strips, reason };
        }
    }
}

/// Notes that the loops at these places have been expanded, each place once for each loop.
pub fn note_expanded(reports: &mut [LoopReport], expanded: &[Loc]) {
    for loc in expanded {
        let is_it = |report: &&mut LoopReport| report.loc == *loc && matches!(report.outcome, Outcome::Sequential(_));
        if let Some(report) = reports.iter_mut().find(is_it) {
            report.outcome = Outcome::Expanded;
        }
    }
}

/// Loop variables by the counters of their loops.
#[derive(Debug, Default)]
pub(super) struct Variables {
    by_counter: HashMap<Value, (String, Size)>,
    /// Counters of loops that the program does not have.
    made: HashSet<Value>,
    /// Whether the source counts subscripts from zero: its loop variables are whole numbers, not MATLAB's doubles.
    from_zero: bool,
}

impl Variables {
    /// Finds them: the first named value of each loop body that is converted from a size with the counter in it; else the
    /// first named one that is such a size, or the counter itself.
    pub fn of(func: &Func) -> Self {
        let mut this = Self::default();
        this.region(func, &func.body);
        this
    }

    fn region(&mut self, func: &Func, region: &Region) {
        for stmt in &region.stmts {
            if let (Op::For { body, .. }, [counted]) = (&stmt.op, &counted_loops(&stmt.op)[..]) {
                let converted = variable(func, body, counted);
                let found = converted.clone().or_else(|| whole_variable(func, body, counted));
                self.from_zero |= found.is_some() && converted.is_none();
                self.by_counter.extend(found.map(|found| (counted.counter, found)));
            }
            for nested in stmt.op.regions() {
                self.region(func, nested);
            }
        }
    }

    /// Gives the loops of a copy the variables of those that they are copies of.
    pub fn copy(&mut self, copied: &Copied) {
        let renewed = |size: &Size| {
            size.substitute(&mut |sym| copied.symbols.get(&sym).cloned().unwrap_or_else(|| Size::sym(sym)))
        };
        let of_copy = |(old, new): (&Value, &Value)| {
            let (name, size) = self.by_counter.get(old)?;
            Some((*new, (name.clone(), renewed(size))))
        };
        let new: Vec<_> = copied.values.iter().filter_map(of_copy).collect();
        self.by_counter.extend(new);
        self.made.extend(&copied.made);
    }

    /// Whether the loop with this counter is none of the program's.
    pub fn is_made(&self, counter: Value) -> bool {
        self.made.contains(&counter)
    }

    /// The name of the variable of the loop with this counter.
    pub fn name(&self, counter: Value) -> Option<String> {
        self.by_counter.get(&counter).map(|(name, _)| name.clone())
    }
}

fn variable(func: &Func, body: &Region, counted: &Counted) -> Option<(String, Size)> {
    let mut sizes: HashMap<Value, &Size> = HashMap::default();
    let counter = |sym| func.symbols.get(sym).def == crate::ir::size::SymDef::Value(counted.counter);
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Size(size) if size.symbols().any(counter) => {
                sizes.insert(stmt.results[0], size);
            }
            Op::Convert(of) => {
                if let (Some(size), Some(name)) = (sizes.get(of), &func.names[stmt.results[0].index()]) {
                    return Some((name.clone(), (*size).clone()));
                }
            }
            _ => {}
        }
    }
    None
}

/// A loop variable that is a whole number.
fn whole_variable(func: &Func, body: &Region, counted: &Counted) -> Option<(String, Size)> {
    let (sym, _) = func.symbols.iter().find(|(_, d)| d.def == crate::ir::size::SymDef::Value(counted.counter))?;
    let named = |value: Value| func.names[value.index()].clone();
    if let Some(name) = named(counted.counter) {
        return Some((name, Size::sym(sym)));
    }
    body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Size(size) if size.symbols().any(|s| s == sym) => Some((named(stmt.results[0])?, size.clone())),
        _ => None,
    })
}

/// Expressions in iteration numbers, rewritten to the source's loop variables.
struct Source {
    /// The variable of a counter and the value of the loop variable in iteration 0, before those of counters that this is made of.
    starts: Vec<(Var, LinExpr)>,
    /// The first subscript.
    first: i64,
}

impl Source {
    fn expr(&self, expr: &LinExpr) -> Option<LinExpr> {
        self.starts.iter().try_fold(expr.clone(), |expr, (var, start)| {
            let shift = start.checked_scale(expr.coefficient(*var))?;
            expr.checked_sub(&shift)
        })
    }

    fn sum(&self, sum: &Polynomial) -> Option<Polynomial> {
        let moved = self.starts.iter().try_fold(sum.clone(), |sum, (var, start)| {
            let counter = LinExpr::var(*var).checked_sub(start)?;
            sum.substitute(*var, &Polynomial::from(&counter))
        })?;
        moved.checked_add(&Polynomial::from(&LinExpr::constant(self.first)))
    }

    fn domain(&self, domain: &Domain) -> Option<Domain> {
        let start = |var: Var| self.starts.iter().find(|(v, _)| *v == var).map(|(_, s)| s.clone());
        let mut new = Domain { locals: domain.locals.clone(), ..Domain::default() };
        for l in &domain.loops {
            let from = self.expr(&start(l.var).unwrap_or_default())?;
            let (lower, upper) = (self.expr(&l.lower)?.checked_add(&from)?, self.expr(&l.upper)?.checked_add(&from)?);
            new.loops.push(Loop { var: l.var, lower, upper });
        }
        let mut system = System::new();
        for (expr, zero) in domain.assumptions.constraints() {
            let expr = self.expr(expr)?;
            if zero {
                system.require_zero(expr)
            } else {
                system.require_nonnegative(expr)
            };
        }
        new.assumptions = system;
        Some(new)
    }

    fn access(&self, access: &Access) -> Option<Access> {
        let subscript = |s: &Subscript| match s {
            Subscript::Affine(expr) => Some(Subscript::Affine(self.expr(expr)?.checked_offset(self.first)?)),
            Subscript::Strided(sum) => Some(Subscript::Strided(self.sum(sum)?)),
            Subscript::Unanalysable => Some(Subscript::Unanalysable),
        };
        let subscripts = access.subscripts.iter().map(subscript).collect::<Option<_>>()?;
        Some(Access { kind: access.kind, subscripts })
    }
}

/// Puts a conflict into words, in loop variables where all of them count up by one, otherwise in iteration numbers and
/// subscripts from zero.
pub(super) fn explain(
    func: &Func,
    defs: &Definitions,
    variables: &Variables,
    conflict: &Conflict,
    level: usize,
    array: &str,
) -> Explanation {
    let outermost = conflict.first.loops.first().and_then(|l| defs.scope_of(l.counter));
    let mut view = AffineView::new(&func.symbols, defs, outermost).with_locals();
    let sides = conflicting_sides(func, &mut view, conflict, level);
    let source = source(&mut view, variables, conflict);
    let rewritten = |source: &Source| -> Option<Vec<(Domain, Access)>> {
        sides.iter().map(|(d, a)| Some((source.domain(d)?, source.access(a)?))).collect()
    };
    let in_source = source.as_ref().and_then(rewritten);
    let from_source = source.filter(|_| in_source.is_some());
    let sides = in_source.unwrap_or_else(|| sides.to_vec());
    let pair = Pair::new((&sides[0].0, &sides[0].1), (&sides[1].0, &sides[1].1), level + 1);
    let dependence = pair.carried_by(level).unwrap_or_else(|| crate::affine::Dependence {
        directions: vec![crate::affine::Direction::Any; level + 1],
        distance: vec![None; level + 1],
        certainty: Certainty::LimitReached,
    });
    let words = Words { func, view: &view, variables, source: from_source.as_ref() };
    pair.explain(&dependence, &Names { array, var: &|var| words.name(var) })
}

/// Variables in words.
struct Words<'w> {
    func: &'w Func,
    view: &'w AffineView<'w>,
    variables: &'w Variables,
    /// If expressions are rewritten to loop variables.
    source: Option<&'w Source>,
}

impl Words<'_> {
    fn name(&self, var: Var) -> String {
        let list = |of: &[LinExpr; 2], between: &str| [self.expr(&of[0]), self.expr(&of[1])].join(between);
        match self.view.meaning(var) {
            Some(Meaning::Least(of)) => return format!("min({})", list(of, ", ")),
            Some(Meaning::Greatest(of)) => return format!("max({})", list(of, ", ")),
            Some(Meaning::Remainder(of)) => return format!("mod({})", list(of, ", ")),
            Some(Meaning::Choice(of)) => return format!("({})", list(of, " or ")),
            None => {}
        }
        match self.view.atom(var) {
            Atom::Value(value) => match self.variables.name(*value) {
                Some(name) if self.source.is_some() => name,
                Some(name) => format!("#{name}"),
                None => self.func.name_of(*value),
            },
            Atom::Symbol(sym) => self.func.symbols.get(*sym).name.clone(),
            Atom::Product(syms) => {
                let names: Vec<&str> = syms.iter().map(|s| self.func.symbols.get(*s).name.as_str()).collect();
                names.join("*")
            }
            Atom::Quotient(of, by) => format!("floor(({})/{by})", self.expr(of)),
            Atom::Trip(_) => "?".into(),
        }
    }

    fn expr(&self, expr: &LinExpr) -> String {
        let in_source = self.source.and_then(|source| source.expr(expr));
        in_source.as_ref().unwrap_or(expr).display_with(&|var| self.name(var))
    }
}

/// Of two conflicting accesses the first subscript that could not be analysed, or whose strides could not be taken apart.
pub(super) fn unknown(func: &Func, defs: &Definitions, conflict: &Conflict, array: &str) -> Option<Unknown> {
    let outermost = conflict.first.loops.first().and_then(|l| defs.scope_of(l.counter));
    let mut view = AffineView::new(&func.symbols, defs, outermost).with_locals();
    let sites = [&conflict.first, &conflict.second];
    let which = |site: &Site, at: usize| match site.subs.len() {
        1 => "the subscript".to_owned(),
        _ => format!("subscript {}", at + 1),
    };
    let obstacle = sites.into_iter().find_map(|site| {
        let (at, obstacle) = site.subs.iter().enumerate().find_map(|(at, sub)| Some((at, view.obstacle(*sub)?)))?;
        let what = match obstacle {
            Obstacle::Element(of) => format!("comes from an element of {}", func.described(of)),
            Obstacle::Product => "is a product of numbers that vary".into(),
            Obstacle::Quotient => "is a quotient or remainder by what is no positive constant".into(),
            Obstacle::Large => "is a sum that may be too large to be exact".into(),
            Obstacle::Other => "is not linear in the loop variables".into(),
        };
        Some(Unknown { loc: site.loc, why: format!("{} of `{array}` {what}", which(site, at)) })
    });
    obstacle.or_else(|| {
        sites.into_iter().find_map(|site| {
            let access = view.access(site.kind, func.ty(conflict.value), &site.subs);
            let at = access.subscripts.iter().position(|s| matches!(s, Subscript::Strided(_)))?;
            let why = "multiplies a loop variable, and the bounds of the loops do not show that what is added stays below that factor";
            Some(Unknown { loc: site.loc, why: format!("{} of `{array}` {why}", which(site, at)) })
        })
    })
}

/// The two accesses of a conflict with the iterations that come to them, in the case in which they conflict.
fn conflicting_sides(
    func: &Func,
    view: &mut AffineView<'_>,
    conflict: &Conflict,
    level: usize,
) -> [(Domain, Access); 2] {
    let [(access, cases), (other, other_cases)] = [&conflict.first, &conflict.second].map(|site| {
        let access = view.access(site.kind, func.ty(conflict.value), &site.subs);
        let cases = domains(view, site, &access);
        (access, cases)
    });
    let both = cases.iter().flat_map(|first| other_cases.iter().map(move |second| (first, second)));
    let conflicts = |(first, second): &(&Domain, &Domain)| {
        Pair::new((first, &access), (second, &other), level + 1).carried_by(level).is_some()
    };
    let found = both.clone().find(conflicts).or_else(|| both.clone().next());
    let (first, second) = found.map(|(a, b)| (a.clone(), b.clone())).unwrap_or_default();
    [(first, access), (second, other)]
}

/// The rewriting to loop variables, if each loop around the accesses, and each outer one that they mention, has one
/// that counts up by one.
fn source(view: &mut AffineView<'_>, variables: &Variables, conflict: &Conflict) -> Option<Source> {
    let mut starts: Vec<(Var, LinExpr)> = Vec::new();
    let sites = [&conflict.first, &conflict.second];
    for counter in
        sites.iter().flat_map(|s| s.loops.iter().map(|l| l.counter)).chain(variables.by_counter.keys().copied())
    {
        let known = variables.by_counter.get(&counter);
        let is_around = sites.iter().any(|s| s.loops.iter().any(|l| l.counter == counter));
        let Some((_, size)) = known else {
            if is_around {
                return None;
            }
            continue;
        };
        let var = view.var(Atom::Value(counter));
        if starts.iter().any(|(v, _)| *v == var) {
            continue;
        }
        let start = view.size(size).filter(|e| e.coefficient(var) == 1).and_then(|e| e.checked_sub(&LinExpr::var(var)));
        match start {
            Some(start) => starts.push((var, start)),
            None if is_around => return None,
            None => {}
        }
    }
    // Loops inside first: where they start is told in variables of those around.
    let mut ordered = Vec::with_capacity(starts.len());
    let is_told = |starts: &[(Var, LinExpr)], var: Var| starts.iter().any(|(_, start)| start.coefficient(var) != 0);
    while let Some(at) = starts.iter().position(|(var, _)| !is_told(&starts, *var)) {
        ordered.push(starts.remove(at));
    }
    starts.is_empty().then(|| Source { starts: ordered, first: i64::from(!variables.from_zero) })
}
