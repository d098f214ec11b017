//! Neighbouring points of a thread, where elements are narrow.
//!
//! A device needs some 13 bytes under way for each of its threads ("What reductions cost" in `docs/gpu.md`), and one instruction can move 16.
//! A thread that takes one point of a kernel on singles, small integers or logicals has fewer bytes under way and as many instructions as
//! one on doubles. So such kernels have another entry, in which a thread takes as many neighbours as fill 16 bytes of the widest class, and loads
//! and stores them together where they lie side by side.

use crate::hash::HashSet;

use super::access::{Access, Affine};
use super::ahead::early;
use super::default::scheduled;
use super::levels::{Axis, Place, Schedule, Target};
use super::lines::Lines;
use super::optimisation::Optimisations;
use super::order::{Memory, is_consecutive};
use super::subject::{Subject, has_checks};
use super::weight;
use crate::ir::{Binary, Kind, Mem, Op, Region, Stmt};
use megha_base::plan::Element;

/// Bytes that one instruction moves.
const BYTES: u64 = 16;
/// The fewest points of a thread,
pub const FEWEST: u32 = 4;
/// and the most operations of them together.
const WORK: u32 = 256;
/// Operations of an addition of integers.
const SATURATED: u32 = 8;

/// What a thread does with neighbouring points.
pub struct Vectors<'f> {
    /// How many there are at most: a power of two.
    pub most: u32,
    /// Reads, and what these take, in the order of the program: they stand in front.
    pub early: Vec<&'f Stmt>,
    /// All else.
    pub late: Vec<&'f Stmt>,
    /// Loads and stores of neighbours that lie side by side, the first of them at a multiple of the number of points if the rows of their array do.
    together: Vec<&'f Op>,
    /// Loads that find the same element at all of them.
    alike: Vec<&'f Op>,
}

impl<'f> Vectors<'f> {
    /// The neighbours of a kernel along a loop of its domain; `None` if it gains nothing.
    pub fn of(subject: &Subject<'f>, memory: Memory, axis: usize) -> Option<Self> {
        let reduces = subject.reduced().is_some() && !subject.is_tested();
        let kernel = subject.kernel;
        let has_loops = kernel.body.any(|op| matches!(op, Op::For { .. } | Op::While { .. }));
        if reduces || has_loops || subject.maps.is_narrowed() || has_checks(&kernel.body) {
            return None;
        }
        let points = Points { subject, memory, axis };
        let own = |op: &Op| kernel.body.stmts.iter().any(|stmt| std::ptr::eq(&stmt.op, op));
        let alike = |access: &&Access<'f>| access.step(axis).is_some_and(|step| step.iter().all(|by| *by == 0));
        let (alike, moving): (Vec<_>, Vec<_>) = subject.accesses.iter().partition(alike);
        let (together, apart): (Vec<_>, Vec<_>) =
            moving.into_iter().partition(|access| own(access.op) && points.are_together(access));
        let widest = |list: &[&Access<'_>]| list.iter().filter_map(|access| points.bytes(access.mem)).max();
        let (Some(bytes), true) = (widest(&together), together.len() >= apart.len()) else { return None };
        if widest(&apart).is_some_and(|apart| apart > bytes) {
            return None;
        }
        let most = (BYTES / bytes) as u32;
        let fits = |most: &u32| *most >= FEWEST && most * work(subject, &kernel.body) <= WORK;
        let most = [most, most / 2, most / 4].into_iter().find(fits)?;
        let list = early(&kernel.body.stmts, HashSet::default(), &|stmt| points.may_stand_in_front(stmt));
        let late = kernel.body.stmts.iter().filter(|stmt| !list.iter().any(|own| std::ptr::eq(*own, *stmt))).collect();
        let ops = |list: Vec<&Access<'f>>| list.into_iter().map(|access| access.op).collect();
        Some(Self { most, early: list, late, together: ops(together), alike: ops(alike) })
    }

    /// Whether neighbouring points load or store elements that lie side by side.
    pub fn are_together(&self, op: &Op) -> bool {
        self.together.iter().any(|own| std::ptr::eq(*own, op))
    }

    /// Whether they load the same element.
    pub fn are_alike(&self, op: &Op) -> bool {
        self.alike.iter().any(|own| std::ptr::eq(*own, op))
    }
}

/// The operations of a region: arithmetic on integers, which saturates, is as many on doubles.
fn work(subject: &Subject<'_>, region: &Region) -> u32 {
    let saturates = |op: &Op| match op {
        Op::Binary(op, ..) => !matches!(op, Binary::Min | Binary::Max),
        op => matches!(op, Op::Unary(..) | Op::Convert(_)),
    };
    let own = |stmt: &Stmt| {
        let is_integer = stmt.results.first().is_some_and(|value| subject.func.ty(*value).class.is_integer());
        let inner: u32 = stmt.op.regions().into_iter().map(|region| 2 + work(subject, region)).sum();
        weight(&stmt.op) * if is_integer && saturates(&stmt.op) { SATURATED } else { 1 } + inner
    };
    region.stmts.iter().map(own).sum()
}

struct Points<'s, 'f> {
    subject: &'s Subject<'f>,
    memory: Memory,
    axis: usize,
}

impl Points<'_, '_> {
    /// Bytes of an element of an array.
    fn bytes(&self, mem: Mem) -> Option<u64> {
        self.subject.ty(mem).class.element().map(Element::bytes)
    }

    /// Whether an access moves to the next element from point to point, and begins a row with the first of them.
    fn are_together(&self, access: &Access<'_>) -> bool {
        let (Some(map), Some(step)) = (&access.map, access.step(self.axis)) else { return false };
        let dims = &self.subject.ty(access.mem).dims;
        let only = |affine: &Affine| {
            let others = (0..affine.coeffs.len()).filter(|axis| *axis != self.axis);
            others.into_iter().all(|axis| affine.coeffs[axis] == 0)
                && affine.uniform.is_empty()
                && affine.size.as_constant() == Some(0)
        };
        let along = map.iter().zip(&step).filter(|(_, by)| **by != 0).all(|(affine, _)| only(affine));
        let may = match access.op {
            Op::Put(out, ..) => self.is_stored_once(*out),
            _ => true,
        };
        is_consecutive(&step, dims, self.memory) && along && may
    }

    /// Whether an array is stored by one statement and read by none behind it, so that it may be stored last.
    fn is_stored_once(&self, out: usize) -> bool {
        let body = &self.subject.kernel.body;
        let touches = |op: &Op| match op {
            Op::Put(to, ..) => *to == out,
            Op::Load(Mem::Out(of), _) => *of == out,
            _ => false,
        };
        let is_put = |op: &Op| matches!(op, Op::Put(to, ..) if *to == out);
        let from = body.stmts.iter().position(|stmt| is_put(&stmt.op)).unwrap_or(0);
        let behind = &body.stmts[from..];
        let later = |stmt: &Stmt| touches(&stmt.op) || stmt.op.regions().into_iter().any(|inner| inner.any(touches));
        body.count(is_put) == 1 && behind.iter().filter(|stmt| later(stmt)).count() == 1
    }

    /// Whether a statement that takes nothing late may stand in front of what other points do: these store no element that it reads.
    fn may_stand_in_front(&self, stmt: &Stmt) -> bool {
        let Op::Load(Mem::Out(out), _) = &stmt.op else {
            return matches!(stmt.op, Op::Load(..) | Op::Const(_) | Op::Size(_)) || stmt.op.kind() == Kind::Elementwise;
        };
        let is_put = |op: &Op| matches!(op, Op::Put(to, ..) if to == out);
        let mut before = self.subject.kernel.body.stmts.iter().take_while(|other| !std::ptr::eq(*other, stmt));
        !before.any(|other| is_put(&other.op) || other.op.regions().into_iter().any(|inner| inner.any(is_put)))
    }
}

/// The schedules with neighbours for a thread, most of them first, if the kernel gains by it.
pub(super) fn schedules(subject: &Subject<'_>, memory: Memory, on: Optimisations) -> Vec<Schedule> {
    if Lines::of(subject, memory).is_some() {
        return Vec::new();
    }
    let schedule = scheduled(subject, (Target::Gpu, memory), on);
    let Some(at) = schedule.level_at(Place::Thread(Axis::X)) else { return Vec::new() };
    let axis = schedule.levels[at].single().and_then(|id| subject.axis(id));
    let Some(vectors) = axis.and_then(|axis| Vectors::of(subject, memory, axis)) else { return Vec::new() };
    let counts = std::iter::successors(Some(vectors.most), |each| Some(each / 2));
    let with = |each: u32| {
        let mut schedule = schedule.clone();
        schedule.levels[at].jam = each;
        schedule
    };
    counts.take_while(|each| *each >= FEWEST).map(with).collect()
}
