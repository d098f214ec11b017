//! Whether a kernel that goes through the device in parts is faster than on the CPU.
//!
//! How a kernel is cut is known only when it is launched; the placement before goes by a guess (`pressed.rs`). So it is compared again with the parts as they
//! are. Each of the queues, and the host that fills them, takes its time; the longest decides, and what the others do for one part is before or after it. What
//! all of it then takes is measured as the kernel: it is mostly the kernel that was estimated wrong.

use megha_base::plan::{Planes, Role};

use super::super::copies::Copies;
use super::super::decide::{Busy, overlapped};
use super::super::learn::{Case, Learned, Timer};
use super::super::schedule::Side;
use super::Work;
use super::boxes::Boxes;

/// What a kernel takes on either side.
pub struct Worth<'w> {
    /// What copies take.
    pub copies: &'w Copies,
    /// Seconds of the host for each thing that it puts into a queue.
    pub issue: f64,
    /// The kernel on the device, without correction.
    pub busy: Busy,
    /// What it is measured as there.
    pub case: Case,
    /// The corrections.
    pub learned: &'w Learned,
    /// Seconds on the CPU.
    pub on_cpu: f64,
}

impl Worth<'_> {
    /// Whether the device is faster with these parts; the arrays held as wholes for which `sent` says so are copied there first.
    pub fn is_given(&self, work: &Work<'_>, boxes: &Boxes, sent: &dyn Fn(usize) -> bool) -> bool {
        let wholes = work.plan.arrays.iter().enumerate().filter(|(at, _)| boxes.buffers[*at].is_none() && sent(*at));
        let first: f64 = wholes.map(|(_, array)| self.copies.seconds(Side::Gpu, work.bytes(array) as f64)).sum();
        first + self.seconds(work, boxes, self.learned.correction(self.case)) < self.on_cpu
    }

    /// Seconds of all parts, with a kernel so many times slower than estimated.
    fn seconds(&self, work: &Work<'_>, boxes: &Boxes, correction: f64) -> f64 {
        let (mut copied, mut queued) = ([0.0; 2], boxes.parts.len());
        let mut copy = |side: Side, bytes: u64| {
            if bytes > 0 {
                copied[side as usize] += self.copies.seconds(side, bytes as f64);
                queued += 1;
            }
        };
        for (at, array) in work.plan.arrays.iter().enumerate().filter(|(at, _)| boxes.buffers[*at].is_some()) {
            let bytes = |planes: Planes| (planes.1 - planes.0).max(0).unsigned_abs() * boxes.planes[at];
            for slab in boxes.slabs.iter().map(|slabs| slabs[at]) {
                copy(Side::Gpu, if array.role == Role::Fresh { 0 } else { bytes(slab.touched) });
                copy(Side::Cpu, if array.role == Role::In { 0 } else { bytes(slab.written) });
            }
        }
        let parts = boxes.parts.len() as f64;
        let queues = [copied[0], copied[1], self.busy.seconds(parts) * correction, queued as f64 * self.issue];
        overlapped(&queues, parts)
    }

    /// The timer of all parts, if they should be timed.
    pub fn timer(&self, work: &Work<'_>, boxes: &Boxes) -> Option<Timer<'_>> {
        Timer::of(self.learned, self.case, self.seconds(work, boxes, 1.0))
    }
}
