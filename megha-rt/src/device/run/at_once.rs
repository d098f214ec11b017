//! Launches that wait and then run together: some steps of a loop over time in one launch, kernels that go through the same rows in one, and those that are left.

use megha_base::access::Known;
use megha_base::plan::{Entry, Part, Role};

use super::super::learn::Timer;
use super::super::table::{Place, Table};
use super::super::{Address, Arg, Failure, Outcome};
use super::{Addresses, Scratch, Work};

/// Where arrays are that are ready, or on the way.
fn arrived(table: &mut Table, places: &[Place]) -> Outcome<Vec<Address>> {
    places.iter().map(|place| table.arrived(*place)).collect()
}

impl Work<'_> {
    /// Makes the code and the arrays of a launch ready on the device, as a whole, and counts what it makes as made.
    pub fn prepare(&self, table: &mut Table, places: &[Place]) -> Outcome<()> {
        table.device().load(self.ptx)?;
        for (at, place) in places.iter().enumerate() {
            let place = self.place(at, *place);
            match self.plan.arrays[at].role {
                Role::In => {
                    table.upload(place)?;
                }
                Role::Update(_) => {
                    table.settle(place)?;
                    table.upload(place)?;
                }
                Role::Fresh | Role::Reduced | Role::Flag(_) => {
                    table.room(place)?;
                }
            }
        }
        for (at, place) in places.iter().enumerate().filter(|(at, _)| self.plan.arrays[*at].role != Role::In) {
            table.written_on_device(self.place(at, *place));
        }
        table.moved.naive += self.touched();
        Ok(())
    }

    /// Starts one launch whose arrays are ready.
    pub fn run_prepared(&self, table: &mut Table, places: &[Place], timer: Option<&Timer<'_>>) -> Outcome<()> {
        let device = table.device().clone();
        let arrays = arrived(table, places)?;
        self.issue(&mut Scratch::new(&*device), &arrays, timer).map(drop)
    }

    /// What an entry that runs all of the kernel beside others is given of it, in the order of its parameters.
    pub fn arguments_beside_others(&self, table: &mut Table, entry: &Entry, places: &[Place]) -> Outcome<Vec<Arg>> {
        let own: Vec<Arg> = arrived(table, places)?.into_iter().map(Arg::Address).collect();
        let addresses = Addresses { partials: own.clone(), arrays: own, fault: None };
        Ok(self.arguments((entry, &self.whole()), &addresses))
    }

    /// Starts an entry of several steps, from the arrays of the first launch to the array of the last; `false`, and nothing has happened, without memory for it.
    pub fn run_steps(&self, table: &mut Table, entry: &Entry, (first, last): (&[Place], Place)) -> Outcome<bool> {
        let device = table.device().clone();
        let Some(part) = self.all_elements(entry) else { return Ok(false) };
        let mut arrays = arrived(table, first)?;
        let mut scratch = Scratch::new(&*device);
        let is_read = first[1..].iter().any(|place| place.begins_with(last));
        arrays[0] = if !is_read {
            table.arrived(last)?
        } else {
            match scratch.allocate(last.length()) {
                Ok(address) => address,
                Err(Failure::OutOfMemory { .. }) => return Ok(false),
                Err(failure) => return Err(failure),
            }
        };
        let module = device.load(self.ptx)?;
        let own = arrays.iter().map(|address| Arg::Address(*address)).collect();
        let addresses = Addresses { arrays: own, partials: Vec::new(), fault: None };
        self.start(&*device, module, (entry, &part), &addresses)?;
        if is_read {
            scratch.leave(arrays[0]);
            table.adopt(last, arrays[0], None, None);
        }
        Ok(true)
    }

    /// Whether the array is so large that some steps at once are faster, or that has been decided.
    pub fn pays_in_steps(&self, forced: Option<bool>) -> bool {
        let entry = self.plan.steps_of(usize::MAX, self.order as usize).map(|(entry, _)| entry);
        let part = entry.and_then(|entry| Some((entry, self.all_elements(entry)?)));
        part.is_some_and(|(entry, part)| {
            entry.grid.launch(&part).is_some() && forced.unwrap_or_else(|| entry.grid.pays(&part))
        })
    }

    /// All elements of the array that the kernel stores into.
    fn all_elements(&self, entry: &Entry) -> Option<Part> {
        let (symbol, scalar) = (|symbol: usize| self.sizes[symbol], |value: usize| self.scalar(value));
        self.plan.all_elements(entry, &Known { symbol: &symbol, scalar: &scalar })
    }
}
