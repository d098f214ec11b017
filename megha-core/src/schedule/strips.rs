//! Consecutive launches that can run strip by strip: which ones, and where the rows of each are (`megha_rt::strips` has the idea).
//!
//! A *run* is a list of launches between which the program only computes numbers. Each launch has a loop over rows, which is not one that it
//! reduces; row `r` of it is the iteration number of that loop plus a constant. A run runs in strips if every element that one of its launches
//! changes is touched, by all launches, for one row alone: if its array has a dimension along which each subscript is the row. Then what the
//! program does for a row depends on nothing that it does for another, so it may do all of a row before the next. A row that no launch
//! changes, as its number is in none of their ranges, may be read for all others: row `k` of Floyd and Warshall's, where the launches go
//! through the rows before it, or behind.
//!
//! The result of a reduction has the loops that are kept as its dimensions, so its row is the loop's number. Arrays that nothing changes may be read anywhere.
//!
//! It pays if the launches share an array that is as large as any, so that its rows are in the cache from one launch to the next. The loop over rows of the first launch
//! is tried in turn; for the others it is the one under which most arrays that are shared so far have rows.

use super::Memory;
use super::access::Affine;
use super::subject::Subject;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Mem, Op, Out, Size, SymDef, Type, Value};

/// Launches in a run at most.
const MOST: usize = 32;

/// Launches that can run strip by strip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The kernels' numbers.
    pub kernels: Vec<u32>,
    /// Where their rows are, with columns first and with rows first.
    pub rows: [Rows; 2],
    /// Arrays that have rows, a value for each.
    pub arrays: Vec<Value>,
    /// Whether a kernel combines elements.
    pub combines: bool,
}

/// Where the rows of a run are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// Of each launch the loop over rows, and the first row.
    pub launches: Vec<(usize, Size)>,
    /// Whether neighbouring rows lie next to each other in memory.
    pub adjacent: bool,
    /// The arrays, by number, of which each launch touches its own row alone, and the dimension that counts rows.
    pub own: Vec<(usize, usize)>,
    /// How many rows the largest array has, if what is read of other rows that a loop around changes is before the first of all launches: then the launches of its
    /// iterations may run in strips together, as far as first rows never fall.
    pub settled: Option<Size>,
}

/// The runs among consecutive launches, as long as they can be. Arrays that share memory have one number; those without one are not known.
pub fn runs(subjects: &[Subject<'_>], number: &dyn Fn(Value) -> Option<usize>) -> Vec<Run> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at + 1 < subjects.len() {
        let run = longest(&subjects[at..subjects.len().min(at + MOST)], number);
        at += run.as_ref().map_or(1, |run| run.kernels.len());
        found.extend(run);
    }
    found
}

/// The longest run that begins with the first launch.
fn longest(subjects: &[Subject<'_>], number: &dyn Fn(Value) -> Option<usize>) -> Option<Run> {
    let seeds = (0..subjects[0].depth()).filter_map(|axis| {
        let mut trial = Trial {
            number,
            arrays: HashMap::default(),
            last: HashSet::default(),
            launches: Vec::new(),
            changed: Vec::new(),
        };
        let mut paying = None;
        if trial.take(&subjects[0], axis) {
            for subject in &subjects[1..] {
                if !trial.next(subject) {
                    break;
                }
                // Launches behind that only happen to fit are left out.
                paying = if trial.pays() { Some(trial.clone()) } else { paying };
            }
        }
        paying
    });
    let trials: Vec<Trial<'_>> = seeds.collect();
    let length = trials.iter().map(|trial| trial.launches.len()).max()?;
    let trials = || trials.iter().filter(|trial| trial.launches.len() == length);
    let rows = |memory: Memory| {
        let trial = trials().min_by_key(|trial| trial.is_adjacent(memory))?;
        let (launches, adjacent) = (trial.launches.clone(), trial.is_adjacent(memory));
        Some(Rows { launches, adjacent, own: trial.own(), settled: trial.settled(&subjects[0]) })
    };
    let [columns, rows] = Memory::ALL.map(rows);
    let mut arrays: Vec<Value> = trials().next()?.with_rows().map(|array| array.value).collect();
    arrays.sort_unstable();
    let kernels = subjects[..length].iter().map(|subject| subject.kernel.id).collect();
    let is_reduced = |out: &Out| matches!(out, Out::Reduce(..));
    let combines = subjects[..length].iter().any(|subject| subject.kernel.outs.iter().any(is_reduced));
    Some(Run { kernels, rows: [columns?, rows?], arrays, combines })
}

/// An array that launches touch.
#[derive(Debug, Clone)]
struct Array {
    value: Value,
    ty: Type,
    /// The dimensions along which all subscripts so far are the row, or a number,
    dims: Vec<usize>,
    /// and these numbers, each with its dimension.
    fixed: Vec<(usize, Size)>,
    /// Whether a launch changes it.
    changed: bool,
    /// How many launches touch it.
    launches: usize,
}

impl Array {
    /// Whether a launch touches a row of it for each of its own.
    fn has_rows(&self) -> bool {
        self.dims.iter().any(|dim| self.changed || self.fixed.iter().all(|(fixed, _)| fixed != dim))
    }
}

/// A run as it grows.
#[derive(Clone)]
struct Trial<'t> {
    number: &'t dyn Fn(Value) -> Option<usize>,
    arrays: HashMap<usize, Array>,
    /// What the last launch touches.
    last: HashSet<usize>,
    launches: Vec<(usize, Size)>,
    /// The first row of each launch, and the first behind its last.
    changed: Vec<[Size; 2]>,
}

impl Trial<'_> {
    /// Adds a launch, if some loop of it can be that over rows.
    fn next(&mut self, subject: &Subject<'_>) -> bool {
        let tried = (0..subject.depth()).filter_map(|axis| {
            let mut trial = self.clone();
            let fits = trial.take(subject, axis);
            let shared = trial.with_rows().filter(|array| array.launches > 1).count();
            fits.then_some((shared, trial))
        });
        // Of equal ones the first.
        let best = tried.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, trial)| *self = trial).is_some()
    }

    /// Adds a launch whose loop over rows is this one; false if it cannot be.
    fn take(&mut self, subject: &Subject<'_>, axis: usize) -> bool {
        let kept = subject.kept_ids().iter().any(|id| id.0 == axis);
        let Some(first) = first_row(subject, axis).filter(|_| kept) else { return false };
        let mut touched = HashSet::default();
        for access in &subject.accesses {
            let value = match access.mem {
                Mem::In(value) => value,
                Mem::Out(out) => subject.stmt.results[out],
            };
            let (Op::Load(_, subs) | Op::Put(_, subs, _)) = access.op else { return false };
            let Some(array) = self.array(subject, value, &mut touched) else { return false };
            let dims = &subject.func.ty(value).dims;
            let (is_read, fixed) = (matches!(access.op, Op::Load(..)), &mut array.fixed);
            array.dims.retain(|dim| match subscript(dims, subs, *dim).and_then(|sub| row(subject, sub, axis)) {
                Some(Row::Own(own)) => own == first,
                Some(Row::Fixed(number)) if is_read => {
                    fixed.push((*dim, number));
                    true
                }
                Some(Row::Fixed(_)) | None => false,
            });
        }
        for (out, result) in subject.kernel.outs.iter().zip(&subject.stmt.results) {
            let Some(array) = self.array(subject, *result, &mut touched) else { return false };
            array.changed = true;
            match out {
                Out::Reduce(..) => {
                    let own = kept_dim(subject, &array.ty, axis);
                    array.dims.retain(|dim| Some(*dim) == own);
                }
                Out::Fresh | Out::Update(_) => {}
            }
        }
        let now = self.arrays.iter_mut().filter(|(number, _)| touched.contains(number));
        now.for_each(|(_, array)| array.launches += 1);
        self.last = touched;
        self.changed.push([first.clone(), first.add(&subject.kernel.domain[axis])]);
        self.launches.push((axis, first));
        let changed = &self.changed;
        let stays = |number: &Size| changed.iter().all(|rows| is_outside(subject, number, rows));
        self.arrays.values_mut().filter(|array| array.changed).all(|array| {
            let fixed = &array.fixed;
            array.dims.retain(|dim| fixed.iter().all(|(other, number)| other != dim || stays(number)));
            !array.dims.is_empty()
        })
    }

    /// What is known of an array, which is noted among those that a launch touches.
    fn array(&mut self, subject: &Subject<'_>, value: Value, touched: &mut HashSet<usize>) -> Option<&mut Array> {
        let (number, ty) = ((self.number)(value)?, subject.func.ty(value));
        touched.insert(number);
        let new = || Array {
            value,
            ty: ty.clone(),
            dims: (0..ty.dims.len()).collect(),
            fixed: Vec::new(),
            changed: false,
            launches: 0,
        };
        let array = self.arrays.entry(number).or_insert_with(new);
        if array.ty != *ty {
            // The same memory in other sizes.
            array.dims.clear();
        }
        Some(array)
    }

    /// The arrays that have rows.
    fn with_rows(&self) -> impl Iterator<Item = &Array> {
        self.arrays.values().filter(|array| array.has_rows())
    }

    /// The arrays of which each launch touches its own row alone, and the dimension that counts rows.
    fn own(&self) -> Vec<(usize, usize)> {
        let own = self.arrays.iter().filter_map(|(number, array)| {
            let is_own = |dim: &&usize| array.fixed.iter().all(|(fixed, _)| fixed != *dim);
            Some((*number, *array.dims.iter().find(is_own)?))
        });
        let mut own: Vec<(usize, usize)> = own.collect();
        own.sort_unstable();
        own
    }

    /// How many rows the largest array has, if the rows that launches read beside their own of arrays that they change are before all first ones.
    fn settled(&self, subject: &Subject<'_>) -> Option<Size> {
        let symbols = &subject.func.symbols;
        let is_before =
            |row: &Size| self.launches.iter().all(|(_, first)| symbols.never_negative(&first.sub(row).add_const(-1)));
        let dim = |array: &Array| {
            let fixed = |dim: usize| array.fixed.iter().filter(move |(other, _)| *other == dim);
            array.dims.iter().copied().find(|dim| fixed(*dim).all(|(_, row)| is_before(row)))
        };
        let changed: Option<Vec<(&Array, usize)>> = self
            .arrays
            .values()
            .filter(|array| array.changed)
            .map(|array| dim(array).map(|dim| (array, dim)))
            .collect();
        let (largest, dim) = changed?.into_iter().max_by_key(|(array, _)| array.ty.order())?;
        Some(largest.ty.dims[dim].clone())
    }

    /// Whether the last launch shares the rows of an array that is as large as any with one before.
    fn pays(&self) -> bool {
        let most = self.arrays.values().map(|array| array.ty.order()).max();
        let last = self.arrays.iter().filter(|(number, _)| self.last.contains(number)).map(|(_, array)| array);
        last.into_iter().any(|array| array.has_rows() && array.launches > 1 && Some(array.ty.order()) == most)
    }

    /// Whether neighbouring rows of the largest arrays lie next to each other in memory.
    fn is_adjacent(&self, memory: Memory) -> bool {
        let most = self.with_rows().map(|array| array.ty.order()).max();
        self.with_rows().filter(|array| Some(array.ty.order()) == most).any(|array| {
            let long: Vec<usize> = (0..array.ty.dims.len()).filter(|dim| !array.ty.dims[*dim].is_one()).collect();
            let inner = match memory {
                Memory::ColumnMajor => long.first(),
                Memory::RowMajor => long.last(),
            };
            inner == array.dims.first()
        })
    }
}

/// The row that belongs to the first iteration of a loop: that of what the launch writes.
fn first_row(subject: &Subject<'_>, axis: usize) -> Option<Size> {
    if subject.reduced().is_some() {
        return Some(Size::default());
    }
    subject.accesses.iter().find_map(|access| {
        let (Mem::Out(out), Op::Put(_, subs, _)) = (access.mem, access.op) else { return None };
        let dims = &subject.func.ty(subject.stmt.results[out]).dims;
        (0..dims.len()).find_map(|dim| match row(subject, subscript(dims, subs, dim)?, axis)? {
            Row::Own(first) => Some(first),
            Row::Fixed(_) => None,
        })
    })
}

/// The dimension of a reduction's result that a loop counts: loops and dimensions of more than one element go together, in order.
fn kept_dim(subject: &Subject<'_>, result: &Type, axis: usize) -> Option<usize> {
    let (kept, long) = (subject.kept_ids(), (0..result.dims.len()).filter(|dim| !result.dims[*dim].is_one()));
    let long: Vec<usize> = long.collect();
    let place = kept.iter().position(|id| id.0 == axis)?;
    (kept.len() == long.len()).then(|| long[place])
}

/// What a subscript is.
enum Row {
    /// The number of the loop over rows, and so much more.
    Own(Size),
    /// The same in all iterations.
    Fixed(Size),
}

/// What a subscript is with this loop over rows, if it is one of the two.
fn row(subject: &Subject<'_>, sub: Value, axis: usize) -> Option<Row> {
    let Affine { coeffs, uniform, size } = subject.maps.affine(sub)?;
    let symbols = &subject.func.symbols;
    let number = uniform.iter().try_fold(size, |sum, (value, by)| {
        let (sym, _) = symbols.iter().find(|(_, data)| data.def == SymDef::Value(*value))?;
        Some(sum.plus(*by, &Size::sym(sym)))
    })?;
    let is = |own: i64| coeffs.iter().enumerate().all(|(other, by)| *by == if other == axis { own } else { 0 });
    if is(1) { Some(Row::Own(number)) } else { is(0).then_some(Row::Fixed(number)) }
}

/// Whether a row is none of those from a first one to before an end.
fn is_outside(subject: &Subject<'_>, row: &Size, [first, end]: &[Size; 2]) -> bool {
    let symbols = &subject.func.symbols;
    symbols.never_negative(&row.sub(end)) || symbols.never_negative(&first.sub(row).add_const(-1))
}

/// The subscript along a dimension of an array of these sizes.
fn subscript(dims: &[Size], subs: &[Value], dim: usize) -> Option<Value> {
    match subs {
        _ if subs.len() == dims.len() => Some(subs[dim]),
        [only] => (0..dims.len()).all(|other| dims[other].is_one() == (other != dim)).then_some(*only),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
