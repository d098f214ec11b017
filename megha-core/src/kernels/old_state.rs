//! Whether a kernel can update an array in its place: which loads want the state that the array had before.
//!
//! A kernel reads the old state of an array by loads from the in-variable. In place they see what is stored meanwhile, in any order
//! of the iterations. That is the same where no iteration stores the element that another one loads, and within an iteration the
//! element is loaded before it is stored. The first holds
//! * by form: what an iteration loads it also stores, by the same subscripts, and no element is stored by two iterations; or
//! * by the dependence test ([`crate::affine`]): loads and stores of different iterations never meet.

use super::accesses::{AffineView, Counted, Definitions, Extent, affine_subscripts, counted_loops};
use crate::affine::{Access, AccessKind, Direction, Domain, Pair};
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Value};
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
        let mut found = Touches { array, out, next: 0, list: Vec::new() };
        found.region(&kernel.body, &Around::default());
        let (stores, loads): (Vec<_>, Vec<_>) = found.list.iter().partition(|touch| touch.store);
        loads.into_iter().any(|load| {
            let own = stores.iter().any(|store| load.is_stored_by(store));
            !stores.iter().all(|store| own && load.precedes(store) || self.is_apart(kernel, array, (load, store, own)))
        })
    }

    /// Whether a store leaves alone what the load loads, until it has; `own`: other iterations do so in any case.
    fn is_apart(&self, kernel: &Kernel, array: Value, (load, store, own): (&Touch<'_>, &Touch<'_>, bool)) -> bool {
        let Some(first) = kernel.body.params.first() else { return false };
        if load.around.uncounted && store.around.uncounted {
            return false;
        }
        let defs = self.defs.get_or_init(|| Definitions::of(self.func));
        let mut view = AffineView::new(&self.func.symbols, defs, defs.scope_of(*first)).with_locals();
        let mut side = |touch: &Touch<'_>| {
            let kind = if touch.store { AccessKind::Write } else { AccessKind::Read };
            let access = view.access(kind, self.func.ty(array), touch.subs);
            let own = kernel.body.params.iter().zip(&kernel.domain);
            let own = own.map(|(counter, size)| Counted { counter: *counter, extent: Extent::Size(size.clone()) });
            let loops: Vec<Counted> = own.chain(touch.around.loops.iter().cloned()).collect();
            let domains = view.cases(&loops, &touch.around.guards, affine_subscripts(&access));
            (access, domains)
        };
        let (loaded, stored) = (side(load), side(store));
        let (depth, inner) = (kernel.body.params.len(), load.loops_with(store));
        each_pair(&loaded, &stored, depth + inner, &|pair| {
            let across = !own && (0..depth).any(|level| pair.carried_by(level).is_some());
            let earlier = || (depth..depth + inner).any(|level| pair.carried_backwards(level).is_some());
            let same = || pair.dependences_inside(depth + inner).iter().any(|d| d.directions.iter().all(is_equal));
            !across && !earlier() && (load.at < store.at || !same())
        })
    }
}

fn is_equal(direction: &Direction) -> bool {
    *direction == Direction::Equal
}

/// Whether something holds of an access at all iterations of one and another at all of the other.
fn each_pair(
    a: &(Access, Vec<Domain>),
    b: &(Access, Vec<Domain>),
    common: usize,
    holds: &dyn Fn(&Pair<'_>) -> bool,
) -> bool {
    a.1.iter().all(|one| b.1.iter().all(|other| holds(&Pair::new((one, &a.0), (other, &b.0), common))))
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

/// The loads of an array's old state and the stores of an out-variable.
struct Touches<'k> {
    array: Value,
    out: usize,
    next: usize,
    list: Vec<Touch<'k>>,
}

impl<'k> Touches<'k> {
    fn region(&mut self, region: &'k Region, around: &Around) {
        for stmt in &region.stmts {
            let at = self.next;
            self.next += 1;
            let touch = match &stmt.op {
                Op::Load(Mem::In(array), subs) if *array == self.array => Some((subs, false)),
                Op::Put(out, subs, _) if *out == self.out => Some((subs, true)),
                _ => None,
            };
            self.list.extend(touch.map(|(subs, store)| Touch { subs, at, around: around.clone(), store }));
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
