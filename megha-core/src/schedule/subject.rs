//! A kernel as schedules see it: its loops and its accesses.

use super::access::{Access, Maps};
use super::axes::Axes;
use super::levels::LoopId;
use super::masked;
use crate::ir::declare::Effect;
use crate::ir::{Func, Kernel, Mem, Op, Out, ReduceOp, Region, Stmt, Type, Value};
use crate::kernels::dead::leaves;
use crate::kernels::old_state::OldState;

/// A kernel with its loops and accesses.
pub struct Subject<'f> {
    /// The function.
    pub func: &'f Func,
    /// The statement that is the kernel.
    pub stmt: &'f Stmt,
    /// The kernel.
    pub kernel: &'f Kernel,
    /// What its values are.
    pub maps: Maps<'f>,
    /// Its loads and stores, in program order.
    pub accesses: Vec<Access<'f>>,
    /// The counted loops of its body, in program order, those inside others behind them.
    pub body_loops: Vec<BodyLoop<'f>>,
}

/// A counted loop in the body of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct BodyLoop<'f> {
    /// The loop.
    pub stmt: &'f Stmt,
    /// Its number of iterations.
    pub trip: Value,
    /// Its counter.
    pub counter: Value,
    /// The loop of the body around it.
    pub around: Option<LoopId>,
    /// If it comes to its end, and so do all around it: the kernel's own loops that say how often it, or one around it, runs. It may stand outside
    /// of all others.
    pub varies: Option<Axes>,
    /// The mark of points that have not left it, if points may go through it together nevertheless ([`masked`]).
    pub mark: Option<Value>,
}

impl BodyLoop<'_> {
    /// Whether it is the same at all points.
    pub fn is_uniform(&self) -> bool {
        self.varies == Some(Axes::default())
    }

    /// Whether it may stand outside this one of the kernel's own loops: it is the same along it.
    pub fn may_go_outside(&self, axis: usize) -> bool {
        self.mark.is_some() || self.varies.is_some_and(|varies| !varies.contains(axis))
    }
}

impl<'f> Subject<'f> {
    /// Looks at a kernel.
    pub fn of(func: &'f Func, stmt: &'f Stmt, kernel: &'f Kernel) -> Self {
        let maps = Maps::of(func, kernel);
        let mut accesses = maps.accesses();
        OldState::new(func).mark(kernel, &mut accesses);
        let mut body_loops = Vec::new();
        // An iteration that fails ends there and then, so what is behind its loops cannot be parted from them.
        let mut found = BodyLoops { maps: &maps, kernel, depth: kernel.domain.len(), list: &mut body_loops };
        found.region(maps.inside(kernel), None, (!has_checks(&kernel.body)).then(Axes::default));
        Self { func, stmt, kernel, maps, accesses, body_loops }
    }

    /// The type of an array.
    pub fn ty(&self, mem: Mem) -> Type {
        match mem {
            Mem::In(value) => self.func.ty(value).clone(),
            Mem::Out(out) => self.func.ty(self.stmt.results[out]).clone(),
        }
    }

    /// Its arrays, as schedules number them: what it writes, then what it reads in the order of the program.
    pub fn arrays(&self) -> Vec<Mem> {
        let mut arrays: Vec<Mem> = (0..self.kernel.outs.len()).map(Mem::Out).collect();
        for access in &self.accesses {
            if !arrays.contains(&access.mem) {
                arrays.push(access.mem);
            }
        }
        arrays
    }

    /// Whether nothing in the kernel writes an array that it reads.
    pub fn is_constant(&self, array: Value) -> bool {
        !self.kernel.outs.contains(&Out::Update(array))
    }

    /// Whether no loop of the body runs as often as the iteration of this one says, as far as is known.
    pub fn is_even(&self, axis: usize) -> bool {
        self.body_loops.iter().all(|l| l.varies.is_none_or(|varies| !varies.contains(axis)))
    }

    /// How many loops the domain has: these are the first ones.
    pub fn depth(&self) -> usize {
        self.kernel.domain.len()
    }

    /// The loop's place in the domain.
    pub fn axis(&self, of: LoopId) -> Option<usize> {
        (of.0 < self.depth()).then_some(of.0)
    }

    /// The loop in the body.
    pub fn body_loop(&self, of: LoopId) -> Option<&BodyLoop<'f>> {
        self.body_loops.get(of.0.checked_sub(self.depth())?)
    }

    /// The loop of the domain or of the body that has this counter.
    pub fn loop_counted_by(&self, counter: Value) -> Option<LoopId> {
        let inside = || self.body_ids().zip(&self.body_loops).find(|(_, l)| l.counter == counter).map(|(id, _)| id);
        self.maps.number(counter).map(LoopId).or_else(inside)
    }

    /// All loops of the body.
    pub fn body_ids(&self) -> impl Iterator<Item = LoopId> + use<'f> {
        (self.depth()..self.depth() + self.body_loops.len()).map(LoopId)
    }

    /// A loop that stands directly in the kernel's body, or in the guard that its bounds stand for.
    pub fn direct_loop(&self, of: LoopId) -> Option<&BodyLoop<'f>> {
        let is_direct =
            |l: &&BodyLoop<'f>| self.maps.inside(self.kernel).stmts.iter().any(|stmt| std::ptr::eq(stmt, l.stmt));
        self.body_loop(of).filter(is_direct)
    }

    /// Whether a loop of the domain has more than one iteration, as far as is known.
    pub fn is_long(&self, axis: usize) -> bool {
        !self.kernel.domain[axis].is_one()
    }

    /// Whether all that the kernel reduces is whether something holds for all of its iterations, or for any of them.
    pub fn is_tested(&self) -> bool {
        let mut reductions = self.kernel.outs.iter().filter_map(|out| match out {
            Out::Reduce(op, axes) => Some((*op, axes)),
            Out::Fresh | Out::Update(_) => None,
        });
        let tests = |(op, axes): (ReduceOp, &Vec<usize>)| {
            matches!(op, ReduceOp::All | ReduceOp::Any) && (0..self.depth()).all(|axis| axes.contains(&axis))
        };
        self.reduced().is_some() && reductions.all(tests)
    }

    /// The loops along which something is reduced.
    pub fn reduced(&self) -> Option<&'f [usize]> {
        self.kernel.outs.iter().find_map(|out| match out {
            Out::Reduce(_, axes) => Some(&axes[..]),
            Out::Fresh | Out::Update(_) => None,
        })
    }

    /// The reduced loops of more than one iteration, the last fastest: contributions are numbered first axis fastest. One that has one
    /// iteration stands for none.
    pub fn reduced_ids(&self) -> Vec<LoopId> {
        let axes = self.reduced().unwrap_or(&[]);
        let long: Vec<LoopId> = axes.iter().rev().copied().filter(|a| self.is_long(*a)).map(LoopId).collect();
        if long.is_empty() { axes.first().map(|a| LoopId(*a)).into_iter().collect() } else { long }
    }

    /// The other loops of more than one iteration, first axis first.
    pub fn kept_ids(&self) -> Vec<LoopId> {
        let reduced = self.reduced().unwrap_or(&[]);
        let kept = (0..self.depth()).filter(|axis| self.is_long(*axis) && !reduced.contains(axis));
        kept.map(LoopId).collect()
    }
}

/// The kernels of a function, in order, those inside loops and branches too.
pub fn subjects(func: &Func) -> Vec<Subject<'_>> {
    func.body.kernels().into_iter().map(|(stmt, kernel)| Subject::of(func, stmt, kernel)).collect()
}

/// The search for the loops of a body.
struct BodyLoops<'s, 'f> {
    maps: &'s Maps<'f>,
    kernel: &'f Kernel,
    /// The loops of the domain, which are numbered first.
    depth: usize,
    list: &'s mut Vec<BodyLoop<'f>>,
}

impl<'f> BodyLoops<'_, 'f> {
    fn reduces(&self) -> bool {
        self.kernel.outs.iter().any(|out| matches!(out, Out::Reduce(..)))
    }

    fn region(&mut self, region: &'f Region, around: Option<LoopId>, varies: Option<Axes>) {
        for stmt in &region.stmts {
            if let Op::For { trip, body, .. } = &stmt.op {
                let counter = body.params[0];
                let counts = varies.and_then(|around| Some(around.and(self.maps.numbers_in(*trip)?)));
                let varies = counts.filter(|_| !leaves(body, 0));
                let is_alone = counts != Some(Axes::default()) || varies.is_some() || self.reduces();
                let mark = if is_alone { None } else { masked::mark(self.maps, self.kernel, stmt) };
                let own = LoopId(self.depth + self.list.len());
                self.list.push(BodyLoop { stmt, trip: *trip, counter, around, varies, mark });
                self.region(body, Some(own), varies);
            } else {
                stmt.op.regions().into_iter().for_each(|inner| self.region(inner, around, None));
            }
        }
    }
}

/// Whether a kernel checks something that can fail.
pub fn has_checks(region: &Region) -> bool {
    region.any(|op| op.regions().is_empty() && op.effect() >= Effect::MayFail)
}
