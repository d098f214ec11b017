//! One launch on a device: memory for its arrays, parameters, the entries. A kernel that has no room as a whole is cut into parts (`boxes.rs`) and goes
//! through the device (`stream.rs`). Of a loop over time that has no room some steps go through at once (`pass.rs`).

mod at_once;
mod boxes;
mod pass;
mod repeat;
mod stream;
mod touched;
mod worth;

use std::borrow::Cow;
use std::sync::Arc;

use megha_base::plan::{Array, Element, Entry, KernelPlan, Param, Part, Role, SizeExpr};

use super::chosen::Chosen;
use super::copies::finish;
use super::elements::Stored;
use super::learn::Timer;
use super::program::Program;
use super::session::Launch;
use super::table::{Place, Table};
use super::tuned::{Tuner, Ways};
use super::{Address, Arg, Device, Failure, Module, Outcome, Queue};
use crate::Order;
use crate::cuts;
use crate::fault::Fault;
use crate::launch::Chunk;
pub(super) use boxes::{BUFFERS, FEWEST};
pub(super) use pass::{Passed, pass};
pub use stream::Streamed;
pub use worth::Worth;

/// What a fault word holds while nothing has failed.
const NO_FAULT: u8 = 0xff;
/// Its bytes.
const WORD: u64 = 8;

/// A launch with its plan: all that it passes but the addresses of its arrays.
pub struct Work<'w> {
    plan: &'w KernelPlan,
    chosen: &'w Chosen,
    ptx: &'static str,
    order: Order,
    sizes: &'w [i64],
    values: &'w [Arg],
    scalars: Vec<(usize, Element)>,
}

/// Who times a launch.
#[derive(Clone, Copy)]
pub struct Watches<'t> {
    /// For the estimate of how long it takes,
    pub timer: Option<&'t Timer<'t>>,
    /// and for the choice of its entry.
    pub tuner: Option<&'t Tuner<'t>>,
}

/// Memory of the device that goes back when this ends.
pub struct Scratch<'d> {
    device: &'d dyn Device,
    held: Vec<Address>,
}

impl<'d> Scratch<'d> {
    /// None yet.
    pub fn new(device: &'d dyn Device) -> Scratch<'d> {
        Scratch { device, held: Vec::new() }
    }

    /// Whose memory it is.
    pub fn device(&self) -> &'d dyn Device {
        self.device
    }

    /// Some memory.
    pub fn allocate(&mut self, bytes: u64) -> Outcome<Address> {
        let address = self.device.allocate(bytes.max(8))?;
        self.held.push(address);
        Ok(address)
    }

    /// Gives up this memory, which somebody else gives back.
    pub fn leave(&mut self, address: Address) {
        self.held.retain(|held| *held != address);
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.held.iter().for_each(|address| self.device.free(*address));
    }
}

/// The addresses that a launch passes.
struct Addresses {
    arrays: Vec<Arg>,
    partials: Vec<Arg>,
    fault: Option<Address>,
}

impl<'w> Work<'w> {
    /// A launch of a program's kernel, unless what it passes is not what the plan asks for.
    pub fn new(
        (program, kernel): (&'w Program, usize),
        order: Order,
        (sizes, values): (&'w [i64], &'w [Arg]),
    ) -> Option<Work<'w>> {
        let (plan, chosen) = program.known(kernel)?;
        let scalars = plan.scalars();
        let fits = scalars.len() == values.len() && plan.symbols.len() == sizes.len();
        fits.then_some(Work { plan, chosen, ptx: program.ptx(), order, sizes, values, scalars })
    }

    /// The entry for the arrays' order in memory, of one for each.
    fn for_order(&self, both: &'w [Entry; 2]) -> &'w Entry {
        &both[self.number_of_order()]
    }

    /// The ways in which a part can run on whole arrays on a device, the best first. The whole is the same for the same sizes, so what was chosen for it is kept.
    fn ways_for(&self, device: &dyn Device, part: &Part, is_all: bool) -> Arc<Ways> {
        let (order, ceilings) = (self.number_of_order(), device.ceilings());
        let choose = || {
            let by_time = self.plan.ways_for(part, order, &|symbol| self.sizes[symbol], &ceilings);
            Arc::new(Ways { by_time, bytes: self.touched() })
        };
        if is_all { self.chosen.ways((order, self.sizes, &ceilings), choose) } else { choose() }
    }

    /// The arrays' order in memory, as plans number them.
    fn number_of_order(&self) -> usize {
        match self.order {
            Order::ColMajor => 0,
            Order::RowMajor => 1,
        }
    }

    fn size(&self, size: &SizeExpr) -> i64 {
        size.eval(&|symbol| self.sizes[symbol])
    }

    /// All of the kernel.
    fn whole(&self) -> Part {
        self.plan.whole(&|symbol| self.sizes[symbol])
    }

    /// Whether there is anything to compute, and 32 bits number all of it. A reduction of nothing is left to the CPU.
    pub fn is_some_point(&self) -> bool {
        let (grid, whole) = (&self.for_order(&self.plan.entries).grid, self.whole());
        whole.count(grid.reduced()) > 0 && grid.launch(&whole).is_some() && self.plan.fits(&|symbol| self.sizes[symbol])
    }

    /// An array's memory on the host; of a reduction's results, which lie where the partial results would, only as much as they are.
    pub fn place(&self, at: usize, place: Place) -> Place {
        match self.plan.arrays[at].role {
            Role::Reduced | Role::Flag(_) => place.shortened(self.bytes_of(at) as usize),
            Role::In | Role::Fresh | Role::Update(_) => place,
        }
    }

    /// Bytes of an array.
    pub fn bytes_of(&self, at: usize) -> u64 {
        self.bytes(&self.plan.arrays[at])
    }

    fn bytes(&self, array: &Array) -> u64 {
        let points = array.dims.iter().fold(1, |n: i64, d| n.saturating_mul(self.size(d).max(0)));
        points.unsigned_abs().saturating_mul(array.element.bytes())
    }

    /// Memory of a device for partial results and failed checks.
    pub fn scratch(&self, device: &dyn Device) -> u64 {
        let chunks = self.whole().chunks.1.unsigned_abs();
        let reduced = self.plan.arrays.iter().filter(|array| array.role == Role::Reduced && chunks > 1);
        let partials = reduced.map(|array| device.takes(self.bytes(array).saturating_mul(chunks)));
        let word = if self.plan.checks.is_empty() { 0 } else { device.takes(WORD) };
        partials.fold(word, u64::saturating_add)
    }

    /// Runs the entries; the arrays that they make are then on the device.
    pub fn run(&self, table: &mut Table, launch: &Launch<'_>, watches: Watches<'_>) -> Outcome<()> {
        let places: Vec<Place> = launch.arrays.iter().enumerate().map(|(at, place)| self.place(at, *place)).collect();
        let device = table.device().clone();
        let mut arrays = vec![Address(0); places.len()];
        let roles = || self.plan.arrays.iter().map(|array| &array.role).enumerate();
        // What is read first: an array that is updated may be an in-variable as well.
        let mut stored: Vec<Option<Stored>> = places.iter().map(|_| None).collect();
        let read = roles().filter(|(_, role)| **role == Role::In);
        let updated = roles().filter(|(_, role)| matches!(role, Role::Update(_)));
        for (at, role) in read.chain(updated) {
            (arrays[at], stored[at]) = self.bring(table, (at, places[at]), *role == Role::In)?;
        }
        for (at, _) in roles().filter(|(_, role)| matches!(role, Role::Fresh | Role::Reduced | Role::Flag(_))) {
            arrays[at] = table.room(places[at])?;
        }
        let mut scratch = Scratch::new(&*device);
        let prepared = self.prepared(&mut scratch, &arrays);
        if let Err(Failure::OutOfMemory { wanted }) = &prepared {
            table.left.lacks(*wanted);
        }
        let mut found = roles().filter(|(_, role)| matches!(role, Role::In | Role::Update(_)));
        let is_whole = self.plan.reads_only_for_points()
            || found.all(|(at, _)| table.on_device(places[at]) || table.blanks.has(places[at]));
        let issued = self.start_all(&*device, &prepared?, is_whole, watches);
        let finished = issued.and_then(|fault| fault.map_or(Ok(()), |word| note_fault(&*device, word, launch.fault)));
        for (at, role) in roles().filter(|(_, role)| **role != Role::In) {
            match (&finished, role) {
                (Ok(()), _) => match stored[at].take() {
                    Some(stored) => table.stored_on_device(places[at], stored),
                    None => table.written_on_device(places[at]),
                },
                // it may be half new
                (Err(_), Role::Update(_)) => table.spoiled(places[at]),
                (Err(_), _) => {}
            }
        }
        table.moved.naive += self.touched();
        if finished.is_ok() {
            self.note_recipe(table, launch);
        }
        finished
    }

    /// The arrays of a launch, and whether it reads each and whether it writes each.
    pub fn accesses(&self, places: &[Place]) -> Vec<(Place, [bool; 2])> {
        let access = |role: &Role| match role {
            Role::In => [true, false],
            Role::Update(_) => [true, true],
            Role::Fresh | Role::Reduced | Role::Flag(_) => [false, true],
        };
        self.plan.arrays.iter().zip(places).map(|(array, place)| (*place, access(&array.role))).collect()
    }

    /// Brings what the kernel finds of an array that it reads or updates to the device; where it is, and what is current where once the kernel has
    /// stored some of it.
    fn bring(&self, table: &mut Table, (at, place): (usize, Place), read: bool) -> Outcome<(Address, Option<Stored>)> {
        let there = if read { table.on_device(place) } else { table.is_only_on_device(place) };
        let touched = if there || table.may_be_wanted(place) { None } else { self.touches(at, place) };
        match touched {
            Some(touched) if read => Ok((table.upload_elements(place, &touched.found)?, None)),
            Some(touched) => {
                let (address, stored) = table.upload_to_store(place, (&touched.found, &touched.stored))?;
                Ok((address, Some(stored)))
            }
            None => {
                if !read {
                    table.settle(place)?;
                }
                Ok((table.upload(place)?, None))
            }
        }
    }

    /// Starts the entries on arrays at these addresses, which are there as wholes; gives the address of the word that says which check failed, if there are checks.
    pub fn issue(
        &self,
        scratch: &mut Scratch<'_>,
        arrays: &[Address],
        timer: Option<&Timer<'_>>,
    ) -> Outcome<Option<Address>> {
        let prepared = self.prepared(scratch, arrays)?;
        self.start_all(scratch.device, &prepared, true, Watches { timer, tuner: None })
    }

    /// All that the entries need on arrays at these addresses. Nothing has begun that changes an array which holds something.
    fn prepared(&self, scratch: &mut Scratch<'_>, arrays: &[Address]) -> Outcome<(Module, Addresses)> {
        let module = scratch.device.load(self.ptx)?;
        Ok((module, self.addresses(scratch, arrays, &self.whole())?))
    }

    /// Starts the entries. Where not all of an array is there that the kernel finds something in, its points read for themselves alone: tiles bring
    /// elements to shared memory that no point reads.
    fn start_all(
        &self,
        device: &dyn Device,
        (module, addresses): &(Module, Addresses),
        is_whole: bool,
        Watches { timer, tuner }: Watches<'_>,
    ) -> Outcome<Option<Address>> {
        let whole = self.whole();
        let begun = timer.and_then(|timer| timer.begin(device));
        let parts = self.parts(&whole);
        let is_all = matches!(parts, Cow::Borrowed(_));
        let (order, mut is_finished, mut timed) = (self.number_of_order(), false, None);
        for part in parts.as_ref() {
            let way = match tuner {
                _ if !is_whole || self.plan.variants.is_empty() => 0,
                Some(tuner) if is_all => {
                    let ways = self.ways_for(device, part, true);
                    let (way, begun) = tuner.begin(device, order, &ways)?;
                    timed = begun;
                    way
                }
                _ => self.ways_for(device, part, is_all).first(),
            };
            let finish = self.plan.finish_for(way, part, order).filter(|_| parts.len() == 1);
            is_finished = finish.is_some();
            self.start(device, *module, (finish.unwrap_or_else(|| self.plan.way(way, order)), part), addresses)?;
        }
        if let Some(combine) = self.plan.combine.as_ref().filter(|_| whole.chunks.1 > 1 && !is_finished) {
            for part in self.parts(&whole.results()).as_ref() {
                self.start(device, *module, (self.for_order(combine), part), addresses)?;
            }
        }
        if let Some((tuner, timed)) = tuner.zip(timed) {
            tuner.end(device, timed);
        }
        if let Some((timer, begun)) = timer.zip(begun) {
            timer.end(device, begun);
        }
        Ok(addresses.fault)
    }

    /// Bytes of the arrays that the kernel reads and of those that it makes.
    pub fn touched(&self) -> u64 {
        let times = |array: &Array| if matches!(array.role, Role::Update(_)) { 2 } else { 1 };
        self.plan.arrays.iter().map(|array| times(array) * self.bytes(array)).sum()
    }

    /// The parts in which the kernel is launched: all of it is one.
    fn parts<'p>(&self, whole: &'p Part) -> Cow<'p, [Part]> {
        match cuts::drawn(|cuts| self.plan.parts(whole, cuts)) {
            Some(parts) => Cow::Owned(parts),
            None => Cow::Borrowed(std::slice::from_ref(whole)),
        }
    }

    /// Starts an entry for a part of the kernel.
    fn start(
        &self,
        device: &dyn Device,
        module: Module,
        (entry, part): (&Entry, &Part),
        addresses: &Addresses,
    ) -> Outcome<()> {
        let Some(shape) = entry.grid.launch(part) else { return Ok(()) };
        let args = self.arguments((entry, part), addresses);
        device.launch(Queue::Compute, module, &entry.name, shape, &args)
    }

    /// What an entry is given for a part, in the order of its parameters.
    fn arguments(&self, (entry, part): (&Entry, &Part), addresses: &Addresses) -> Vec<Arg> {
        let symbol = |symbol: usize| self.sizes[symbol];
        let strides: Vec<i64> = entry.strides.iter().map(|stride| stride.of_whole(&symbol)).collect();
        entry.params.iter().map(|p| self.argument(p, (entry, part), (addresses, &strides))).collect()
    }

    fn argument(
        &self,
        param: &Param,
        (entry, part): (&Entry, &Part),
        (addresses, strides): (&Addresses, &[i64]),
    ) -> Arg {
        match param {
            Param::Array(at) => addresses.arrays[*at],
            Param::Partials(at) => addresses.partials[*at],
            Param::Size(size) => Arg::I64(entry.size(size, &|symbol| self.sizes[symbol], strides)),
            Param::Bound(bound) => Arg::I64(part.bound(bound)),
            Param::Scalar(value, element) => {
                let at = self.scalars.iter().position(|s| s == &(*value, *element)).unwrap_or(0);
                self.values[at]
            }
            Param::Fault => Arg::Address(addresses.fault.unwrap_or(Address(0))),
        }
    }

    /// The addresses, with memory for partial results and for failed checks.
    fn addresses(&self, scratch: &mut Scratch<'_>, arrays: &[Address], whole: &Part) -> Outcome<Addresses> {
        let own: Vec<Arg> = arrays.iter().map(|address| Arg::Address(*address)).collect();
        let (chunks, mut partials) = (whole.chunks.1, own.clone());
        for (at, array) in self.plan.arrays.iter().enumerate() {
            if array.role == Role::Reduced && chunks > 1 {
                let bytes = self.bytes(array).saturating_mul(chunks.unsigned_abs());
                partials[at] = Arg::Address(scratch.allocate(bytes)?);
            }
            if let Role::Flag(start) = array.role {
                scratch.device.fill(Queue::Compute, arrays[at], &[u8::from(start)], 1)?;
            }
        }
        let mut fault = None;
        if !self.plan.checks.is_empty() {
            let word = scratch.allocate(WORD)?;
            scratch.device.fill(Queue::Compute, word, &[NO_FAULT], WORD)?;
            fault = Some(word);
        }
        Ok(Addresses { arrays: own, partials, fault })
    }
}

/// The chunks of a part in the launch of its kernel on processors, if the plan says how these go through its domain; of none if there is
/// nothing to do. What a device only tests, processors reduce by chunks that the plan does not number.
pub fn chunks(plan: &KernelPlan, order: Order, (whole, part): (&Part, &Part)) -> Option<Vec<Chunk>> {
    let [columns, rows] = plan.host.as_ref()?;
    if plan.arrays.iter().any(|array| matches!(array.role, Role::Flag(_))) {
        return None;
    }
    let nest = match order {
        Order::ColMajor => columns,
        Order::RowMajor => rows,
    };
    let grid = &plan.entries[0].grid;
    let kept = |at: &usize| !grid.reduced().contains(at);
    let empty = (0..part.loops.len()).filter(kept).any(|at| part.count(&[at]) == 0);
    if empty || whole.count(grid.reduced()) == 0 {
        return Some(Vec::new());
    }
    let along = |at: &usize| (whole.count(&[*at]), part.loops[*at]);
    let chunks = grid.reduces().then_some((whole.chunks.1, part.chunks));
    let inner = nest.inner.as_ref().map_or((1, (0, 1)), along);
    let loops = nest.outer.iter().map(along).chain(chunks).chain([inner]);
    let (extents, numbers): (Vec<usize>, Vec<(usize, usize)>) =
        loops.map(|(extent, (low, high))| (extent as usize, (low as usize, high as usize))).unzip();
    Some(Chunk::of_box(&extents, &numbers))
}

/// Waits for the word that says which check failed.
pub fn note_fault(device: &dyn Device, word: Address, fault: Option<&Fault>) -> Outcome<()> {
    let Some(fault) = fault else { return Ok(()) };
    let done = device.record(Queue::Compute)?;
    device.wait(Queue::Download, done)?;
    let mut bytes = [NO_FAULT; 8];
    finish(device, device.begin_download(Queue::Download, word, 8)?, &mut bytes)?;
    fault.note(u64::from_le_bytes(bytes));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan over three loops, of which symbol k is the extent of loop k.
    fn plan(grid: &str, host: &str) -> KernelPlan {
        let text = format!(
            "kernel 0 0 f\nsymbols n m p\ndomain 1*0 1*1 1*2\ncolumns f 0 {grid} ;\nrows f 0 {grid} ;\nhost {host}"
        );
        KernelPlan::decode_all(&text).unwrap().remove(0)
    }

    /// The rows and points of the chunks of all parts, by the numbers of the loops that these stand for, are those of the parts.
    fn check(plan: &KernelPlan, sizes: [i64; 3]) {
        let whole = plan.whole(&|symbol| sizes[symbol]);
        let reduces = plan.entries[0].grid.reduces();
        for (seed, order) in (0..60).flat_map(|seed| [(seed, Order::ColMajor), (seed, Order::RowMajor)]) {
            let nest = &plan.host.as_ref().unwrap()[usize::from(order == Order::RowMajor)];
            for part in plan.parts(&whole, &mut megha_base::cuts::Cuts::new(seed)) {
                let mut points = Vec::new();
                for chunk in chunks(plan, order, (&whole, &part)).unwrap() {
                    for (row, inner) in chunk.outer.flat_map(|row| chunk.inner.clone().map(move |inner| (row, inner))) {
                        let mut rest = row as i64;
                        let mut digit = |extent: i64| {
                            let digit = rest % extent;
                            rest /= extent;
                            digit
                        };
                        let of_chunks = if reduces { digit(whole.chunks.1) } else { 0 };
                        let mut numbers = [0; 4];
                        numbers[3] = of_chunks;
                        nest.outer.iter().rev().for_each(|at| numbers[*at] = digit(sizes[*at]));
                        nest.inner.iter().for_each(|at| numbers[*at] = inner as i64);
                        points.push(numbers);
                    }
                }
                let kept = |at: usize| {
                    let reduced = plan.entries[0].grid.reduced().contains(&at);
                    if reduced { 0..1 } else { part.loops[at].0..part.loops[at].1 }
                };
                let all = kept(0).flat_map(|i| kept(1).flat_map(move |j| kept(2).map(move |k| [i, j, k])));
                let all = all.flat_map(|[i, j, k]| (part.chunks.0..part.chunks.1).map(move |c| [i, j, k, c]));
                let mut wanted: Vec<[i64; 4]> = all.collect();
                points.sort_unstable();
                wanted.sort_unstable();
                assert_eq!(points, wanted, "{part:?} {order:?}");
            }
        }
    }

    #[test]
    fn parts_are_chunks_of_processors() {
        check(&plan("points 0 1 2", "2,1 0 0,1 2"), [3, 4, 5]);
        check(&plan("points 1 0 2", "0,2 1 1,0 2"), [5, 2, 3]);
        check(&plan("lanes 1,2 0 1", "2,1 - 1 2"), [9000, 3, 4]);
        check(&plan("neighbours 0 2 1 1", "2 0 0 2"), [4, 9000, 3]);
        check(&plan("lanes 1 0,2 1", "1 - 1 -"), [100, 3, 100]);
        check(&plan("lanes - 0,1,2 1", "- - - -"), [10, 30, 40]);
    }

    /// Nothing is reduced to a value by the whole launch alone.
    #[test]
    fn nothing_has_no_chunks() {
        let plan = plan("lanes 1,2 0 1", "2,1 - 1 2");
        let whole = plan.whole(&|symbol| [0, 3, 4][symbol]);
        assert_eq!(chunks(&plan, Order::ColMajor, (&whole, &whole)), Some(vec![]));
    }
}
