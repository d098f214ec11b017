//! What a loop body does to the arrays that the loop carries, and whether it could be the body of a kernel.
//!
//! In SSA form each store makes a new array. A body can be turned into loads and puts if at every point only the newest
//! version of each carried array is used: then there is one array in memory, and the versions are its states.

use super::updates::updates;
use crate::affine::AccessKind;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Ambient, Binary, Class, Const, Func, Loc, Op, Region, Size, Stmt, Sub, SymDef, Terminator, Value};
use crate::kernels::accesses::{Counted, counted_loops};

/// An access to a carried array.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Which of the carried arrays.
    pub array: usize,
    pub kind: AccessKind,
    pub subs: Vec<Value>,
    /// The loops around it, the outermost first.
    pub loops: Vec<Counted>,
    /// Conditions of the `if`s around it, and whether they hold.
    pub guards: Vec<(Value, bool)>,
    /// The operation of the update that it is part of, if it is part of one ([`super::updates`]).
    pub update: Option<Binary>,
    pub loc: Loc,
}

impl Site {
    /// Adds an access to a list that does not hold the same one, from another place in the program perhaps.
    pub fn add_to(self, sites: &mut Vec<Self>) {
        let is_same = |other: &Self| {
            (self.array, self.kind, self.update) == (other.array, other.kind, other.update)
                && (&self.subs, &self.loops, &self.guards) == (&other.subs, &other.loops, &other.guards)
        };
        if !sites.iter().any(is_same) {
            sites.push(self);
        }
    }
}

/// An access whose bounds are to be tested.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    /// The statement's result.
    pub key: Value,
    pub array: Value,
    pub subs: Vec<Value>,
    pub loops: Vec<Counted>,
    /// Conditions of the `if`s around it, and whether they hold.
    pub guards: Vec<(Value, bool)>,
    /// Whether there may be iterations of `loops` that do not come to it.
    pub conditional: bool,
    pub loc: Loc,
}

/// What the body does.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub sites: Vec<Site>,
    pub checks: Vec<Check>,
    /// The number of the carried array that a value is a state of.
    pub version: HashMap<Value, usize>,
    /// The operations of updates, by the results of their reads and stores.
    pub updates: HashMap<Value, Binary>,
    /// Elements that are read for nothing: all that such a read does is to test its subscripts, which are no access.
    pub unused: HashSet<Value>,
}

/// A loop inside the nest that control may leave or go on with.
struct Target {
    /// For each carried value the array that it is.
    arrays: Vec<Option<usize>>,
    /// The state of each array before the loop.
    before: Vec<Value>,
}

struct Walk<'f> {
    func: &'f Func,
    contents: Contents,
    current: Vec<Value>,
    loops: Vec<Counted>,
    targets: Vec<Target>,
    /// `If` arms and `While` loops around the current statement.
    conditions: usize,
    guards: Vec<(Value, bool)>,
    jumps: bool,
}

/// What makes a loop no nest of element-wise statements, as a clause whose subject is the loop ("it prints").
type Walked<T = ()> = Result<T, String>;

fn construct<T>(text: impl Into<String>) -> Walked<T> {
    Err(text.into())
}

/// Walks over a `For` loop.
///
/// # Errors
/// The construct that makes its body no kernel.
pub(crate) fn contents(func: &Func, stmt: &Stmt) -> Walked<Contents> {
    let Op::For { body, .. } = &stmt.op else { return construct("it is no counted loop") };
    let mut walk = Walk {
        func,
        contents: Contents { unused: unused_reads(func, body), updates: updates(func, body), ..Contents::default() },
        current: Vec::new(),
        loops: counted_loops(&stmt.op),
        targets: Vec::new(),
        conditions: 0,
        guards: Vec::new(),
        jumps: false,
    };
    for param in &body.params[1..] {
        if func.ty(*param).is_scalar() {
            return construct(format!("an iteration uses {} of the one before", carried_name(func, stmt, *param)));
        }
        walk.contents.version.insert(*param, walk.current.len());
        walk.current.push(*param);
    }
    walk.region(body)?;
    match &body.term {
        Terminator::Yield(values) if *values == walk.current => {}
        Terminator::Yield(_) => return construct("it keeps an older state of an array"),
        term => walk.jump(term)?,
    }
    let mut contents = walk.contents;
    if walk.jumps {
        contents.checks.iter_mut().for_each(|c| c.conditional = true);
    }
    Ok(contents)
}

/// Elements that a region reads and does not use.
fn unused_reads(func: &Func, region: &Region) -> HashSet<Value> {
    fn walk(func: &Func, region: &Region, read: &mut Vec<Value>, used: &mut HashSet<Value>) {
        for stmt in &region.stmts {
            if let Op::Index { .. } = &stmt.op {
                // A number that sizes are made of is used by these.
                read.extend(stmt.results.iter().filter(|r| func.ty(**r).class != Class::Index));
            }
            stmt.op.for_each_operand(&mut |v| {
                used.insert(v);
            });
            stmt.op.regions().into_iter().for_each(|r| walk(func, r, read, used));
        }
        used.extend(region.term.values().iter().copied());
    }
    let (mut read, mut used) = (Vec::new(), HashSet::default());
    walk(func, region, &mut read, &mut used);
    read.into_iter().filter(|v| !used.contains(v)).collect()
}

/// What a carried value is in the program: a variable, or the size of one.
fn carried_name(func: &Func, stmt: &Stmt, param: Value) -> String {
    let Op::For { body, .. } = &stmt.op else { return the(func, param) };
    let is_size = |dim: &Size| dim.as_sym().is_some_and(|s| func.symbols.get(s).def == SymDef::Value(param));
    let sized = body.params[1..].iter().find(|p| func.ty(**p).dims.iter().any(is_size));
    if let Some(array) = sized {
        return format!("the size of {}", func.described(*array));
    }
    let at = body.params[1..].iter().position(|p| *p == param).unwrap_or_default();
    let names = [Some(&param), stmt.results.get(at), body.term.values().get(at)];
    let named = names.into_iter().flatten().find(|v| func.variable(**v).is_some());
    the(func, *named.unwrap_or(&param))
}

/// "the `x`" or "an intermediate result".
fn the(func: &Func, value: Value) -> String {
    let article = if func.variable(value).is_some() { "the " } else { "" };
    format!("{article}{}", func.described(value))
}

impl Walk<'_> {
    fn region(&mut self, region: &Region) -> Walked {
        region.stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Walked {
        match &stmt.op {
            Op::Index { array, subs, checked } => self.index(stmt, *array, subs, *checked),
            Op::Store { array, subs, value, checked } => self.store(stmt, *array, subs, *value, *checked),
            Op::If { cond, then, els } => self.arms(stmt, *cond, [then, els]),
            Op::For { init, body, .. } => {
                let depth = self.loops.len();
                self.loops.extend(counted_loops(&stmt.op));
                self.looped(stmt, init, &body.params[1..], body)?;
                self.loops.truncate(depth);
                Ok(())
            }
            Op::While { init, cond, body } => {
                self.conditions += 1;
                self.condition(init, cond)?;
                self.looped(stmt, init, &body.params, body)?;
                self.conditions -= 1;
                Ok(())
            }
            Op::Const(Const::Text(_)) => construct("it uses text"),
            Op::Print(..) | Op::Display(..) => construct("it prints"),
            Op::Ambient(Ambient::Draw, _) => construct("it draws random numbers one after the other"),
            Op::Ambient(..) => construct("it reads the clock or seeds the random numbers"),
            Op::Raise { .. } => construct("it may end the program with an error"),
            Op::Call(..) => construct("it calls a function that is not expanded in place"),
            op if is_scalar_op(op) && self.is_scalar(stmt) => Ok(()),
            _ => construct("it contains an operation on whole arrays"),
        }
    }

    fn is_scalar(&self, stmt: &Stmt) -> bool {
        let mut scalar = stmt.results.iter().all(|r| self.func.ty(*r).is_scalar());
        stmt.op.for_each_operand(&mut |v| scalar &= self.func.ty(v).is_scalar());
        scalar
    }

    /// The scalar subscripts of an access to one element.
    fn element(&self, array: Value, subs: &[Sub], element: Value) -> Walked<Vec<Value>> {
        let at = subs.iter().map(|s| if let Sub::At(v) = s { Some(*v) } else { None }).collect::<Option<Vec<_>>>();
        match at {
            Some(at) if self.func.ty(element).is_scalar() => Ok(at),
            _ => construct(format!("it uses more than one element of {} at a time", self.func.described(array))),
        }
    }

    fn access(&mut self, stmt: &Stmt, array: Value, subs: Vec<Value>, kind: AccessKind, checked: bool) -> Walked {
        let (key, loc) = (stmt.results[0], stmt.loc);
        let version = self.contents.version.get(&array).copied();
        if let Some(number) = version.filter(|_| !self.contents.unused.contains(&key)) {
            if self.current[number] != array {
                return construct(format!("it uses an older state of {}", self.func.described(array)));
            }
            let (loops, guards) = (self.loops.clone(), self.guards.clone());
            let update = self.contents.updates.get(&key).copied();
            let site = Site { array: number, kind, subs: subs.clone(), loops, guards, update, loc };
            site.add_to(&mut self.contents.sites);
        }
        if checked {
            let conditional = self.conditions > 0;
            let loops = self.loops.clone();
            let guards = self.guards.clone();
            self.contents.checks.push(Check { key, array, subs, loops, guards, conditional, loc });
        }
        Ok(())
    }

    fn index(&mut self, stmt: &Stmt, array: Value, subs: &[Sub], checked: bool) -> Walked {
        let subs = self.element(array, subs, stmt.results[0])?;
        self.access(stmt, array, subs, AccessKind::Read, checked)
    }

    fn store(&mut self, stmt: &Stmt, array: Value, subs: &[Sub], value: Value, checked: bool) -> Walked {
        let subs = self.element(array, subs, value)?;
        let Some(number) = self.contents.version.get(&array).copied() else {
            return construct(format!("it makes an array, {}, in each iteration", self.func.described(array)));
        };
        self.access(stmt, array, subs, AccessKind::Write, checked)?;
        self.advance(number, stmt.results[0]);
        Ok(())
    }

    fn advance(&mut self, array: usize, state: Value) {
        self.contents.version.insert(state, array);
        self.current[array] = state;
    }

    fn arms(&mut self, stmt: &Stmt, cond: Value, [then, els]: [&Region; 2]) -> Walked {
        let before = self.current.clone();
        let mut arrays: Option<Vec<Option<usize>>> = None;
        self.conditions += 1;
        for (arm, taken) in [(then, true), (els, false)] {
            self.current.clone_from(&before);
            self.guards.push((cond, taken));
            self.region(arm)?;
            self.guards.pop();
            let Terminator::Yield(values) = &arm.term else {
                self.jump(&arm.term)?;
                continue;
            };
            let found = self.handed_on(values, &before)?;
            if arrays.as_ref().is_some_and(|known| *known != found) {
                return construct("an `if` exchanges arrays");
            }
            arrays = Some(found);
        }
        self.conditions -= 1;
        self.current = before;
        self.advance_all(&arrays.unwrap_or_default(), &stmt.results);
        Ok(())
    }

    /// Which arrays these values are the newest states of. All others must be in the state `before`.
    fn handed_on(&self, values: &[Value], before: &[Value]) -> Walked<Vec<Option<usize>>> {
        let mut arrays = Vec::with_capacity(values.len());
        for value in values {
            let number = self.contents.version.get(value).copied();
            let newest = number.is_some_and(|n| self.current[n] == *value && !arrays.contains(&number));
            if !newest && !self.func.ty(*value).is_scalar() {
                return construct(format!("it uses {} as a whole", self.func.described(*value)));
            }
            arrays.push(number);
        }
        let lost = (0..before.len()).any(|n| self.current[n] != before[n] && !arrays.contains(&Some(n)));
        if lost { construct("it forgets what it stored") } else { Ok(arrays) }
    }

    fn advance_all(&mut self, arrays: &[Option<usize>], values: &[Value]) {
        for (number, value) in arrays.iter().zip(values) {
            if let Some(number) = number {
                self.advance(*number, *value);
            }
        }
    }

    fn looped(&mut self, stmt: &Stmt, init: &[Value], params: &[Value], body: &Region) -> Walked {
        let before = self.current.clone();
        let arrays = self.handed_on(init, &before)?;
        self.advance_all(&arrays, params);
        self.targets.push(Target { arrays: arrays.clone(), before: self.current.clone() });
        self.region(body)?;
        match (&body.term, self.targets.last()) {
            (Terminator::Yield(values), Some(target)) => self.goes_to(values, target)?,
            (term, _) => self.jump(term)?,
        }
        self.targets.pop();
        self.current = before;
        self.advance_all(&arrays, &stmt.results);
        Ok(())
    }

    fn condition(&mut self, init: &[Value], cond: &Region) -> Walked {
        let before = self.current.clone();
        let arrays = self.handed_on(init, &before)?;
        self.advance_all(&arrays, &cond.params);
        let entry = self.current.clone();
        let targets = std::mem::take(&mut self.targets);
        self.region(cond)?;
        self.targets = targets;
        if self.current != entry || !matches!(cond.term, Terminator::Yield(_)) {
            return construct("the condition of a `while` has effects");
        }
        self.current = before;
        Ok(())
    }

    /// A region that ends otherwise than by handing values to the statement around it.
    fn jump(&mut self, term: &Terminator) -> Walked {
        self.jumps = true;
        match term {
            Terminator::Break(depth, values) | Terminator::Continue(depth, values) => {
                let Some(target) = self.targets.iter().rev().nth(*depth as usize) else {
                    let word = if matches!(term, Terminator::Break(..)) { "break" } else { "continue" };
                    return construct(format!("`{word}` leaves an iteration before its end"));
                };
                self.goes_to(values, target)
            }
            Terminator::Return(_) => construct("`return` leaves it"),
            Terminator::Yield(_) | Terminator::Unreachable => construct("it may end the program with an error"),
        }
    }

    /// Values that go to a loop inside the nest.
    fn goes_to(&self, values: &[Value], target: &Target) -> Walked {
        if self.handed_on(values, &target.before)? != target.arrays {
            return construct("an inner loop exchanges arrays");
        }
        Ok(())
    }
}

/// Whether an operation computes scalars from scalars and may stand in a kernel.
pub(crate) fn is_scalar_op(op: &Op) -> bool {
    is_pure(op) || matches!(op, Op::ToIndex(_) | Op::Assert(..))
}

/// Whether an operation computes scalars from scalars alone and cannot fail.
pub(crate) fn is_pure(op: &Op) -> bool {
    match op {
        Op::Const(c) => !matches!(c, Const::Text(_)),
        Op::Size(_) | Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Fma(..) => true,
        Op::Convert(_) | Op::Bits(_) | Op::FromBits(_) => true,
        _ => false,
    }
}
