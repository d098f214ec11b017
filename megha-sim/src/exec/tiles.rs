//! Copies to shared memory that go on beside a kernel (`cp.async`), and products on tensor cores (`mma`).
//!
//! A copy reads when it is issued. It writes when the warp waits for it, as late as a device may; that nobody else touches its place from
//! when it is issued on is looked for as well, since a device may write at once.
//!
//! `mma` adds the products of an element one after the other, in the order of the inner index, each by a fused multiply-add: what H100 and H200 were seen to do,
//! to the bit. How lanes share tiles is the manual's (PTX ISA, matrix fragments for `mma` with `.f64`).

use super::access::{Access, addresses};
use super::warp::Warp;
use super::{Machine, Slip, lanes};
use crate::alu::{Lanes, WARP};
use crate::error::FaultKind;
use crate::form::{Address, Op};
use crate::ptx::syntax::Space;

/// A copy of each lane in a mask.
#[derive(Debug)]
struct Copy {
    to: Lanes,
    mask: u32,
    line: u32,
    /// Bytes of a value, and one or two values of each lane.
    size: usize,
    values: Vec<Lanes>,
}

impl Copy {
    /// The writes to shared memory.
    fn access(&self) -> Access<'_> {
        Access {
            space: Space::Shared,
            addresses: &self.to,
            mask: self.mask,
            size: self.size,
            count: self.values.len(),
            strong: false,
            stores: true,
            line: self.line,
        }
    }
}

/// Copies under way: groups, and what is in none yet.
#[derive(Debug, Default)]
pub(super) struct Copies {
    groups: Vec<Vec<Copy>>,
    open: Vec<Copy>,
}

impl Copies {
    pub(super) fn commit(&mut self) {
        let group = std::mem::take(&mut self.open);
        self.groups.push(group);
    }
}

impl Machine<'_> {
    pub(super) fn copy_async(
        &mut self,
        warp: &mut Warp,
        [to, from]: [Address; 2],
        bytes: usize,
        active: u32,
        line: u32,
    ) -> Result<(), Slip> {
        let (to, from) = (addresses(warp, to), addresses(warp, from));
        let size = bytes.min(8);
        let read = Access {
            space: Space::Global,
            addresses: &from,
            mask: active,
            size,
            count: bytes / size,
            strong: false,
            stores: false,
            line,
        };
        let mut values = [[0; WARP]; 4];
        let before = self.traffic.sectors;
        self.load_from(warp, read, &mut values)?;
        self.traffic.sectors_beside += self.traffic.sectors - before;
        let copy = Copy { to, mask: active, line, size, values: values[..read.count].to_vec() };
        if self.watch.races {
            self.claim(warp, &copy)?;
        }
        warp.copies.open.push(copy);
        Ok(())
    }

    /// Ends all groups but the newest so many, or all copies.
    pub(super) fn wait_for_copies(&mut self, warp: &mut Warp, but: Option<u64>) -> Result<(), Slip> {
        let mut copies = std::mem::take(&mut warp.copies);
        let left = but.map_or(0, |but| copies.groups.len().min(but as usize));
        let mut ended: Vec<Copy> = copies.groups.drain(..copies.groups.len() - left).flatten().collect();
        if but.is_none() {
            ended.append(&mut copies.open);
        }
        warp.copies = copies;
        ended.iter().try_for_each(|copy| self.deliver(warp, copy))
    }

    /// A device may write at once: nobody else may touch the place meanwhile.
    fn claim(&mut self, warp: &Warp, copy: &Copy) -> Result<(), Slip> {
        let access = copy.access();
        let mut touch = self.touch(warp, access);
        for lane in lanes(copy.mask) {
            let (at, offset) = self.place(access, lane)?;
            touch.thread = (warp.number * 32) as u16 + lane as u16;
            let (region, order) = self.region(Space::Shared, at);
            for number in 0..access.count {
                if let Err(wrong) = region.note_claim(offset + number * copy.size, copy.size, &touch, order) {
                    return Err(self.slip(access, lane, wrong, "write"));
                }
            }
        }
        Ok(())
    }

    /// Writes what was copied.
    fn deliver(&mut self, warp: &mut Warp, copy: &Copy) -> Result<(), Slip> {
        let mut values = [[0; WARP]; 4];
        values[..copy.values.len()].copy_from_slice(&copy.values);
        self.store_to(warp, copy.access(), &values)
    }
}

/// `mma` on doubles, with chains of products or pairs of them.
pub(super) fn multiply_tiles(warp: &mut Warp, op: &Op, active: u32, chains: bool) -> Result<(), Slip> {
    let Op::MultiplyTiles { d, a, b, c } = op else { unreachable!("the caller chose the instruction") };
    if active != u32::MAX {
        return Err((active.trailing_zeros(), FaultKind::Members { mask: u32::MAX, active }));
    }
    let (slots, _) = warp.registers();
    let number = |slot: u32, lane: usize| f64::from_bits(slots[slot as usize][lane]);
    // blocks of eight rows, of which a lane has neighbouring elements in `c`, and one for each four terms in `a`
    let (blocks, terms) = (c.len() / 2, 4 * b.len());
    let mut sums = vec![[0; WARP]; c.len()];
    for (register, sums) in sums.iter_mut().enumerate() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let (row, block, column) = (lane / 4, register / 2, lane % 4 * 2 + register % 2);
            let term = |k: usize| {
                let (left, right) = (a[k / 4 * blocks + block], b[k / 4]);
                (number(left, row * 4 + k % 4), number(right, column * 4 + k % 4))
            };
            let before = number(c[register], lane);
            let added = if chains {
                (0..terms).map(term).fold(before, |sum, (x, y)| x.mul_add(y, sum))
            } else {
                let pair = |k: usize| term(k).0.mul_add(term(k).1, term(k + 1).0 * term(k + 1).1);
                (0..terms).step_by(2).map(pair).fold(before, |sum, pair| sum + pair)
            };
            *sum = added.to_bits();
        }
    }
    for (slot, sums) in d.iter().zip(sums) {
        slots[*slot as usize] = sums;
    }
    Ok(())
}
