//! One part of a kernel alone, with a pattern in all memory that it may write: what changes is what the access maps say of the part.

use std::collections::BTreeSet;

use megha_base::access::{Access, Known};
use megha_base::plan::{Array, KernelPlan, Part, Role};
use megha_core::interp::Scalar;
use megha_core::ir::Value;

use super::{Memory, Pointers, content, same, transposed};

/// The bytes of the pattern.
const GUARD: u8 = 0xa5;

/// A pattern of so many bytes.
pub fn pattern(bytes: u64) -> Vec<u8> {
    vec![GUARD; bytes.max(1) as usize]
}

impl Memory<'_> {
    /// Compares what a part has changed with what it may change, and with what it must where no check failed.
    pub fn judge_part(&self, plan: &KernelPlan, part: &Part, pointers: &Pointers) -> Result<(), String> {
        let symbol = self.symbol;
        let scalar = |value: usize| match (self.run.value)(Value::new(value)).and_then(|datum| datum.get(0)) {
            Some(Scalar::Index(number)) => number,
            other => panic!("%{value} is {other:?}"),
        };
        let known = Known { symbol, scalar: &scalar };
        let mut word = [0; 8];
        self.read(pointers.fault, &mut word)?;
        let failed = u64::from_le_bytes(word) != u64::MAX;
        let iterations = plan.iterations(part);
        let nothing = iterations.iter().any(|(low, high)| low >= high) || part.chunks.0 >= part.chunks.1;
        for (at, array) in plan.arrays.iter().enumerate().filter(|(_, array)| array.role != Role::In) {
            let reduced = array.role == Role::Reduced;
            let combined = reduced || matches!(array.role, Role::Flag(_));
            let access = if combined { Access::Accumulate } else { Access::Write };
            let region = plan.touched_by((at, access), part, &known);
            let sizes = array.sizes(symbol);
            let changed = if reduced {
                self.chunks(plan, array, (pointers.partials[at], part))?
            } else {
                self.changed(array, pointers.arrays[at])?
            };
            // Nothing is reduced to a value that no iteration contributes to.
            if reduced && part.count(plan.entries[self.order].grid.reduced()) == 0 {
                continue;
            }
            let allowed = |element: &i64| region.contains(&digits(*element, &sizes));
            if let Some(element) = changed.iter().find(|element| nothing || !allowed(element)) {
                return Err(format!("element {element} of {} {sizes:?} changes, outside of {region:?}", array.name));
            }
            // A value may happen to be what the pattern is only for elements of one byte.
            let must = region.is_exact() && !failed && !nothing && array.element.bytes() > 1;
            let fresh = !matches!(array.role, Role::Update(_));
            if must && fresh && changed.len() as i64 != region.count() {
                return Err(format!("{} elements of {} change, not {region:?}", changed.len(), array.name));
            }
        }
        Ok(())
    }

    /// Compares the results whose chunks were combined with those of the part, all of whose chunks were there, and with what they should be.
    pub fn judge_combined(
        &self,
        plan: &KernelPlan,
        (part, whole): (&Part, &Part),
        pointers: &Pointers,
    ) -> Result<(), String> {
        let known = Known { symbol: self.symbol, scalar: &|value| panic!("results depend on %{value}") };
        let nothing = plan.entries[self.order].grid.launch(part).is_none();
        let all = Part { chunks: whole.chunks, ..part.clone() };
        let results = self.run.results.unwrap_or(&[]);
        for (at, array) in plan.arrays.iter().enumerate().filter(|(_, array)| array.role == Role::Reduced) {
            let region = plan.touched_by((at, Access::Accumulate), &all, &known);
            let (sizes, changed) = (array.sizes(self.symbol), self.changed(array, pointers.arrays[at])?);
            if let Some(other) = changed.iter().find(|at| nothing || !region.contains(&digits(**at, &sizes))) {
                return Err(format!("result {other} of {} {sizes:?} changes, outside of {region:?}", array.name));
            }
            let must = region.is_exact() && !nothing && array.element.bytes() > 1 && !results.is_empty();
            if must && changed.len() as i64 != region.count() {
                return Err(format!("{} results of {} change, not {region:?}", changed.len(), array.name));
            }
            let Some(want) = results.get(at) else { continue };
            let (bytes, dims) = (array.element.bytes() as usize, self.dims(array));
            let want = content(want, self.order);
            let mut got = vec![0; want.len()];
            self.read(pointers.arrays[at], &mut got)?;
            let differ = |k: &usize| {
                let number = if self.order == 0 { *k } else { transposed(*k, &dims) };
                let [got, want] = [&got, &want].map(|all| &all[k * bytes..(k + 1) * bytes]);
                changed.contains(&(number as i64)) && !same(got, want, array.element)
            };
            if let Some(k) = (0..want.len() / bytes).find(differ) {
                return Err(format!("element {k} of {} is not what it should be", array.name));
            }
        }
        Ok(())
    }

    /// The elements of an array that are no longer what they were, by their numbers columns first.
    fn changed(&self, array: &Array, at: megha_sim::Ptr) -> Result<BTreeSet<i64>, String> {
        let (dims, bytes) = (self.dims(array), array.element.bytes() as usize);
        let count = dims.iter().product::<usize>();
        let before = match array.role {
            Role::Update(from) => content(&(self.run.value)(Value::new(from)).expect("a value"), self.order),
            Role::Flag(begins) => vec![begins.into()],
            Role::In | Role::Fresh | Role::Reduced => pattern((count * bytes) as u64),
        };
        let mut now = vec![0; count * bytes];
        self.read(at, &mut now)?;
        let differ = |k: &usize| now[k * bytes..(k + 1) * bytes] != before[k * bytes..(k + 1) * bytes];
        let number = |k: usize| if self.order == 0 { k } else { transposed(k, &dims) };
        Ok((0..count).filter(differ).map(|k| number(k) as i64).collect())
    }

    /// The results of which some partial results changed. It is an error if these are not of the part's chunks.
    fn chunks(
        &self,
        plan: &KernelPlan,
        array: &Array,
        (at, part): (megha_sim::Ptr, &Part),
    ) -> Result<BTreeSet<i64>, String> {
        let (dims, bytes) = (self.dims(array), array.element.bytes() as usize);
        let (points, chunks) = plan.partials(&plan.whole(self.symbol)).unwrap_or((0, 0));
        let mut now = vec![0; (points * chunks) as usize * bytes];
        self.read(at, &mut now)?;
        let mut results = BTreeSet::new();
        for number in (0..points * chunks)
            .filter(|n| now[*n as usize * bytes..(*n as usize + 1) * bytes].iter().any(|byte| *byte != GUARD))
        {
            let (chunk, point) = (number / points, (number % points) as usize);
            if !(part.chunks.0..part.chunks.1).contains(&chunk) {
                return Err(format!("chunk {chunk} of {} changes", array.name));
            }
            results.insert(if self.order == 0 { point } else { transposed(point, &dims) } as i64);
        }
        Ok(results)
    }

    fn dims(&self, array: &Array) -> Vec<usize> {
        array.dims.iter().map(|d| d.eval(self.symbol) as usize).collect()
    }
}

/// The subscripts of an element by its number, columns first.
pub fn digits(number: i64, sizes: &[i64]) -> Vec<i64> {
    let mut rest = number;
    let digit = |size: &i64| {
        let digit = rest % size.max(&1);
        rest /= size.max(&1);
        digit
    };
    sizes.iter().map(digit).collect()
}
