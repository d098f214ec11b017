//! `atom` and `red`: one lane after the other, in the order of the lanes.

use super::access::{Access, addresses, each_space};
use super::warp::{Warp, store};
use super::{Machine, Slip, lanes};
use crate::alu::WARP;
use crate::form::Op;
use crate::ptx::syntax::Space;

impl Machine<'_> {
    pub(super) fn atomic(&mut self, warp: &mut Warp, op: &Op, active: u32, line: u32) -> Result<(), Slip> {
        let Op::Atomic { space, ty, update, d, address, b, c } = op else {
            unreachable!("the caller chose the instruction")
        };
        let addresses = addresses(warp, *address);
        let slots = warp.registers().0;
        let (b, c) = (slots[*b as usize], slots[*c as usize]);
        let mut old = [0; WARP];
        each_space(*space, &addresses, active, |space, addresses, mask| {
            let size = ty.bytes();
            let access = Access { space, addresses, mask, size, count: 1, strong: true, stores: true, line };
            if space != Space::Shared {
                self.order.acquired = true;
                if warp.fenced {
                    self.order.released.insert(self.block_number, self.epoch);
                }
            }
            let mut touch = self.touch(warp, access);
            for lane in lanes(mask) {
                let (at, offset) = self.place(access, lane)?;
                touch.thread = (warp.number * 32) as u16 + lane as u16;
                let races = self.watch.races;
                let (region, order) = self.region(space, at);
                let noted = region.note_read(offset, access.size, &touch, order, false);
                if let Err(wrong) = noted {
                    return Err(self.slip(access, lane, wrong, "read"));
                }
                old[lane] = region.get(offset, access.size);
                let new = update(old[lane], b[lane], c[lane]);
                // an atomic write that leaves the value as it is still conflicts with plain accesses, hence not the new value
                let noted = region.note_write(offset, access.size, !old[lane], &touch, order, races);
                if let Err(wrong) = noted {
                    return Err(self.slip(access, lane, wrong, "atomic"));
                }
                region.put(offset, access.size, new);
                if space != Space::Shared {
                    region.note_sector(offset, access.size);
                }
            }
            self.traffic.atomics += u64::from(mask.count_ones());
            self.count(access);
            Ok(())
        })?;
        if let Some(d) = d {
            store(&mut warp.registers().0[*d as usize], active, &old);
        }
        Ok(())
    }
}
