//! The states of a filled array, and how the statements behind the filling touch its elements.

use std::ops::Range;

use crate::affine::AccessKind;
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Stmt, Sub, Terminator, Value};
use crate::kernels::accesses::{Counted, counted_loops};
use crate::kernels::old_state::OldState;

/// An access to elements of the array.
pub(super) struct Touch {
    pub kind: AccessKind,
    pub subs: Vec<Sub>,
    /// Of a store that stands for one in either arm of an `if`: the subscripts in other arms.
    pub others: Vec<Vec<Sub>>,
    /// The loops around it within its statement, outermost first.
    pub loops: Vec<Counted>,
    /// The number of the kernel that it is in.
    pub kernel: Option<u32>,
    /// Those of the loops that are the kernel's, whose iterations run in any order.
    pub parallel: Range<usize>,
    /// The conditions around it.
    pub guards: Vec<(Value, bool)>,
    /// Whether an iteration of all these loops may not come to it for another reason.
    pub conditional: bool,
    /// Whether it reads what a kernel found, whatever the kernel stores meanwhile.
    pub is_old: bool,
    /// The number of its statement behind the filling.
    pub statement: usize,
    /// Its place in the order of the text.
    pub at: usize,
}

/// All accesses to an array until something else is done with it.
pub(super) struct Chain {
    pub touches: Vec<Touch>,
}

impl Chain {
    /// The chain of an array that is filled before these statements; `None` if an older state of it is used elsewhere.
    pub fn behind(func: &Func, old: &OldState<'_>, stmts: &[Stmt], array: Value) -> Option<Self> {
        let mut walk = Walk::new(old, array);
        let mut followed: Vec<&Stmt> = Vec::new();
        for (number, stmt) in stmts.iter().enumerate() {
            if uses(stmt, &walk.states) == 0 {
                continue;
            }
            let (current, states, touches) = (walk.current, walk.states.len(), walk.touches.len());
            walk.statement = number;
            if walk.stmt(stmt).is_none() {
                walk.current = current;
                walk.states.truncate(states);
                walk.touches.truncate(touches);
                break;
            }
            followed.push(stmt);
        }
        walk.states.retain(|state| *state != walk.current);
        let mut all = 0;
        func.body.for_each_use(&mut |value| all += usize::from(walk.states.contains(&value)));
        let known: usize = followed.iter().map(|stmt| uses(stmt, &walk.states)).sum();
        (all == known).then_some(Self { touches: walk.touches })
    }

    /// The stores that are made in each iteration of the loops around them.
    pub fn stores(&self) -> impl Iterator<Item = &Touch> {
        let always = |touch: &&Touch| touch.guards.is_empty() && !touch.conditional;
        self.touches.iter().filter(|touch| touch.kind == AccessKind::Write).filter(always)
    }

    /// The reads.
    pub fn reads(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().filter(|touch| touch.kind == AccessKind::Read)
    }
}

/// How often a statement, or what is nested in it, uses one of these values.
fn uses(stmt: &Stmt, values: &[Value]) -> usize {
    let mut count = 0;
    let mut used = |value: Value| count += usize::from(values.contains(&value));
    stmt.op.for_each_operand(&mut used);
    stmt.op.regions().into_iter().for_each(|region| region.for_each_use(&mut used));
    count
}

struct Walk<'f> {
    old: &'f OldState<'f>,
    /// All states so far.
    states: Vec<Value>,
    /// The newest.
    current: Value,
    touches: Vec<Touch>,
    loops: Vec<Counted>,
    guards: Vec<(Value, bool)>,
    statement: usize,
    at: usize,
}

/// Arms with more stores are not looked into: each is compared with each of the other arm.
const MOST_STORES: usize = 4;

/// `None`: the statement does something else with the array.
type Followed = Option<()>;

impl<'f> Walk<'f> {
    fn new(old: &'f OldState<'f>, array: Value) -> Self {
        let (touches, loops, guards) = Default::default();
        Self { old, states: vec![array], current: array, touches, loops, guards, statement: 0, at: 0 }
    }

    fn advance(&mut self, state: Value) {
        self.states.push(state);
        self.current = state;
    }

    /// Whether none of the operands is a state of the array.
    fn leaves_alone(&self, op: &Op) -> bool {
        let mut none = true;
        op.for_each_operand(&mut |value| none &= !self.states.contains(&value));
        none
    }

    fn touch(&mut self, kind: AccessKind, subs: Vec<Sub>) {
        let (loops, guards) = (self.loops.clone(), self.guards.clone());
        let (statement, at) = (self.statement, self.at);
        let (others, kernel, parallel, conditional, is_old) = (Vec::new(), None, 0..0, false, false);
        self.touches.push(Touch {
            kind,
            subs,
            others,
            loops,
            kernel,
            parallel,
            guards,
            conditional,
            is_old,
            statement,
            at,
        });
    }

    /// Stores in the first arm of an `if`, whose accesses are behind `first`, and in the second one, behind `second`, as ones behind it: if they are of one element, it is
    /// stored there whichever arm was taken.
    fn join(&mut self, first: usize, second: usize) {
        let (loops, guards) = (self.loops.len(), self.guards.len() + 1);
        let is_direct = |touch: &&Touch| {
            let always = touch.guards.len() == guards && touch.loops.len() == loops && !touch.conditional;
            touch.kind == AccessKind::Write && always
        };
        let of = |touch: &Touch| [vec![touch.subs.clone()], touch.others.clone()].concat();
        let stores = |touches: &[Touch]| touches.iter().filter(is_direct).map(of).collect::<Vec<_>>();
        let arms = [stores(&self.touches[first..second]), stores(&self.touches[second..])];
        if arms.iter().any(|stores| stores.len() > MOST_STORES) {
            return;
        }
        self.at += 1;
        for (one, other) in arms[0].iter().flat_map(|one| arms[1].iter().map(move |other| (one, other))) {
            self.touch(AccessKind::Write, one[0].clone());
            if let Some(touch) = self.touches.last_mut() {
                touch.others = [&one[1..], other].concat();
            }
        }
    }

    /// A statement of the host, in whatever depth.
    fn stmt(&mut self, stmt: &Stmt) -> Followed {
        self.at += 1;
        match &stmt.op {
            Op::Index { array, subs, .. } if *array == self.current => {
                let element = subs.iter().all(|sub| matches!(sub, Sub::At(_)));
                element.then(|| self.touch(AccessKind::Read, subs.clone()))
            }
            Op::Store { array, subs, value, .. } if *array == self.current => {
                let uses_it = |value: &Value| self.states.contains(value);
                let others = !uses_it(value) && !subs.iter().filter_map(Sub::value).any(|sub| uses_it(&sub));
                others.then(|| {
                    self.touch(AccessKind::Write, subs.clone());
                    self.advance(stmt.results[0]);
                })
            }
            Op::Kernel(kernel) => self.kernel(stmt, kernel),
            Op::For { init, body, .. } => self.looped(stmt, init, body),
            Op::If { cond, then, els } => self.branch(stmt, *cond, [then, els]),
            op => (self.leaves_alone(op) && uses(stmt, &self.states) == 0).then_some(()),
        }
    }

    fn stmts(&mut self, region: &Region) -> Followed {
        region.stmts.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    /// Where among these values the newest state is, if one is a state at all; `None` if that is not all that is there of the array.
    fn handed_on(&self, values: &[Value]) -> Option<Option<usize>> {
        let mut states = (0..values.len()).filter(|at| self.states.contains(&values[*at]));
        match (states.next(), states.next()) {
            (None, _) => Some(None),
            (Some(at), None) if values[at] == self.current => Some(Some(at)),
            _ => None,
        }
    }

    fn looped(&mut self, stmt: &Stmt, init: &[Value], body: &Region) -> Followed {
        let carried = self.handed_on(init)?;
        if let Some(at) = carried {
            self.advance(body.params[at + 1]);
        }
        let before = self.current;
        let depth = self.loops.len();
        self.loops.extend(counted_loops(&stmt.op));
        self.stmts(body)?;
        self.loops.truncate(depth);
        let Terminator::Yield(values) = &body.term else { return None };
        match (carried, self.handed_on(values)?) {
            (Some(at), given) if given == Some(at) => self.advance(stmt.results[at]),
            (None, None) if self.current == before => {}
            _ => return None,
        }
        Some(())
    }

    /// An arm that ends in another way than in values for the results leaves the loops around it, or the function: those of the array's loops would be
    /// given a state.
    fn branch(&mut self, stmt: &Stmt, cond: Value, arms: [&Region; 2]) -> Followed {
        let before = self.current;
        let mut given: Option<Option<usize>> = None;
        let mut starts = [0; 2];
        for (number, (arm, taken)) in arms.into_iter().zip([true, false]).enumerate() {
            self.current = before;
            starts[number] = self.touches.len();
            self.guards.push((cond, taken));
            self.stmts(arm)?;
            self.guards.pop();
            let handed_on = self.handed_on(arm.term.values())?;
            if let Terminator::Yield(_) = &arm.term {
                let forgets = handed_on.is_none() && self.current != before;
                if forgets || given.is_some_and(|given| given != handed_on) {
                    return None;
                }
                given = Some(handed_on);
            } else if handed_on.is_some() {
                return None;
            }
        }
        self.current = before;
        if let Some(Some(at)) = given {
            self.join(starts[0], starts[1]);
            self.advance(stmt.results[at]);
        }
        Some(())
    }

    fn kernel(&mut self, stmt: &Stmt, kernel: &Kernel) -> Followed {
        let updated = kernel.outs.iter().position(|out| *out == Out::Update(self.current));
        let others = |out: &Out| out.updated().is_some_and(|array| self.states.contains(&array));
        let count = kernel.outs.iter().filter(|out| others(out)).count();
        if count != usize::from(updated.is_some()) || updated.is_some() && self.old.is_read(kernel, self.current) {
            return None;
        }
        let (depth, first) = (self.loops.len(), self.touches.len());
        self.loops.extend(counted_loops(&stmt.op));
        let parallel = depth..self.loops.len();
        self.point(&kernel.body, updated)?;
        self.loops.truncate(depth);
        let mut leaves = false;
        kernel.body.walk_regions(&mut |region| leaves |= !matches!(region.term, Terminator::Yield(_)));
        for touch in &mut self.touches[first..] {
            (touch.kernel, touch.parallel) = (Some(kernel.id), parallel.clone());
            touch.conditional |= leaves;
        }
        if let Some(out) = updated {
            self.advance(stmt.results[out]);
        }
        Some(())
    }

    /// What a point of a kernel does that updates the array in this out-variable.
    fn point(&mut self, region: &Region, updated: Option<usize>) -> Followed {
        for stmt in &region.stmts {
            self.at += 1;
            let all = |subs: &[Value]| subs.iter().map(|sub| Sub::At(*sub)).collect::<Vec<Sub>>();
            match &stmt.op {
                Op::Load(Mem::In(array), subs) if self.states.contains(array) => {
                    if *array != self.current {
                        return None;
                    }
                    self.touch(AccessKind::Read, all(subs));
                    self.touches.last_mut()?.is_old = true;
                }
                Op::Load(Mem::Out(out), subs) if Some(*out) == updated => self.touch(AccessKind::Read, all(subs)),
                Op::Put(out, subs, _) if Some(*out) == updated => self.touch(AccessKind::Write, all(subs)),
                op => self.inner(stmt, op, updated)?,
            }
        }
        Some(())
    }

    /// A statement of a point, with what is nested in it.
    fn inner(&mut self, stmt: &Stmt, op: &Op, updated: Option<usize>) -> Followed {
        let (depth, first) = (self.loops.len(), self.touches.len());
        let mut second = first;
        for (number, region) in op.regions().into_iter().enumerate() {
            second = self.touches.len();
            match op {
                Op::If { cond, .. } => self.guards.push((*cond, number == 0)),
                op => self.loops.extend(counted_loops(op)),
            }
            self.point(region, updated)?;
            self.loops.truncate(depth);
            if let Op::If { .. } = op {
                self.guards.pop();
            }
        }
        match stmt.op {
            Op::If { .. } => self.join(first, second),
            Op::While { .. } => self.touches[first..].iter_mut().for_each(|touch| touch.conditional = true),
            _ => {}
        }
        Some(())
    }
}
