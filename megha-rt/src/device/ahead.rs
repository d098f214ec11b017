//! Kernels and matrix products that begin on the device before the host comes to them (MEGHA, section 3.2.3: the schedule's order).
//!
//! The host runs a block's statements in program order. While both sides have a part in a block, its device's kernels are started as soon
//! as all that they wait for is done or in the device's queue, in the schedule's order; arrays that a later kernel reads are on their way
//! to the device as soon as they are final, and those that the host reads on their way back as soon as they are made. What a kernel
//! makes early has no place on the host yet; when the host comes to the launch, the launch's arrays take the results over.
//!
//! Only what nothing can change begins early: kernels that make new arrays, from arrays that are final, beyond no statement at which the
//! call may end ([`Block::before`]). That the launch passes what was assumed, and that nobody wrote an array that was read, is tested.

use std::sync::Arc;

use megha_base::plan::Role;
use megha_base::plan::block::{Block, Next, Node};

use super::copies::finish;
use super::decide::Decision;
use super::job::{Arrival, Job, roles};
use super::placements::Placements;
use super::product::Multiplication;
use super::program::Program;
use super::run::{Scratch, note_fault};
use super::schedule::Side;
use super::session::Given;
use super::table::{Place, Table};
use super::{Address, Arg, Device, Download, Event, Outcome, Queue};
use crate::Order;

/// A block in progress.
pub(super) struct Ahead {
    device: Arc<dyn Device>,
    program: &'static Program,
    block: &'static Block,
    decision: Arc<Decision>,
    order: Order,
    /// The values of the block's symbols.
    sizes: Vec<i64>,
    passed: Vec<i64>,
    scalars: Vec<Arg>,
    /// Whether what the call returns stays where it is.
    stays: bool,
    /// Whether a library of the device makes products.
    library: bool,
    /// The first node to which the host has not come.
    next: usize,
    /// The kernel that runs on the CPU.
    running: Option<usize>,
    states: Vec<State>,
    /// Where arrays are on the host, of those that are final.
    places: Vec<Option<Place>>,
    /// Where arrays are on the device that were made early, and how many bytes they have.
    made: Vec<Option<Made>>,
}

/// How far a node is.
enum State {
    Waits,
    /// It began, or it tried and could not, before the host came to it.
    Started(Started),
    Failed,
    /// The host has come to it: its work is done, or in the device's queue.
    Done,
}

/// A launch or product that began early.
struct Started {
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
    product: Option<Multiplication>,
    /// The arrays that it read from places on the host, by their numbers in the plan.
    read: Vec<(usize, Place)>,
    fault: Option<Address>,
    /// The point at which all is made.
    end: Event,
}

/// An array that was made early.
struct Made {
    address: Address,
    bytes: usize,
    leaving: Option<Download>,
}

impl Ahead {
    /// A block that is about to begin.
    pub fn new(
        device: Arc<dyn Device>,
        (program, block): (&'static Program, &'static Block),
        decision: Arc<Decision>,
        (given, stays, library): (&Given<'_>, bool, bool),
    ) -> Ahead {
        let mut before = given.places.iter().copied();
        let places = block.data.iter().map(|data| if data.before { before.next() } else { None }).collect();
        let states = block.nodes.iter().map(|_| State::Waits).collect();
        let made = block.data.iter().map(|_| None).collect();
        let [sizes, passed] = [given.sizes, given.passed].map(<[i64]>::to_vec);
        let (next, running, order, scalars) = (0, None, given.order, given.scalars.to_vec());
        Ahead {
            device,
            program,
            block,
            decision,
            order,
            sizes,
            passed,
            scalars,
            stays,
            library,
            next,
            running,
            states,
            places,
            made,
        }
    }

    /// The host has come to a launch or product: whether it has begun already, and its arrays have what it makes. `None` if it is none of
    /// the block's.
    pub fn arrive(&mut self, arrival: &Arrival<'_>, table: &mut Table) -> Outcome<Option<bool>> {
        let is_it = |node: &Node| node.task == arrival.task;
        let found = self.block.nodes[self.next..].iter().position(is_it).map(|at| self.next + at);
        let Some(number) = found.filter(|_| std::ptr::eq(arrival.program, self.program)) else { return Ok(None) };
        (self.next..number).for_each(|passed| self.pass(passed));
        self.next = number + 1;
        match std::mem::replace(&mut self.states[number], State::Done) {
            State::Started(started) if self.is_as_assumed(&started, arrival) => {
                self.adopt(number, started, arrival, table)?;
                Ok(Some(true))
            }
            State::Started(started) => {
                // it is put back for its memory to go back
                self.states[number] = State::Started(started);
                Ok(None)
            }
            _ => {
                self.states[number] = State::Waits;
                Ok(Some(false))
            }
        }
    }

    /// The host has come beyond a node: what its statement made is where only the host knows.
    fn pass(&mut self, number: usize) {
        let node = &self.block.nodes[number];
        if !node.task.is_offered() {
            self.states[number] = State::Done;
            node.writes.iter().for_each(|d| self.places[*d] = None);
        }
    }

    fn is_as_assumed(&self, started: &Started, arrival: &Arrival<'_>) -> bool {
        let same = |(at, place): &(usize, Place)| arrival.arrays[*at] == *place;
        arrival.order == self.order
            && arrival.sizes == started.sizes
            && arrival.product == started.product
            && arrival.scalars.len() == started.scalars.len()
            && arrival.scalars.iter().zip(&started.scalars).all(|(a, b)| a.same(b))
            && started.read.iter().all(same)
            && (started.fault.is_none() || arrival.fault.is_some())
    }

    /// The launch's arrays take over what was made early.
    fn adopt(&mut self, number: usize, started: Started, arrival: &Arrival<'_>, table: &mut Table) -> Outcome<()> {
        let node = &self.block.nodes[number];
        if let (Some(job), Some(roles)) =
            (self.job(node, (&started.sizes, &started.scalars)), roles(self.program, node))
        {
            for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| *roles[*at] != Role::In) {
                let place = job.place(at, arrival.arrays[at]);
                if let Some(Made { address, bytes: 1.., leaving }) = self.made[*data].take() {
                    table.adopt(place, address, Some(started.end), leaving);
                }
                self.places[*data] = Some(place);
            }
            table.moved.naive += job.touched();
        }
        let Some(word) = started.fault else { return Ok(()) };
        let noted = note_fault(&*self.device, word, arrival.fault);
        self.device.free(word);
        noted
    }

    fn job<'w>(&self, node: &Node, passed: (&'w [i64], &'w [Arg])) -> Option<Job<'w>> {
        Job::of(self.program, (self.block, node, &self.sizes), (self.order, self.library), passed)
    }

    /// A launch was issued at its place in the program.
    pub fn issued(&mut self, arrival: &Arrival<'_>, side: Side, table: &mut Table) {
        let number = self.next.saturating_sub(1);
        let node = &self.block.nodes[number];
        let Some(roles) = roles(self.program, node) else {
            node.writes.iter().for_each(|d| self.places[*d] = None);
            self.states[number] = State::Done;
            return;
        };
        for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| *roles[*at] != Role::In) {
            // On the CPU the results of a reduction come to another place, after the kernel.
            let reduced = matches!(roles[at], Role::Reduced | Role::Flag(_));
            self.places[*data] = Some(arrival.arrays[at]).filter(|_| !reduced);
            // a failure is one of whoever uses the device next
            if side == Side::Gpu && table.is_made_here(arrival.arrays[at]).is_ok() && self.is_read_on_cpu(number, *data)
            {
                let _ = table.begin_fetch(arrival.arrays[at]);
            }
        }
        match side {
            Side::Cpu => self.running = Some(number),
            Side::Gpu => self.states[number] = State::Done,
        }
    }

    /// The kernel on the CPU has ended.
    pub fn kernel_ended(&mut self) {
        if let Some(number) = self.running.take() {
            self.states[number] = State::Done;
        }
    }

    /// Whether the host reads an array as this node leaves it: in the block, or next after it.
    fn is_read_on_cpu(&self, number: usize, data: usize) -> bool {
        let later = self.block.nodes[number + 1..].iter().zip(&self.decision.sides[number + 1..]);
        for (node, side) in later {
            if *side == Side::Cpu && node.reads.contains(&data) {
                return true;
            }
            if node.writes.contains(&data) {
                return false;
            }
        }
        match self.block.data[data].next {
            Next::Unknown => false,
            Next::Read => true,
            Next::Returned => !self.stays,
        }
    }

    /// Starts what can begin now.
    pub fn go_on(&mut self, table: &mut Table, placements: &Placements) {
        let decision = self.decision.clone();
        let waiting = |ahead: &Ahead, number: usize| {
            decision.sides[number] == Side::Gpu && number >= ahead.next && matches!(ahead.states[number], State::Waits)
        };
        for &number in &decision.order {
            if waiting(self, number) && decision.before[number].iter().all(|earlier| self.is_under_way(*earlier)) {
                self.states[number] = match self.start(number, table, placements) {
                    Ok(Some(started)) => State::Started(started),
                    Ok(None) => State::Waits,
                    Err(_) => State::Failed,
                };
            }
        }
        // a copy or a change of sizes is made where its array is: the compiler does not take the device to have one for it
        let offered = |ahead: &Ahead, number: usize| ahead.block.nodes[number].task.is_offered();
        for &number in decision.order.iter().filter(|number| waiting(self, **number) && offered(self, **number)) {
            for &data in &self.block.nodes[number].reads {
                if let Some(place) = self.places[data].filter(|_| self.is_final(data, number)) {
                    // without room for it the kernel will find out
                    let _ = table.send(place);
                }
            }
        }
    }

    /// Whether what comes later in the device's queue finds a node's results, and the call did not end at it.
    fn is_under_way(&self, number: usize) -> bool {
        match self.states[number] {
            // what is checked is over when the host has come to the next launch
            State::Done => !self.block.nodes[number].guards || number + 1 < self.next,
            State::Started(_) => !self.block.nodes[number].guards,
            State::Waits | State::Failed => false,
        }
    }

    /// Whether an array is what a node will read.
    fn is_final(&self, data: usize, number: usize) -> bool {
        let writers = (0..number).filter(|n| self.block.nodes[*n].writes.contains(&data));
        writers.into_iter().all(|n| matches!(self.states[n], State::Done))
    }

    /// Starts a kernel, if what it passes is known.
    fn start(&mut self, number: usize, table: &mut Table, placements: &Placements) -> Outcome<Option<Started>> {
        let node = &self.block.nodes[number];
        let (Some(passed), Some(roles)) = (&node.passed, roles(self.program, node)) else { return Ok(None) };
        let sizes: Option<Vec<i64>> = passed.sizes.iter().map(|at| self.passed.get(*at).copied()).collect();
        let scalars: Option<Vec<Arg>> = passed.scalars.iter().map(|at| self.scalars.get(*at).copied()).collect();
        let (Some(sizes), Some(scalars)) = (sizes, scalars) else { return Ok(None) };
        let job = self.job(node, (&sizes, &scalars)).filter(Job::is_some_point);
        let Some(job) = job else { return Ok(None) };
        let (mut arrays, mut read) = (vec![Address(0); node.arrays.len()], Vec::new());
        for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| *roles[*at] == Role::In) {
            arrays[at] = match (&self.made[*data], self.places[*data]) {
                (Some(made), _) => made.address,
                (None, Some(place)) if self.is_final(*data, number) => {
                    read.push((at, place));
                    table.upload(place)?
                }
                _ => return Ok(None),
            };
        }
        let device = self.device.clone();
        let mut scratch = Scratch::new(&*device);
        let outs = || node.arrays.iter().enumerate().filter(|(at, _)| *roles[*at] != Role::In);
        for (at, _) in outs().filter(|(at, _)| job.bytes_of(*at) > 0) {
            arrays[at] = scratch.allocate(job.bytes_of(at))?;
        }
        let timer = placements.timer(self.program, node.task);
        let fault = job.issue(&mut scratch, &arrays, timer.as_ref())?;
        let end = device.record(Queue::Compute)?;
        for (at, data) in outs() {
            let (address, bytes) = (arrays[at], job.bytes_of(at) as usize);
            let wanted = bytes > 0 && self.is_read_on_cpu(number, *data);
            let leaving = if wanted { table.receive((address, bytes), end).ok() } else { None };
            scratch.leave(address);
            self.made[*data] = Some(Made { address, bytes, leaving });
        }
        fault.into_iter().for_each(|word| scratch.leave(word));
        let product = job.product();
        Ok(Some(Started { sizes, scalars, product, read, fault, end }))
    }

    /// The array at an address is no more, or the host writes it. Whether what began early is still right.
    pub fn goes_on_without(&mut self, key: usize) -> bool {
        for place in &mut self.places {
            place.take_if(|place| place.key() == key);
        }
        let read = |state: &State| match state {
            State::Started(started) => started.read.iter().any(|(_, place)| place.key() == key),
            _ => false,
        };
        !self.states.iter().any(read)
    }
}

impl Drop for Ahead {
    /// What nobody took over goes back.
    fn drop(&mut self) {
        for made in self.made.iter_mut().filter_map(Option::take) {
            if let Some(download) = made.leaving {
                let mut nowhere = vec![0; made.bytes];
                // what fails here fails for whoever uses the device next
                let _ = finish(&*self.device, download, &mut nowhere);
            }
            if made.bytes > 0 {
                self.device.free(made.address);
            }
        }
        for state in &self.states {
            if let State::Started(Started { fault: Some(word), .. }) = state {
                self.device.free(*word);
            }
        }
    }
}
