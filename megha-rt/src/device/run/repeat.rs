//! A launch that is repeated for one of the arrays that it made.

use megha_base::plan::{KernelPlan, Role};

use super::super::session::Launch;
use super::super::table::{Place, Table};
use super::super::{Address, Device, Failure, Outcome};
use super::{Scratch, Work};

/// The arrays that a kernel makes, if it can run again with nothing but them to show for it: it updates nothing, reduces nothing and checks nothing.
fn made_by(plan: &KernelPlan) -> Option<Vec<usize>> {
    let mut made = Vec::new();
    for (at, array) in plan.arrays.iter().enumerate() {
        match array.role {
            Role::In => {}
            Role::Fresh => made.push(at),
            Role::Update(_) | Role::Reduced | Role::Flag(_) => return None,
        }
    }
    plan.checks.is_empty().then_some(made)
}

impl Work<'_> {
    /// Notes how a launch that the table counts as done, as a whole, has made its arrays.
    pub fn note_recipe(&self, table: &mut Table, launch: &Launch<'_>) {
        let Some(seconds) = table.future.seconds() else { return };
        let Some(made) = made_by(self.plan) else { return };
        let others = |at: usize| (0..launch.arrays.len()).filter(move |other| *other != at);
        let meets = |at: &usize| others(*at).any(|other| launch.arrays[*at].meets(launch.arrays[other]));
        if !made.iter().any(meets) {
            table.recipes.note(launch, &made, seconds);
        }
    }

    /// Bytes of the device that repeating takes beside what is read and the array with this number: the others that are made go to memory that goes back.
    pub fn beside(&self, device: &dyn Device, at: usize) -> u64 {
        let others =
            self.plan.arrays.iter().enumerate().filter(|(other, array)| *other != at && array.role != Role::In);
        others.map(|(_, array)| device.takes(self.bytes(array))).sum()
    }

    /// Runs the entries again for the array with this number, which is then on the device alone.
    pub fn repeat(&self, table: &mut Table, places: &[Place], at: usize) -> Outcome<()> {
        let device = table.device().clone();
        let mut scratch = Scratch::new(&*device);
        let mut arrays = vec![Address(0); places.len()];
        for (input, _) in self.plan.arrays.iter().enumerate().filter(|(_, array)| array.role == Role::In) {
            arrays[input] = table.upload(places[input])?;
        }
        arrays[at] = table.room(places[at])?;
        for (other, array) in self.plan.arrays.iter().enumerate().filter(|(_, array)| array.role != Role::In) {
            if other != at && self.bytes(array) > 0 {
                let allocated = scratch.allocate(self.bytes(array));
                if let Err(Failure::OutOfMemory { wanted }) = &allocated {
                    table.left.lacks(*wanted);
                }
                arrays[other] = allocated?;
            }
        }
        self.issue(&mut scratch, &arrays, None)?;
        table.is_on_device_alone(places[at]);
        Ok(())
    }
}
