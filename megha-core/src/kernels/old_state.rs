//! Whether a kernel can update an array in its place: which loads want the state that the array had before.
//!
//! A kernel reads the old state of an array by loads from the in-variable. In place they see what is stored meanwhile, in any order
//! of the iterations. That is the same where no iteration stores the element that another one loads, and within an iteration the
//! element is loaded before it is stored. The first holds
//! * by form: what an iteration loads it also stores, by the same subscripts, and no element is stored by two iterations; or
//! * by the dependence test ([`crate::affine`]): loads and stores of different iterations never meet.
//!
//! Where no iteration at all stores what a load loads, the element is constant while the kernel runs ([`OldState::unwritten`]).

use super::accesses::{AffineView, Counted, Definitions, Extent, counted_loops};
use crate::affine::{AccessKind, Direction, Pair};
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Value};
use crate::schedule::access::Access;
use std::cell::OnceCell;

/// Answers for the kernels of a function.
pub(crate) struct OldState<'f> {
    func: &'f Func,
    defs: OnceCell<Definitions>,
}

impl<'f> OldState<'f> {
    /// For the kernels of this function.
    pub(crate) fn new(func: &'f Func) -> Self {
        Self { func, defs: OnceCell::new() }
    }

    /// Whether an update of `array` needs another place than the array's.
    pub(crate) fn is_read(&self, kernel: &Kernel, array: Value) -> bool {
        let updates = |o: &&Out| **o == Out::Update(array);
        let Some(out) = kernel.outs.iter().position(|o| updates(&o)) else { return true };
        if kernel.outs.iter().filter(updates).count() > 1 {
            return true;
        }
        let found = Touches::of(kernel, Mem::In(array), out);
        let (stores, loads): (Vec<_>, Vec<_>) = found.iter().partition(|touch| touch.store);
        loads.into_iter().any(|load| {
            let own = stores.iter().any(|store| load.is_stored_by(store));
            !stores.iter().all(|store| own && load.precedes(store) || self.is_apart(kernel, array, (load, store, own)))
        })
    }

    /// The loads of an out-variable whose elements no iteration stores. The conditions of stores are left aside: a slice through all that
    /// the iterations may store has none of these elements.
    pub(crate) fn unwritten<'k>(&self, kernel: &'k Kernel, out: usize) -> Vec<&'k Op> {
        let Out::Update(array) = kernel.outs[out] else { return Vec::new() };
        let found = Touches::of(kernel, Mem::Out(out), out);
        let (stores, loads): (Vec<_>, Vec<_>) = found.iter().partition(|touch| touch.store);
        let own = |load: &Touch<'k>| stores.iter().any(|store| load.subs == store.subs);
        let apart = |load: &Touch<'k>, store: &Touch<'k>| {
            self.pairs(kernel, array, (load, store), false, &|pair| pair.dependences_inside(0).is_empty())
        };
        let constant = |load: &Touch<'k>| !own(load) && stores.iter().all(|store| apart(load, store));
        loads.into_iter().filter(|load| constant(load)).map(|load| load.op).collect()
    }

    /// Marks the loads of a kernel's out-variables that load such elements.
    pub(crate) fn mark(&self, kernel: &Kernel, accesses: &mut [Access<'_>]) {
        for op in (0..kernel.outs.len()).flat_map(|out| self.unwritten(kernel, out)) {
            accesses.iter_mut().filter(|access| std::ptr::eq(access.op, op)).for_each(|access| access.unwritten = true);
        }
    }

    /// Whether a store leaves alone what the load loads, until it has; `own`: other iterations do so in any case.
    fn is_apart(&self, kernel: &Kernel, array: Value, (load, store, own): (&Touch<'_>, &Touch<'_>, bool)) -> bool {
        if load.around.uncounted && store.around.uncounted {
            return false;
        }
        let (depth, inner) = (kernel.body.params.len(), load.loops_with(store));
        self.pairs(kernel, array, (load, store), true, &|pair| {
            let across = !own && (0..depth).any(|level| pair.carried_by(level).is_some());
            let earlier = || (depth..depth + inner).any(|level| pair.carried_backwards(level).is_some());
            let same = || pair.dependences_inside(depth + inner).iter().any(|d| d.directions.iter().all(is_equal));
            !across && !earlier() && (load.at < store.at || !same())
        })
    }

    /// Whether something holds of a load and a store at all their iterations; `guarded`: those that their conditions let through.
    fn pairs(
        &self,
        kernel: &Kernel,
        array: Value,
        (load, store): (&Touch<'_>, &Touch<'_>),
        guarded: bool,
        holds: &dyn Fn(&Pair<'_>) -> bool,
    ) -> bool {
        let Some(first) = kernel.body.params.first() else { return false };
        let defs = self.defs.get_or_init(|| Definitions::of(self.func));
        let mut view = AffineView::new(&self.func.symbols, defs, defs.scope_of(*first)).with_locals();
        let mut side = |touch: &Touch<'_>| {
            let kind = if touch.store { AccessKind::Write } else { AccessKind::Read };
            let access = view.access(kind, self.func.ty(array), touch.subs);
            let own = kernel.body.params.iter().zip(&kernel.domain);
            let own = own.map(|(counter, size)| Counted { counter: *counter, extent: Extent::Size(size.clone()) });
            let loops: Vec<Counted> = own.chain(touch.around.loops.iter().cloned()).collect();
            let guards = if guarded { &touch.around.guards[..] } else { &[] };
            let domains = view.cases_of(&loops, guards, &access);
            (access, domains)
        };
        let ((load_access, loads), (store_access, stores)) = (side(load), side(store));
        let common = kernel.body.params.len() + load.loops_with(store);
        let pair = |one, other| holds(&Pair::new((one, &load_access), (other, &store_access), common));
        loads.iter().all(|one| stores.iter().all(|other| pair(one, other)))
    }
}

fn is_equal(direction: &Direction) -> bool {
    *direction == Direction::Equal
}

/// What stands around a statement of a body.
#[derive(Debug, Clone, Default)]
struct Around {
    /// The loops, outermost first.
    loops: Vec<Counted>,
    /// Whether there is a loop without a counter.
    uncounted: bool,
    /// The conditions.
    guards: Vec<(Value, bool)>,
    /// The regions, outermost first: the place of the statement and which region of it.
    path: Vec<(usize, usize)>,
}

/// A load of the old state, or a store.
struct Touch<'k> {
    op: &'k Op,
    subs: &'k [Value],
    /// Its place in the order of the statements.
    at: usize,
    around: Around,
    store: bool,
}

impl Touch<'_> {
    /// Whether an iteration that comes to this load comes to the store too, which is of the same element.
    fn is_stored_by(&self, store: &Self) -> bool {
        let in_loop = store.around.uncounted || !store.around.loops.is_empty();
        self.subs == store.subs && !in_loop && self.around.path.starts_with(&store.around.path)
    }

    fn precedes(&self, store: &Self) -> bool {
        self.at < store.at && self.loops_with(store) == 0 && !self.around.uncounted
    }

    /// How many loops of the body are around both.
    fn loops_with(&self, other: &Self) -> usize {
        self.around.loops.iter().zip(&other.around.loops).take_while(|(a, b)| a == b).count()
    }
}

/// The loads of an array's old state, or of an out-variable, and the stores of this.
struct Touches<'k> {
    loaded: Mem,
    out: usize,
    next: usize,
    list: Vec<Touch<'k>>,
}

impl<'k> Touches<'k> {
    fn of(kernel: &'k Kernel, loaded: Mem, out: usize) -> Vec<Touch<'k>> {
        let mut found = Self { loaded, out, next: 0, list: Vec::new() };
        found.region(&kernel.body, &Around::default());
        found.list
    }

    fn region(&mut self, region: &'k Region, around: &Around) {
        for stmt in &region.stmts {
            let at = self.next;
            self.next += 1;
            let touch = match &stmt.op {
                Op::Load(mem, subs) if *mem == self.loaded => Some((subs, false)),
                Op::Put(out, subs, _) if *out == self.out => Some((subs, true)),
                _ => None,
            };
            let touch = touch.map(|(subs, store)| Touch { op: &stmt.op, subs, at, around: around.clone(), store });
            self.list.extend(touch);
            for (number, inner) in stmt.op.regions().into_iter().enumerate() {
                let mut within = around.clone();
                within.path.push((at, number));
                match &stmt.op {
                    Op::If { cond, .. } => within.guards.push((*cond, number == 0)),
                    Op::While { .. } => within.uncounted = true,
                    op => within.loops.extend(counted_loops(op)),
                }
                self.region(inner, &within);
            }
        }
    }
}
