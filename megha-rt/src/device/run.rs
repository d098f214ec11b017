//! One launch on a device: memory for its arrays, parameters, the entries.

use megha_base::plan::{Array, Element, Entry, KernelPlan, Param, Role, SizeExpr};

use super::session::Launch;
use super::table::{Place, Table};
use super::{Address, Arg, Device, Module, Outcome, Queue};
use crate::Order;

/// What a fault word holds while nothing has failed.
const NO_FAULT: u8 = 0xff;

/// A launch with its plan.
pub struct Work<'w> {
    plan: &'w KernelPlan,
    launch: &'w Launch<'w>,
    scalars: Vec<(usize, Element)>,
}

/// Memory of the device that only one launch uses.
struct Scratch<'d> {
    device: &'d dyn Device,
    held: Vec<Address>,
}

impl Scratch<'_> {
    fn allocate(&mut self, bytes: u64) -> Outcome<Address> {
        let address = self.device.allocate(bytes.max(8))?;
        self.held.push(address);
        Ok(address)
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.held.iter().for_each(|address| self.device.free(*address));
    }
}

/// The addresses that a launch passes.
struct Addresses {
    arrays: Vec<Address>,
    partials: Vec<Address>,
    fault: Option<Address>,
}

impl<'w> Work<'w> {
    /// A launch, unless what it passes is not what the plan asks for.
    pub fn new(plan: &'w KernelPlan, launch: &'w Launch<'w>) -> Option<Work<'w>> {
        let scalars = plan.scalars();
        let fits = scalars.len() == launch.scalars.len()
            && plan.symbols.len() == launch.sizes.len()
            && plan.arrays.len() == launch.arrays.len()
            && (plan.checks.is_empty() || launch.fault.is_some());
        fits.then_some(Work { plan, launch, scalars })
    }

    /// The entry for the arrays' order in memory.
    fn entry(&self) -> &'w Entry {
        match self.launch.order {
            Order::ColMajor => &self.plan.entries[0],
            Order::RowMajor => &self.plan.entries[1],
        }
    }

    fn size(&self, size: &SizeExpr) -> i64 {
        size.eval(&|symbol| self.launch.sizes[symbol])
    }

    /// Whether there is anything to compute, and 32 bits number all of it. A reduction of nothing is left to the CPU.
    pub fn is_some_point(&self) -> bool {
        let symbol = |s: usize| self.launch.sizes[s];
        let grid = &self.entry().grid;
        let elements = grid.elements().map_or(1, |size| self.size(size));
        elements > 0 && grid.launch(&symbol).is_some() && self.plan.fits(&symbol)
    }

    /// The array's memory on the host; of a reduction's results, which lie where the partial results would, only as much as they are.
    fn place(&self, at: usize) -> Place {
        let (array, place) = (&self.plan.arrays[at], self.launch.arrays[at]);
        match array.role {
            Role::Reduced => place.shortened(self.bytes(array) as usize),
            _ => place,
        }
    }

    fn bytes(&self, array: &Array) -> u64 {
        let points = array.dims.iter().fold(1, |n: i64, d| n.saturating_mul(self.size(d).max(0)));
        points.unsigned_abs().saturating_mul(array.element.bytes())
    }

    /// Runs the entries; the arrays that they make are then on the device.
    pub fn run(&self, device: &dyn Device, table: &mut Table) -> Outcome<()> {
        let module = device.load(self.launch.program.ptx())?;
        let mut scratch = Scratch { device, held: Vec::new() };
        let addresses = self.addresses(device, table, &mut scratch)?;
        self.start(device, module, self.entry(), &addresses)?;
        if let Some(combine) = self.plan.combine.as_ref().filter(|_| self.chunks() > 1) {
            self.start(device, module, combine, &addresses)?;
        }
        for (at, array) in self.plan.arrays.iter().enumerate() {
            if array.role != Role::In {
                table.written_on_device(self.place(at));
            }
        }
        table.moved.naive += self.touched();
        self.note_fault(device, &addresses)
    }

    /// Bytes of the arrays that the kernel reads and of those that it makes.
    fn touched(&self) -> u64 {
        let times = |array: &Array| if matches!(array.role, Role::Update(_)) { 2 } else { 1 };
        self.plan.arrays.iter().map(|array| times(array) * self.bytes(array)).sum()
    }

    fn start(&self, device: &dyn Device, module: Module, entry: &Entry, addresses: &Addresses) -> Outcome<()> {
        let Some(shape) = entry.grid.launch(&|s| self.launch.sizes[s]) else { return Ok(()) };
        let args: Vec<Arg> = entry.params.iter().map(|p| self.argument(p, addresses)).collect();
        device.launch(Queue::Compute, module, &entry.name, shape, &args)
    }

    fn argument(&self, param: &Param, addresses: &Addresses) -> Arg {
        match param {
            Param::Array(at) => Arg::Address(addresses.arrays[*at]),
            Param::Partials(at) => Arg::Address(addresses.partials[*at]),
            Param::Size(size) => Arg::I64(self.size(size)),
            Param::Scalar(value, element) => {
                let at = self.scalars.iter().position(|s| s == &(*value, *element)).unwrap_or(0);
                self.launch.scalars[at]
            }
            Param::Fault => Arg::Address(addresses.fault.unwrap_or(Address(0))),
        }
    }

    /// Partial results for each result.
    fn chunks(&self) -> i64 {
        self.entry().grid.partials(&|s| self.launch.sizes[s]).map_or(1, |(_, chunks)| chunks)
    }

    fn addresses(&self, device: &dyn Device, table: &mut Table, scratch: &mut Scratch<'_>) -> Outcome<Addresses> {
        let mut arrays = vec![Address(0); self.plan.arrays.len()];
        // What is read first: an array that is updated may be an in-variable as well.
        for (at, array) in self.plan.arrays.iter().enumerate() {
            if matches!(array.role, Role::In | Role::Update(_)) {
                arrays[at] = table.upload(self.place(at))?;
            }
        }
        for (at, array) in self.plan.arrays.iter().enumerate() {
            if matches!(array.role, Role::Fresh | Role::Reduced) {
                arrays[at] = table.room(self.place(at))?;
            }
        }
        let (chunks, mut partials) = (self.chunks(), arrays.clone());
        for (at, array) in self.plan.arrays.iter().enumerate() {
            if array.role == Role::Reduced && chunks > 1 {
                partials[at] = scratch.allocate(self.bytes(array).saturating_mul(chunks.unsigned_abs()))?;
            }
        }
        let mut fault = None;
        if !self.plan.checks.is_empty() {
            let word = scratch.allocate(8)?;
            device.fill(Queue::Compute, word, NO_FAULT, 8)?;
            fault = Some(word);
        }
        Ok(Addresses { arrays, partials, fault })
    }

    /// Waits for the word that says which check failed, if there are checks.
    fn note_fault(&self, device: &dyn Device, addresses: &Addresses) -> Outcome<()> {
        let (Some(word), Some(fault)) = (addresses.fault, self.launch.fault) else { return Ok(()) };
        let done = device.record(Queue::Compute)?;
        device.wait(Queue::Download, done)?;
        let mut bytes = [NO_FAULT; 8];
        device.finish_download(device.begin_download(Queue::Download, word, 8)?, &mut bytes)?;
        fault.note(u64::from_le_bytes(bytes));
        Ok(())
    }
}
