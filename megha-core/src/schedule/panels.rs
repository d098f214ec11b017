//! Kernels whose rows share what a sequential loop reads: register tiles.
//!
//! A product of matrices is the simplest: with rows first all rows of the result read the same rows of the right factor. Where the loop
//! sums up one value for each point, a few rows at a time keep their sums in registers, and what they share is packed into a panel beforehand: so many
//! points of it, iteration by iteration, which makes neighbours of elements that lie apart. The loop stays in order at each point, so bits do
//! not change. Taken where the loop stands alone in the body, is straight-line arithmetic of one floating-point class, and reads
//! what moves along the points only from arrays that the kernel does not write, or not in the same place, or from elements of its results that it does not write. Of a domain with bounds a tile takes rows that have all points of the panel.
//!
//! The loop may run as often as the row says ([`Span`]): as long as `i` of row `i`, or from there to the end. Then the iterations of all rows are
//! numbered so that rows share what has one number, and a tile goes through those that all of its rows have together.

use super::access::{Access, Affine, Maps};
use super::axes::Axes;
use super::levels::LoopId;
use super::order::{Memory, is_consecutive, is_neighbouring};
use super::subject::{BodyLoop, Subject};
use super::sweep::kept;
use crate::ir::{Binary, Class, Kind, Mem, Op, Region, Stmt, Terminator, Unary, Value};
use crate::kernels::old_state::OldState;

/// Rows of a register tile: with two registers of points their sums, what the rows share and one number fill sixteen registers.
pub const ROWS: u32 = 6;
/// Points of it at most; how many of them fill its registers is the instruction set's affair.
pub const POINTS: u32 = 32;
/// Arrays that are packed at most: what an iteration reads of each takes as many registers as a row of sums.
const PACKED: usize = 2;

/// Whether rows read the same in the iterations that have one number.
fn is_shared(access: &Access<'_>, rows: usize, (counter, span): (Value, Option<&Span>)) -> bool {
    // An iteration's number is less than the row's counter by so many for each row.
    let later = span.filter(|span| !span.begins).map_or(0, |span| span.more);
    let (steps, rows) = (access.body_step(counter), access.step(rows));
    let steps = steps.into_iter().flatten().map(|step| step.checked_mul(-later));
    rows.is_some_and(|rows| steps.eq(rows.into_iter().map(Some)))
}

/// How a kernel runs in register tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panels {
    /// The sequential loop.
    pub of: LoopId,
    /// Its counter.
    pub counter: Value,
    /// The class of all numbers in it.
    pub class: Class,
    /// What is packed.
    pub packed: Vec<Packed>,
    /// Whether the numbers that each row has of its own are neighbours in memory from one iteration to the next.
    pub turned: bool,
    /// The iterations of each row, if not all have the same ones.
    pub span: Option<Span>,
}

/// How many iterations each row has, where rows begin together or end together: of two rows one has all those of the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Iterations of the first row, and none if it is negative.
    pub trip: Affine,
    /// How many more each row has than the one before it; not 0.
    pub more: i64,
    /// Whether they begin together. Else the last ones are the same.
    pub begins: bool,
}

/// Elements that rows share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Of which array.
    pub mem: Mem,
    /// The loads.
    pub ops: Vec<*const Op>,
    /// Whether a point's elements are neighbours in memory from one iteration to the next.
    pub turned: bool,
    /// The loops of the domain outside of those over rows and points that it moves with.
    pub outer: Vec<usize>,
}

impl Panels {
    /// The register tiles of a kernel whose loops stand in this order, if it has any.
    pub fn of(subject: &Subject<'_>, memory: Memory, order: &[usize]) -> Option<Self> {
        let [outer @ .., rows, along] = order else { return None };
        let [of] = subject.body_ids().collect::<Vec<_>>()[..] else { return None };
        let direct = subject.direct_loop(of)?;
        let Op::For { init, body, .. } = &direct.stmt.op else { return None };
        if subject.reduced().is_some() {
            return None;
        }
        let kept = kept(&subject.maps, &subject.accesses, body);
        let class = match (&init[..], &kept[..]) {
            ([sum], []) => subject.func.ty(*sum).class,
            ([], [element]) => subject.ty(*element).class,
            _ => return None,
        };
        let nest = Nest { subject, memory, outer, rows: *rows, along: *along, class };
        (class.is_float() && nest.is_arithmetic(body, &kept)).then_some(())?;
        let counter = direct.counter;
        let spans = if direct.is_uniform() { vec![None] } else { nest.spans(direct)? };
        spans.into_iter().find_map(|span| {
            let (packed, turned) = nest.packed(body, &kept, (counter, span.as_ref()))?;
            (1..=PACKED).contains(&packed.len()).then_some(Self { of, counter, class, packed, turned, span })
        })
    }
}

/// A kernel whose rows may share what a loop reads.
pub(super) struct Nest<'s, 'f> {
    pub subject: &'s Subject<'f>,
    pub memory: Memory,
    /// The loops of the domain around these two,
    pub outer: &'s [usize],
    /// that over rows,
    pub rows: usize,
    /// and that over the points of a row.
    pub along: usize,
    pub class: Class,
}

impl<'f> Nest<'_, 'f> {
    fn maps(&self) -> &Maps<'f> {
        &self.subject.maps
    }

    /// Whether the loop's body is straight-line arithmetic of the class, and hands on one value.
    pub fn is_arithmetic(&self, body: &Region, kept: &[Mem]) -> bool {
        let mut inside: Vec<Value> = body.params.clone();
        for stmt in &body.stmts {
            let known = |value: Value| {
                let class = self.maps().class(value);
                class == Class::Index || inside.contains(&value) || class == self.class && self.maps().is_uniform(value)
            };
            let mut fits = self.may_stand(stmt, kept);
            stmt.op.for_each_operand(&mut |value| fits &= known(value));
            if !fits {
                return false;
            }
            inside.extend(&stmt.results);
        }
        let Terminator::Yield(yielded) = &body.term else { return false };
        yielded.iter().all(|value| inside.contains(value))
    }

    fn may_stand(&self, stmt: &Stmt, kept: &[Mem]) -> bool {
        let class = stmt.results.first().map(|result| self.maps().class(*result));
        match &stmt.op {
            Op::Put(out, ..) => kept.contains(&Mem::Out(*out)),
            op if class == Some(Class::Index) => {
                op.kind() == Kind::Elementwise || matches!(op, Op::Const(_) | Op::Size(_))
            }
            Op::Load(..) | Op::Const(_) => class == Some(self.class),
            Op::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..) => class == Some(self.class),
            Op::Fma(..) | Op::Unary(Unary::Neg, _) => class == Some(self.class),
            _ => false,
        }
    }

    /// The ways in which iterations may be numbered of a loop that runs as often as the row says, and as no other loop of the domain does.
    fn spans(&self, of: &BodyLoop<'_>) -> Option<Vec<Option<Span>>> {
        let is_box = !self.maps().is_narrowed();
        (is_box && of.mark.is_none() && of.varies == Axes::of(self.rows)).then_some(())?;
        let mut trip = self.maps().affine(of.trip)?;
        let more = std::mem::take(&mut trip.coeffs[self.rows]);
        let alone = trip.coeffs.iter().all(|by| *by == 0) && more != 0;
        alone.then(|| [true, false].map(|begins| Some(Span { trip: trip.clone(), more, begins })).to_vec())
    }

    /// What is packed: all that moves along the points; and whether what does not are neighbours from one iteration to the next. None if something is
    /// neither that nor the same for all points of a row.
    fn packed(
        &self,
        body: &Region,
        kept: &[Mem],
        (counter, span): (Value, Option<&Span>),
    ) -> Option<(Vec<Packed>, bool)> {
        let mut packed: Vec<(Packed, &Access<'_>)> = Vec::new();
        let mut numbers_turned = false;
        for stmt in body.stmts.iter().filter(|stmt| matches!(stmt.op, Op::Load(..))) {
            let access = self.subject.accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op))?;
            if kept.contains(&access.mem) && !access.unwritten {
                continue;
            }
            let map = access.map.as_ref().filter(|_| !access.conditional && self.stays(access))?;
            let moves = |axis: usize| map.iter().any(|affine| affine.coeffs[axis] != 0);
            let turned = self.is_turned(access, counter);
            if !moves(self.along) {
                numbers_turned |= turned;
                continue;
            }
            if !is_shared(access, self.rows, (counter, span)) || self.overlaps(access, counter) {
                return None;
            }
            if let Some((same, _)) = packed.iter_mut().find(|(_, a)| a.mem == access.mem && a.map == access.map) {
                same.ops.push(access.op);
                continue;
            }
            let outer = self.outer.iter().copied().filter(|axis| moves(*axis)).collect();
            packed.push((Packed { mem: access.mem, ops: vec![access.op], turned, outer }, access));
        }
        Some((packed.into_iter().map(|(packed, _)| packed).collect(), numbers_turned))
    }

    /// Whether no point of the kernel writes what an access reads.
    pub fn stays(&self, access: &Access<'_>) -> bool {
        let Some(map) = &access.map else { return false };
        // What all points of a row read is the old state of an array that they update: it would not be updated in place.
        let shared = map.iter().all(|affine| affine.coeffs[self.along] == 0) && self.subject.is_long(self.along);
        // So it is not in any case if others' elements are read.
        let elsewhere = |array| OldState::new(self.subject.func).is_read(self.subject.kernel, array);
        match access.mem {
            Mem::In(array) => shared || self.subject.is_constant(array) || elsewhere(array),
            Mem::Out(_) => access.unwritten,
        }
    }

    /// Whether the points of an iteration are those of the one before but for one, as in a filter: they lie in the first-level cache as they are, and
    /// a panel would hold each element once for every iteration.
    fn overlaps(&self, access: &Access<'_>, counter: Value) -> bool {
        let dims = &self.subject.ty(access.mem).dims;
        let is_beside = |step: Option<Vec<i64>>| step.is_some_and(|step| is_neighbouring(&step, dims, self.memory));
        is_beside(access.step(self.along)) && is_beside(access.body_step(counter))
    }

    /// Whether an access goes from one element to its neighbour in memory from one iteration to the next.
    fn is_turned(&self, access: &Access<'_>, counter: Value) -> bool {
        let dims = &self.subject.ty(access.mem).dims;
        access.body_step(counter).is_some_and(|step| is_consecutive(&step, dims, self.memory))
    }
}
