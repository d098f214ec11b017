//! Kernels that begin on the device before the host comes to them (MEGHA, section 3.2.3: the schedule's order).
//!
//! The host runs a block's statements in program order. While both sides have a part in a block, its device's kernels are started as soon
//! as all that they wait for is done or in the device's queue, in the schedule's order; arrays that a later kernel reads are on their way
//! to the device as soon as they are final, and those that the host reads on their way back as soon as they are made. What a kernel
//! makes early has no place on the host yet; when the host comes to the launch, the launch's arrays take the results over.
//!
//! Only what nothing can change begins early: kernels that make new arrays, from arrays that are final, beyond no statement at which the
//! call may end ([`Block::before`]). That the launch passes what was assumed, and that nobody wrote an array that was read, is tested.

use std::sync::Arc;

use megha_base::plan::block::{Block, Next, Node};
use megha_base::plan::{KernelPlan, Role};

use super::decide::Decision;
use super::placements::Placements;
use super::program::Program;
use super::run::{Scratch, Work, note_fault};
use super::schedule::Side;
use super::session::{Given, Launch};
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
    passed: Vec<i64>,
    scalars: Vec<Arg>,
    /// Whether what the call returns stays where it is.
    stays: bool,
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

/// A launch that began early.
struct Started {
    sizes: Vec<i64>,
    scalars: Vec<Arg>,
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
        (given, stays): (&Given<'_>, bool),
    ) -> Ahead {
        let mut before = given.places.iter().copied();
        let places = block.data.iter().map(|data| if data.before { before.next() } else { None }).collect();
        let states = block.nodes.iter().map(|_| State::Waits).collect();
        let made = block.data.iter().map(|_| None).collect();
        let (passed, scalars) = (given.passed.to_vec(), given.scalars.to_vec());
        let (next, running, order) = (0, None, given.order);
        Ahead { device, program, block, decision, order, passed, scalars, stays, next, running, states, places, made }
    }

    /// The host has come to a launch: whether it has begun already, and its arrays have what it makes. `None` if the launch is none of the
    /// block's.
    pub fn arrive(&mut self, launch: &Launch<'_>, table: &mut Table) -> Outcome<Option<bool>> {
        let is_it = |node: &Node| node.kernel == Some(launch.kernel);
        let found = self.block.nodes[self.next..].iter().position(is_it).map(|at| self.next + at);
        let Some(number) = found.filter(|_| std::ptr::eq(launch.program, self.program)) else { return Ok(None) };
        (self.next..number).for_each(|passed| self.pass(passed));
        self.next = number + 1;
        match std::mem::replace(&mut self.states[number], State::Done) {
            State::Started(started) if self.is_as_assumed(&started, launch) => {
                self.adopt(number, started, launch, table)?;
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
        if node.kernel.is_none() {
            self.states[number] = State::Done;
            node.writes.iter().for_each(|d| self.places[*d] = None);
        }
    }

    fn is_as_assumed(&self, started: &Started, launch: &Launch<'_>) -> bool {
        let same = |(at, place): &(usize, Place)| launch.arrays[*at] == *place;
        launch.order == self.order
            && launch.sizes == started.sizes
            && launch.scalars.len() == started.scalars.len()
            && launch.scalars.iter().zip(&started.scalars).all(|(a, b)| a.same(b))
            && started.read.iter().all(same)
            && (started.fault.is_none() || launch.fault.is_some())
    }

    /// The launch's arrays take over what was made early.
    fn adopt(&mut self, number: usize, started: Started, launch: &Launch<'_>, table: &mut Table) -> Outcome<()> {
        let node = &self.block.nodes[number];
        if let Some((plan, work)) = self.work(node, (&started.sizes, &started.scalars)) {
            for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| plan.arrays[*at].role != Role::In) {
                let place = work.place(at, launch.arrays[at]);
                if let Some(Made { address, bytes: 1.., leaving }) = self.made[*data].take() {
                    table.adopt(place, address, Some(started.end), leaving);
                }
                self.places[*data] = Some(place);
            }
            table.moved.naive += work.touched();
        }
        let Some(word) = started.fault else { return Ok(()) };
        let noted = note_fault(&*self.device, word, launch.fault);
        self.device.free(word);
        noted
    }

    fn work<'w>(&self, node: &Node, passed: (&'w [i64], &'w [Arg])) -> Option<(&'static KernelPlan, Work<'w>)> {
        let plan = self.program.kernel(node.kernel?)?;
        Some((plan, Work::new(plan, self.program, self.order, passed)?))
            .filter(|_| node.arrays.len() == plan.arrays.len())
    }

    /// A launch was issued at its place in the program.
    pub fn issued(&mut self, launch: &Launch<'_>, side: Side, table: &mut Table) {
        let number = self.next.saturating_sub(1);
        let node = &self.block.nodes[number];
        let Some(plan) = self.program.kernel(launch.kernel).filter(|plan| plan.arrays.len() == node.arrays.len())
        else {
            node.writes.iter().for_each(|d| self.places[*d] = None);
            self.states[number] = State::Done;
            return;
        };
        for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| plan.arrays[*at].role != Role::In) {
            // On the CPU the results of a reduction come to another place, after the kernel.
            let reduced = plan.arrays[at].role == Role::Reduced;
            self.places[*data] = Some(launch.arrays[at]).filter(|_| !reduced);
            // a failure is one of whoever uses the device next
            if side == Side::Gpu && table.is_made_here(launch.arrays[at]).is_ok() && self.is_read_on_cpu(number, *data)
            {
                let _ = table.begin_fetch(launch.arrays[at]);
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
        for &number in decision.order.iter().filter(|number| waiting(self, **number)) {
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
        let (Some(passed), Some(kernel)) = (&node.passed, node.kernel) else { return Ok(None) };
        let sizes: Option<Vec<i64>> = passed.sizes.iter().map(|at| self.passed.get(*at).copied()).collect();
        let scalars: Option<Vec<Arg>> = passed.scalars.iter().map(|at| self.scalars.get(*at).copied()).collect();
        let (Some(sizes), Some(scalars)) = (sizes, scalars) else { return Ok(None) };
        let Some((plan, work)) = self.work(node, (&sizes, &scalars)) else { return Ok(None) };
        if !work.is_some_point() {
            return Ok(None);
        }
        let (mut arrays, mut read) = (vec![Address(0); node.arrays.len()], Vec::new());
        for (at, data) in node.arrays.iter().enumerate().filter(|(at, _)| plan.arrays[*at].role == Role::In) {
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
        let outs = || node.arrays.iter().enumerate().filter(|(at, _)| plan.arrays[*at].role != Role::In);
        for (at, _) in outs().filter(|(at, _)| work.bytes_of(*at) > 0) {
            arrays[at] = scratch.allocate(work.bytes_of(at))?;
        }
        let fault = work.issue(&mut scratch, &arrays, placements.timer(self.program, kernel))?;
        let end = device.record(Queue::Compute)?;
        for (at, data) in outs() {
            let (address, bytes) = (arrays[at], work.bytes_of(at) as usize);
            let wanted = bytes > 0 && self.is_read_on_cpu(number, *data);
            let leaving = if wanted { table.receive((address, bytes), end).ok() } else { None };
            scratch.leave(address);
            self.made[*data] = Some(Made { address, bytes, leaving });
        }
        fault.into_iter().for_each(|word| scratch.leave(word));
        Ok(Some(Started { sizes, scalars, read, fault, end }))
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
                let _ = self.device.finish_download(download, &mut nowhere);
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
