//! Kernels that follow each other and work on the same rows: on a device one entry may run them all, row by row, with what they share of a row in the
//! shared memory of a block (`docs/gpu.md`, *Rows*).
//!
//! That rows are independent is what [`super::strips`] proves. Here is added what a block of threads needs: kernels without checks and loops of the body, rows that lie
//! in one piece, and for each array whether a row of it comes from memory and goes back there. An array is all states of one value that kernels of the
//! group update; only the last state may be used by anything else. Whether these states are in one place, and different arrays in different ones, only
//! the run can say.

use super::Memory;
use super::access::Affine;
use super::strips::{self, Rows};
use super::subject::{Subject, has_checks};
use crate::hash::HashMap;
use crate::ir::{Func, Mem, Op, Out, Region, Size, Type, Value};

/// Kernels that one entry can run row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Their numbers.
    pub kernels: Vec<u32>,
    /// What they touch.
    pub arrays: Vec<Array>,
    /// The loop over rows of each kernel, with columns first and with rows first, if the rows lie in one piece there.
    pub axes: [Option<Vec<usize>>; 2],
}

/// An array that kernels of a group touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Its states, in order.
    pub values: Vec<Value>,
    /// The dimension that counts rows, if each kernel touches its own row alone.
    pub dim: Option<usize>,
    /// Whether a kernel changes it.
    pub is_changed: bool,
    /// Whether the first kernel that touches it makes it.
    pub is_made: bool,
    /// Whether its last state is used by anything else,
    pub is_needed: bool,
    /// and whether the last kernel stores all of that itself, which then goes straight to memory.
    pub is_stored_last: bool,
    /// The places of the kernels that touch it, in order.
    pub kernels: Vec<usize>,
    /// Whether a row of it is kept in shared memory,
    pub is_kept: bool,
    /// and the array, by number, whose room there it takes over: the kernel that makes this one is the last that reads that one, at each point the element that it makes.
    pub takes_over: Option<usize>,
}

/// The groups of a function among kernels for which `may_join` holds.
pub fn groups(func: &Func, may_join: &dyn Fn(&Subject<'_>) -> bool) -> Vec<Group> {
    let mut states = HashMap::default();
    func.body.walk(&mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op {
            for (out, result) in kernel.outs.iter().zip(&stmt.results) {
                if let Out::Update(from) = out {
                    let first = states.get(from).copied().unwrap_or(*from);
                    states.insert(*result, first);
                }
            }
        }
    });
    let mut search = Search { func, may_join, states, uses: uses(func), found: Vec::new() };
    search.region(&func.body);
    search.found
}

/// How often each value is used.
fn uses(func: &Func) -> HashMap<Value, usize> {
    let mut uses = HashMap::default();
    func.body.for_each_use(&mut |value| *uses.entry(value).or_default() += 1);
    uses
}

struct Search<'s, 'f> {
    func: &'f Func,
    may_join: &'s dyn Fn(&Subject<'_>) -> bool,
    /// Of values that updates make, the first state.
    states: HashMap<Value, Value>,
    uses: HashMap<Value, usize>,
    found: Vec<Group>,
}

impl<'f> Search<'_, 'f> {
    fn region(&mut self, region: &'f Region) {
        let mut subjects = Vec::new();
        for stmt in &region.stmts {
            if let Op::Kernel(kernel) = &stmt.op {
                let subject = Subject::of(self.func, stmt, kernel);
                let fits = !stmt.op.has_effect()
                    && !has_checks(&kernel.body)
                    && !subject.is_tested()
                    && subject.body_loops.is_empty()
                    && !subject.maps.is_narrowed()
                    && (self.may_join)(&subject);
                if fits {
                    subjects.push(subject);
                    continue;
                }
            } else if stmt.is_scalar_code(self.func) {
                continue;
            } else {
                stmt.op.regions().into_iter().for_each(|inner| self.region(inner));
            }
            self.close(&mut subjects);
        }
        self.close(&mut subjects);
    }

    fn close(&mut self, subjects: &mut Vec<Subject<'f>>) {
        let subjects = std::mem::take(subjects);
        let number = |value: Value| Some(self.first(value).index());
        let mut at = 0;
        for run in strips::runs(&subjects, &number) {
            at += subjects[at..].iter().position(|s| s.kernel.id == run.kernels[0]).unwrap_or(0);
            let members = &subjects[at..at + run.kernels.len()];
            self.found.extend(self.group(members, &run.rows));
        }
    }

    fn first(&self, value: Value) -> Value {
        self.states.get(&value).copied().unwrap_or(value)
    }

    fn group(&self, members: &[Subject<'f>], rows: &[Rows; 2]) -> Option<Group> {
        let mut arrays = self.arrays(members, &rows[0])?;
        let same = self.arrays(members, &rows[1])?.iter().zip(&arrays).all(|(a, b)| a.dim == b.dim);
        let axes = Memory::ALL.map(|memory| {
            let rows = &rows[memory as usize];
            let in_one_piece = arrays.iter().all(|array| self.is_in_one_piece(array, memory));
            (same && in_one_piece && is_aligned(members, rows))
                .then(|| rows.launches.iter().map(|(axis, _)| *axis).collect())
        });
        // What nobody reads again needs no room in shared memory.
        for array in &mut arrays {
            let is_read_again = array.kernels.len() > 1 && array.dim.is_some();
            let is_reduced = members.iter().any(|subject| reduces(subject, &array.values));
            array.is_kept = is_read_again || is_reduced;
            let last = array.kernels.last().and_then(|last| members.get(*last));
            array.is_stored_last = last.is_some_and(|subject| stores_all(subject, array));
        }
        for at in 0..arrays.len() {
            arrays[at].takes_over = (0..arrays.len()).find(|before| self.takes_over(members, &arrays, [at, *before]));
        }
        let kernels = members.iter().map(|subject| subject.kernel.id).collect();
        let is_there = axes.iter().any(Option::is_some);
        is_there.then_some(Group { kernels, arrays, axes })
    }

    /// What the kernels touch; none if something else uses a state that an update changes, or rows that are changed are not those of each kernel alone.
    fn arrays(&self, members: &[Subject<'f>], rows: &Rows) -> Option<Vec<Array>> {
        let mut arrays: Vec<Array> = Vec::new();
        for (place, subject) in members.iter().enumerate() {
            let outs = subject.kernel.outs.iter().zip(&subject.stmt.results);
            let read = subject.accesses.iter().filter_map(|access| match access.mem {
                Mem::In(value) => Some((value, false, false)),
                Mem::Out(_) => None,
            });
            let updated = outs.clone().filter_map(|(out, _)| Some((out.updated()?, true, false)));
            let made = outs.clone().map(|(out, result)| (*result, true, out.updated().is_none()));
            for (value, is_changed, is_made) in read.chain(updated).chain(made) {
                let first = self.first(value);
                let known = arrays.iter().position(|array| self.first(array.values[0]) == first);
                let at = known.unwrap_or_else(|| {
                    let dim = rows.own.iter().find(|(number, _)| *number == first.index()).map(|(_, dim)| *dim);
                    let (values, kernels) = (vec![value], Vec::new());
                    let (is_needed, is_stored_last, is_kept, takes_over) = (false, false, false, None);
                    arrays.push(Array {
                        values,
                        dim,
                        is_changed,
                        is_made,
                        is_needed,
                        is_stored_last,
                        kernels,
                        is_kept,
                        takes_over,
                    });
                    arrays.len() - 1
                });
                let array = &mut arrays[at];
                array.is_changed |= is_changed;
                if array.values.last() != Some(&value) {
                    // A state that is no more the last one.
                    if array.values.contains(&value) {
                        return None;
                    }
                    array.values.push(value);
                }
                if array.kernels.last() != Some(&place) {
                    array.kernels.push(place);
                }
            }
        }
        for array in &mut arrays {
            let (last, before) = array.values.split_last()?;
            if before.iter().any(|value| self.uses_beyond(members, *value)) {
                return None;
            }
            array.is_needed = array.is_changed && self.uses_beyond(members, *last);
            if array.is_changed && array.dim.is_none() {
                return None;
            }
        }
        Some(arrays)
    }

    /// Whether anything but these kernels uses a value.
    fn uses_beyond(&self, members: &[Subject<'f>], value: Value) -> bool {
        let mut own = 0;
        for subject in members {
            subject.stmt.op.for_each_operand(&mut |used| own += usize::from(used == value));
            subject.kernel.body.for_each_use(&mut |used| own += usize::from(used == value));
        }
        self.uses.get(&value).copied().unwrap_or(0) > own
    }

    /// Whether an array can take over the room of another one.
    fn takes_over(&self, members: &[Subject<'f>], arrays: &[Array], [at, before]: [usize; 2]) -> bool {
        let (new, old) = (&arrays[at], &arrays[before]);
        let subject = &members[new.kernels[0]];
        let types = [new, old].map(|array| self.func.ty(array.values[0]));
        at != before
            && new.is_kept
            && new.is_made
            && old.is_kept
            && !(old.is_changed && old.is_needed)
            && old.kernels.last() == Some(&new.kernels[0])
            && arrays.iter().all(|other| other.takes_over != Some(before))
            && types[0] == types[1]
            && new.dim == old.dim
            && stores_where_it_reads(subject, &new.values, &old.values)
    }

    /// Whether a row of an array lies in one piece: no other dimension of more than one element is slower.
    fn is_in_one_piece(&self, array: &Array, memory: Memory) -> bool {
        let Some(dim) = array.dim else { return true };
        let ty: &Type = self.func.ty(array.values[0]);
        let long: Vec<usize> = (0..ty.dims.len()).filter(|dim| !ty.dims[*dim].is_one()).collect();
        let slowest = match memory {
            Memory::ColumnMajor => long.last(),
            Memory::RowMajor => long.first(),
        };
        slowest.is_none_or(|slowest| *slowest == dim)
    }
}

/// Whether the kernels have equally many rows, the first of which is that of their arrays.
fn is_aligned(members: &[Subject<'_>], rows: &Rows) -> bool {
    let extents = members.iter().zip(&rows.launches).map(|(subject, (axis, _))| &subject.kernel.domain[*axis]);
    let extents: Vec<&Size> = extents.collect();
    let is_row = |subject: &Subject<'_>, axis: usize| {
        subject.reduced().is_none() || subject.kept_ids().iter().all(|id| id.0 == axis)
    };
    rows.launches.iter().all(|(_, first)| first.as_constant() == Some(0))
        && extents.iter().all(|extent| *extent == extents[0])
        && members.iter().zip(&rows.launches).all(|(subject, (axis, _))| is_row(subject, *axis))
}

/// The places in a kernel's list of accesses that touch an array.
fn touches(subject: &Subject<'_>, array: &[Value]) -> Vec<usize> {
    let of = |mem: Mem| match mem {
        Mem::In(value) => value,
        Mem::Out(out) => subject.stmt.results[out],
    };
    (0..subject.accesses.len()).filter(|at| array.contains(&of(subject.accesses[*at].mem))).collect()
}

fn place(subject: &Subject<'_>, subs: &[Value]) -> Option<Vec<Affine>> {
    subs.iter().map(|sub| subject.maps.affine(*sub)).collect()
}

/// The only place in a kernel where an array is stored, and the element, if no other point stores the same one.
fn store(subject: &Subject<'_>, array: &[Value]) -> Option<(usize, Vec<Affine>)> {
    let puts = |at: &usize| matches!(subject.accesses[*at].op, Op::Put(..));
    let stores: Vec<usize> = touches(subject, array).into_iter().filter(puts).collect();
    let [at] = stores[..] else { return None };
    let Op::Put(_, subs, _) = subject.accesses[at].op else { return None };
    let own = place(subject, subs)?;
    let mut loops = (0..subject.depth()).filter(|axis| subject.is_long(*axis));
    loops.all(|axis| own.iter().any(|sub| sub.is_number(axis))).then_some((at, own))
}

/// Whether each point of a kernel has read of an array the element of another one that it then stores, and nothing else.
fn stores_where_it_reads(subject: &Subject<'_>, new: &[Value], old: &[Value]) -> bool {
    let Some((store, own)) = store(subject, new) else { return false };
    touches(subject, old).iter().all(|read| match subject.accesses[*read].op {
        Op::Load(_, subs) => *read < store && place(subject, subs).as_ref() == Some(&own),
        _ => false,
    })
}

/// Whether a kernel stores each element of an array, without a condition, and reads none of those that it has stored.
fn stores_all(subject: &Subject<'_>, array: &Array) -> bool {
    let Some((own_store, own)) = store(subject, &array.values) else { return false };
    let dims = &subject.func.ty(array.values[0]).dims;
    let is_whole = |(dim, sub): (&Size, &Affine)| {
        let axis = (0..subject.depth()).find(|axis| sub.is_number(*axis));
        dim.is_one() || axis.is_some_and(|axis| subject.kernel.domain[axis] == *dim)
    };
    let of_old = |at: &usize| *at == own_store || matches!(subject.accesses[*at].mem, Mem::In(_));
    let is_direct = subject.kernel.body.stmts.iter().any(|stmt| std::ptr::eq(&stmt.op, subject.accesses[own_store].op));
    is_direct
        && own.len() == dims.len()
        && dims.iter().zip(&own).all(is_whole)
        && touches(subject, &array.values).iter().all(of_old)
}

/// Whether a kernel reduces to one of these values.
fn reduces(subject: &Subject<'_>, values: &[Value]) -> bool {
    let mut outs = subject.kernel.outs.iter().zip(&subject.stmt.results);
    outs.any(|(out, result)| matches!(out, Out::Reduce(..)) && values.contains(result))
}
