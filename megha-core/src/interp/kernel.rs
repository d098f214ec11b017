//! Kernels: iterations in any order, and the rules of DOALL loops held against what they do.

use super::datum::{Array, Datum, Elements, Scalar};
use super::elementwise::advance;
use super::eval::{Flow, Machine};
use super::failure::{Failure, InternalKind, LimitKind, Run};
use super::frame::Frame;
use super::reduce::{combine_groups, group, reduced};
use super::subscript::test;
use super::{Order, Touched};
use crate::ir::{Kernel, Mem, Out, ReduceOp, Stmt, Type, Value};
use megha_base::access::Access;
use std::sync::Arc;

/// A running kernel.
pub(super) struct KernelState {
    outs: Vec<OutState>,
    /// The number of the iteration that runs, first loop fastest.
    iteration: usize,
    /// The position of each iteration number that runs.
    at: Vec<usize>,
    domain: Vec<usize>,
    record: Record,
}

/// The accesses so far; `None` if there were more than so many.
pub(super) struct Record {
    list: Option<Vec<Touched>>,
    most: usize,
}

impl Record {
    fn add(&mut self, touched: Touched) {
        let Some(list) = &mut self.list else { return };
        if list.len() < self.most {
            list.push(touched);
        } else {
            self.list = None;
        }
    }
}

enum OutState {
    /// An array that is stored to.
    Stored { array: Array, fresh: bool, touched: Vec<Touchers> },
    /// Contributions, by iteration.
    Reduced { op: ReduceOp, axes: Vec<usize>, contributions: Vec<Option<Scalar>> },
}

/// Who has touched an element of an out-variable.
#[derive(Clone, Copy, Default)]
struct Touchers {
    stored: Toucher,
    loaded: Toucher,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Toucher {
    #[default]
    Nobody,
    One(usize),
    Several,
}

impl Toucher {
    fn and(self, iteration: usize) -> Self {
        match self {
            Self::Nobody => Self::One(iteration),
            Self::One(one) if one == iteration => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    fn is_other_than(self, iteration: usize) -> bool {
        self.and(iteration) == Self::Several
    }
}

/// The kernel whose body runs.
pub(super) fn state<'f>(frame: &'f mut Frame<'_>) -> Run<&'f mut KernelState> {
    frame.kernel.as_deref_mut().ok_or_else(|| Failure::malformed("this operation stands only in kernels"))
}

/// An element of an in-variable or of an out-variable.
pub(super) fn load(frame: &mut Frame<'_>, mem: Mem, subs: &[i64]) -> Run<Scalar> {
    if frame.kernel.is_none() {
        return Err(Failure::malformed("a load stands only in kernels"));
    }
    match mem {
        Mem::In(array) => {
            let datum = frame.get(array)?;
            let at = position(datum.dims(), subs)?;
            let element = datum.get(at).ok_or_else(|| Failure::malformed("a load from what is no array"));
            state(frame)?.record(mem, Access::Read, at);
            element
        }
        Mem::Out(out) => state(frame)?.load(out, subs),
    }
}

/// The number of the element that subscripts name.
fn position(dims: &[usize], subs: &[i64]) -> Run<usize> {
    if let [at] = subs {
        return test(*at, dims.iter().product(), false, None);
    }
    if subs.len() < dims.len() {
        let message = format!("{} subscripts of an array with {} dimensions", subs.len(), dims.len());
        return Err(Failure::malformed(message));
    }
    // An array does not keep sizes of 1 at its end, though its type may have them.
    let (mut stride, mut position) = (1, 0);
    for (axis, at) in subs.iter().enumerate() {
        let dim = dims.get(axis).copied().unwrap_or(1);
        position += stride * test(*at, dim, false, Some(axis))?;
        stride *= dim;
    }
    Ok(position)
}

impl KernelState {
    fn stored(&mut self, out: usize) -> Run<(&mut Array, bool, &mut [Touchers])> {
        match self.outs.get_mut(out) {
            Some(OutState::Stored { array, fresh, touched }) => Ok((array, *fresh, touched)),
            _ => Err(Failure::malformed(format!("out-variable {out} is no array that is stored to"))),
        }
    }

    fn load(&mut self, out: usize, subs: &[i64]) -> Run<Scalar> {
        let iteration = self.iteration;
        let (array, fresh, touched) = self.stored(out)?;
        let at = position(&array.dims, subs)?;
        let element = &mut touched[at];
        if element.stored.is_other_than(iteration) {
            return Err(race(out, subs, "loads an element that another one stores"));
        }
        if fresh && element.stored == Toucher::Nobody {
            let message = format!("out{out}{subs:?} is loaded before it is stored");
            return Err(Failure::internal(InternalKind::Undefined, message));
        }
        element.loaded = element.loaded.and(iteration);
        let value = array.elements.get(at).ok_or_else(|| Failure::malformed("an element is missing"));
        self.record(Mem::Out(out), Access::Read, at);
        value
    }

    pub fn put(&mut self, out: usize, subs: &[i64], value: Scalar) -> Run<()> {
        let iteration = self.iteration;
        let (array, _, touched) = self.stored(out)?;
        let at = position(&array.dims, subs)?;
        let element = &mut touched[at];
        if element.stored.is_other_than(iteration) {
            return Err(race(out, subs, "stores an element that another one stores"));
        }
        if element.loaded.is_other_than(iteration) {
            return Err(race(out, subs, "stores an element that another one loads"));
        }
        element.stored = Toucher::One(iteration);
        if !array.elements.set(at, value) {
            return Err(Failure::malformed(format!("out{out} is of another class than what is stored")));
        }
        self.record(Mem::Out(out), Access::Write, at);
        Ok(())
    }

    pub fn accumulate(&mut self, out: usize, value: Scalar) -> Run<()> {
        let iteration = self.iteration;
        let Some(OutState::Reduced { contributions, axes, .. }) = self.outs.get_mut(out) else {
            return Err(Failure::malformed(format!("out-variable {out} is no reduction")));
        };
        let element = group(&self.domain, axes, &self.at);
        match contributions[iteration].replace(value) {
            None => {
                self.record(Mem::Out(out), Access::Accumulate, element);
                Ok(())
            }
            Some(_) => {
                let message = format!("an iteration contributes twice to out{out}");
                Err(Failure::internal(InternalKind::Coverage, message))
            }
        }
    }

    fn record(&mut self, mem: Mem, access: Access, element: usize) {
        self.record.add(Touched { iteration: self.iteration, mem, access, element });
    }

    fn start(&mut self, iteration: usize) {
        self.iteration = iteration;
        let mut rest = iteration;
        for (at, extent) in self.at.iter_mut().zip(&self.domain) {
            (*at, rest) = (rest % extent, rest / extent);
        }
    }
}

fn race(out: usize, subs: &[i64], what: &str) -> Failure {
    Failure::internal(InternalKind::Race, format!("out{out}{subs:?}: an iteration {what}"))
}

/// The iterations' numbers in the order in which they run. The permutation is Fisher and Yates', by SplitMix64 (Steele, Lea
/// and Flood 2014).
fn iterations(order: Order, count: usize) -> Box<dyn Iterator<Item = usize>> {
    match order {
        Order::Forward => Box::new(0..count),
        Order::Reverse => Box::new((0..count).rev()),
        Order::Shuffled(mut seed) => {
            let mut list: Vec<usize> = (0..count).collect();
            for i in (1..count).rev() {
                seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                let j = ((z ^ (z >> 31)) % (i as u64 + 1)) as usize;
                list.swap(i, j);
            }
            Box::new(list.into_iter())
        }
    }
}

impl<'m> Machine<'m, '_> {
    /// Runs a kernel; gives its out-variables. What it accesses goes to `touched`.
    pub(super) fn kernel(
        &mut self,
        frame: &mut Frame<'m>,
        (stmt, kernel): (&Stmt, &'m Kernel),
        touched: &mut Option<Vec<Touched>>,
    ) -> Run<Vec<Datum>> {
        if frame.kernel.is_some() {
            return Err(Failure::malformed("a kernel inside a kernel"));
        }
        if kernel.outs.len() != stmt.results.len() {
            return Err(Failure::malformed("a kernel has as many out-variables as results"));
        }
        let domain: Vec<usize> = kernel.domain.iter().map(|d| frame.extent(d)).collect::<Run<_>>()?;
        let count = domain.iter().try_fold(1usize, |n, d| n.checked_mul(*d)).or(domain.contains(&0).then_some(0));
        let count = count.ok_or_else(|| Failure::limit(LimitKind::Steps, "the iterations are too many to count"))?;
        // Every iteration takes a step, so a domain beyond the limit cannot finish; its tables need not be made.
        self.spend(count as u64)?;
        let mut outs = Vec::new();
        for (out, result) in kernel.outs.iter().zip(&stmt.results) {
            outs.push(self.open(frame, out, frame.func.ty(*result), count)?);
        }
        let at = vec![0; domain.len()];
        let record = Record { list: Some(Vec::new()), most: self.options.max_touched };
        frame.kernel = Some(Box::new(KernelState { outs, iteration: 0, at, domain, record }));
        let done = self.iterate(frame, kernel, count);
        let state = frame.kernel.take();
        done?;
        let Some(state) = state else { return Err(Failure::malformed("a kernel lost its state")) };
        let KernelState { outs, domain, record, .. } = *state;
        *touched = record.list;
        let results = outs.into_iter().enumerate().zip(&stmt.results);
        results.map(|((number, out), result)| close(frame, number, out, *result, &domain)).collect()
    }

    fn iterate(&mut self, frame: &mut Frame<'m>, kernel: &'m Kernel, count: usize) -> Run<()> {
        for iteration in iterations(self.options.order, count) {
            let state = state(frame)?;
            state.start(iteration);
            let numbers = state.at.iter().map(|i| Datum::Scalar(Scalar::Index(*i as i64))).collect();
            match self.region(frame, &kernel.body, numbers)? {
                Flow::Yield(values) if values.is_empty() => {}
                _ => return Err(Failure::malformed("a kernel's body must end in an empty yield")),
            }
        }
        Ok(())
    }

    fn open(&self, frame: &Frame<'m>, out: &Out, ty: &Type, count: usize) -> Run<OutState> {
        let bookkeeping = |each: usize, n: usize| (each as u64).saturating_mul(n as u64);
        match out {
            Out::Reduce(op, axes) => {
                self.reserve(frame, bookkeeping(size_of::<Option<Scalar>>(), count))?;
                let contributions = vec![None; count];
                Ok(OutState::Reduced { op: *op, axes: axes.clone(), contributions })
            }
            Out::Fresh => {
                let dims = frame.dims(ty)?;
                let numel = dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d)).unwrap_or(usize::MAX);
                self.reserve(frame, frame.bytes_of(ty)?.saturating_add(bookkeeping(size_of::<Touchers>(), numel)))?;
                let elements = Elements::zeros(ty.class, numel);
                let array = elements.and_then(|elements| Array::new(dims, elements));
                let array = array.ok_or_else(|| Failure::malformed("a fresh array of text"))?;
                Ok(OutState::Stored { array, fresh: true, touched: vec![Touchers::default(); numel] })
            }
            Out::Update(value) => {
                let datum = frame.get(*value)?;
                self.reserve(frame, datum.bytes().saturating_add(bookkeeping(size_of::<Touchers>(), datum.numel())))?;
                let Datum::Array(array) = datum else { return Err(Failure::malformed("only arrays are updated")) };
                let touched = vec![Touchers::default(); array.elements.len()];
                Ok(OutState::Stored { array: Array::clone(array), fresh: false, touched })
            }
        }
    }
}

/// The final value of an out-variable.
fn close(frame: &Frame<'_>, number: usize, out: OutState, result: Value, domain: &[usize]) -> Run<Datum> {
    let missing = |what: &str| {
        let message = format!("out{number}: {what}");
        Err(Failure::internal(InternalKind::Coverage, message))
    };
    match out {
        OutState::Stored { array, fresh, touched } => {
            if let Some(at) = touched.iter().position(|t| fresh && t.stored == Toucher::Nobody) {
                return missing(&format!("no iteration stores element {at} of {}", touched.len()));
            }
            Ok(Datum::Array(Arc::new(array)))
        }
        OutState::Reduced { op, axes, contributions } => {
            let mut groups = vec![Vec::new(); reduced(domain, &axes).iter().product()];
            let mut at = vec![0; domain.len()];
            for contribution in contributions {
                let Some(value) = contribution else { return missing("an iteration contributes nothing") };
                groups[group(domain, &axes, &at)].push(value);
                advance(&mut at, domain);
            }
            let ty = frame.func.ty(result);
            // A domain has no loops for dimensions of size one, which the result may have before others.
            combine_groups(op, ty.class, groups, frame.dims(ty)?, ty.is_scalar())
        }
    }
}
