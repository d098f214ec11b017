//! Loads and stores, with the checks of bounds, alignment, initialisation and order.

use super::traffic::{passes, sectors};
use super::warp::{Warp, store};
use super::{LOCAL_WINDOW, Machine, SHARED_WINDOW, Slip, lanes};
use crate::alu::{Lanes, WARP, convert};
use crate::error::FaultKind;
use crate::form::{Address, Element, Slot};
use crate::memory::region::{Region, Wrong};
use crate::memory::shadow::Touch;
use crate::ptx::syntax::Space;

/// The most values that one access moves.
const MOST: usize = 4;

/// An access of a warp to one space.
#[derive(Clone, Copy)]
pub(super) struct Access<'a> {
    pub space: Space,
    pub addresses: &'a Lanes,
    pub mask: u32,
    /// Bytes of one value, and how many values.
    pub size: usize,
    pub count: usize,
    pub strong: bool,
    pub stores: bool,
    pub line: u32,
}

impl Access<'_> {
    /// Constant memory is read by `ld.const` and through generic addresses.
    fn may_touch(&self, region: &Region) -> bool {
        match self.space {
            Space::Const => region.constant,
            Space::Generic => !(region.constant && self.stores),
            _ => !region.constant,
        }
    }

    fn bytes(&self) -> usize {
        self.size * self.count
    }
}

fn signed(element: Element) -> Option<crate::alu::Fn1> {
    convert::extend(element.ty, element.register)
}

impl Machine<'_> {
    /// A parameter of the entry.
    pub(super) fn load_param(&self, warp: &mut Warp, element: Element, d: &[Option<Slot>], offset: u32, active: u32) {
        let size = element.ty.bytes();
        for (number, d) in d.iter().enumerate() {
            let Some(d) = d else { continue };
            let at = offset as usize + number * size;
            let mut bytes = [0; 8];
            bytes[..size].copy_from_slice(&self.params[at..at + size]);
            self.fill(warp, element, *d, active, &[u64::from_le_bytes(bytes); WARP]);
        }
    }

    /// Puts loaded values into a register.
    fn fill(&self, warp: &mut Warp, element: Element, d: Slot, mask: u32, values: &Lanes) {
        let slot = &mut warp.registers().0[d as usize];
        match signed(element) {
            Some(extend) => {
                let mut extended = [0; WARP];
                extend(values, &mut extended);
                store(slot, mask, &extended);
            }
            None => store(slot, mask, values),
        }
    }

    #[allow(clippy::too_many_arguments)] // the fields of the instruction and where it runs
    pub(super) fn load(
        &mut self,
        warp: &mut Warp,
        space: Space,
        element: Element,
        d: &[Option<Slot>],
        address: Address,
        strong: bool,
        active: u32,
        line: u32,
    ) -> Result<(), Slip> {
        let mut values = [[0; WARP]; MOST];
        let (size, count) = (element.ty.bytes(), d.len());
        let addresses = addresses(warp, address);
        each_space(space, &addresses, active, |space, addresses, mask| {
            let access = Access { space, addresses, mask, size, count, strong, stores: false, line };
            self.load_from(warp, access, &mut values)
        })?;
        for (d, values) in d.iter().zip(&values) {
            if let Some(d) = d {
                self.fill(warp, element, *d, active, values);
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments)] // the fields of the instruction and where it runs
    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        space: Space,
        element: Element,
        values: &[Slot],
        address: Address,
        strong: bool,
        active: u32,
        line: u32,
    ) -> Result<(), Slip> {
        let (size, count) = (element.ty.bytes(), values.len());
        let mut sources = [[0; WARP]; MOST];
        for (source, slot) in sources.iter_mut().zip(values) {
            *source = warp.registers().0[*slot as usize];
        }
        let addresses = addresses(warp, address);
        each_space(space, &addresses, active, |space, addresses, mask| {
            let access = Access { space, addresses, mask, size, count, strong, stores: true, line };
            self.store_to(warp, access, &sources)
        })
    }

    pub(super) fn load_from(
        &mut self,
        warp: &mut Warp,
        access: Access,
        values: &mut [Lanes; MOST],
    ) -> Result<(), Slip> {
        if access.space == Space::Local {
            return self.load_local(warp, access, values);
        }
        self.order_access(access);
        let bytes = access.bytes();
        let mut touch = self.touch(warp, access);
        for lane in lanes(access.mask) {
            let (at, offset) = self.place(access, lane)?;
            touch.thread = (warp.number * 32) as u16 + lane as u16;
            let races = self.watch.races;
            let (region, order) = self.region(access.space, at);
            for (number, values) in values[..access.count].iter_mut().enumerate() {
                let offset = offset + number * access.size;
                if let Err(wrong) = region.note_read(offset, access.size, &touch, order, races) {
                    return Err(self.slip(access, lane, wrong, "read"));
                }
                values[lane] = region.get(offset, access.size);
            }
            if access.space != Space::Shared {
                region.note_sector(offset, bytes);
            }
        }
        self.count(access);
        Ok(())
    }

    pub(super) fn store_to(&mut self, warp: &mut Warp, access: Access, values: &[Lanes; MOST]) -> Result<(), Slip> {
        if access.space == Space::Local {
            return self.store_local(warp, access, values);
        }
        self.order_access(access);
        if access.strong && warp.fenced && access.space != Space::Shared {
            self.order.released.insert(self.block_number, self.epoch);
        }
        let bytes = access.bytes();
        let mut touch = self.touch(warp, access);
        for lane in lanes(access.mask) {
            let (at, offset) = self.place(access, lane)?;
            touch.thread = (warp.number * 32) as u16 + lane as u16;
            let races = self.watch.races;
            let (region, order) = self.region(access.space, at);
            for (number, values) in values[..access.count].iter().enumerate() {
                let offset = offset + number * access.size;
                let value = if access.size == 8 { values[lane] } else { values[lane] & ((1 << (8 * access.size)) - 1) };
                if let Err(wrong) = region.note_write(offset, access.size, value, &touch, order, races) {
                    return Err(self.slip(access, lane, wrong, "write"));
                }
                region.put(offset, access.size, value);
            }
            if access.space != Space::Shared {
                region.note_sector(offset, bytes);
            }
        }
        self.count(access);
        Ok(())
    }

    /// A strong load of global memory lets the block see what others have released.
    fn order_access(&mut self, access: Access) {
        if access.strong && access.space != Space::Shared {
            self.order.acquired = true;
        }
    }

    pub(super) fn touch(&self, warp: &Warp, access: Access) -> Touch {
        Touch {
            block: self.block_number,
            epoch: self.epoch,
            line: access.line,
            warp_epoch: warp.epoch,
            atomic: access.strong,
            ..Touch::default()
        }
    }

    /// The region of an access, and what orders accesses to it.
    #[inline]
    pub(super) fn region(&mut self, space: Space, at: usize) -> (&mut Region, &crate::memory::shadow::BlockOrder) {
        match space {
            Space::Shared => (&mut self.shared, &self.no_order),
            _ => (&mut self.memory.regions[at], &self.order),
        }
    }

    /// Where in which region a lane accesses.
    #[inline]
    pub(super) fn place(&mut self, access: Access, lane: usize) -> Result<(usize, usize), Slip> {
        let (address, bytes) = (access.addresses[lane], access.bytes());
        if address & (bytes as u64 - 1) != 0 {
            let space = access.space.name();
            return Err((lane as u32, FaultKind::Misaligned { space, address, bytes }));
        }
        if access.space == Space::Shared {
            if let Some(offset) = self.shared.offset(address, bytes) {
                return Ok((0, offset));
            }
        } else if let Some((at, offset)) = self.memory.locate(address, bytes, self.hint)
            && access.may_touch(&self.memory.regions[at])
        {
            self.hint = at;
            return Ok((at, offset));
        }
        Err((lane as u32, self.out_of_bounds(access, address)))
    }

    #[cold]
    fn out_of_bounds(&self, access: Access, address: u64) -> FaultKind {
        let (space, bytes) = (access.space.name(), access.bytes());
        let place = match access.space {
            Space::Shared => format!("outside the {} bytes of the block", self.shared.bytes.len()),
            Space::Local => "outside the frame of the thread".to_string(),
            _ => match self.memory.locate(address, bytes, 0) {
                Some(_) if access.space == Space::Const => "in global memory".to_string(),
                Some(_) => "in constant memory".to_string(),
                None => self.memory.neighbourhood(address),
            },
        };
        FaultKind::OutOfBounds { space, address, bytes, place }
    }

    /// The mistake of a lane in words.
    #[cold]
    pub(super) fn slip(&self, access: Access, lane: usize, wrong: Wrong, this: &'static str) -> Slip {
        let (space, address) = (access.space.name(), access.addresses[lane]);
        let kind = match wrong {
            Wrong::Unwritten => FaultKind::Uninitialised { space, address, bytes: access.bytes() },
            Wrong::Race(conflict) => FaultKind::Race {
                space,
                address,
                this,
                earlier: if conflict.earlier_wrote { "write" } else { "read" },
                thread: u32::from(conflict.earlier.thread),
                block: conflict.earlier.block - self.order.first,
                line: conflict.earlier.line,
            },
        };
        (lane as u32, kind)
    }

    /// Adds a finished access to the counts.
    pub(super) fn count(&mut self, access: Access) {
        let bytes = u64::from(access.mask.count_ones()) * access.bytes() as u64;
        let traffic = &mut self.traffic;
        if access.space == Space::Shared {
            *(if access.stores { &mut traffic.shared_stored } else { &mut traffic.shared_loaded }) += bytes;
            traffic.shared_requests += 1;
            let (all, beyond) = passes(access.addresses, access.mask, access.bytes());
            traffic.shared_passes += all;
            traffic.bank_conflicts += beyond;
        } else {
            *(if access.stores { &mut traffic.global_stored } else { &mut traffic.global_loaded }) += bytes;
            traffic.global_requests += 1;
            traffic.sectors += sectors(access.addresses, access.mask, access.bytes());
        }
    }

    fn load_local(&mut self, warp: &Warp, access: Access, values: &mut [Lanes; MOST]) -> Result<(), Slip> {
        for lane in lanes(access.mask) {
            let at = self.local_place(warp, access, lane)?;
            for (number, values) in values[..access.count].iter_mut().enumerate() {
                let at = at + number * access.size;
                let mut bytes = [0; 8];
                bytes[..access.size].copy_from_slice(&warp.local[lane][at..at + access.size]);
                values[lane] = u64::from_le_bytes(bytes);
            }
        }
        Ok(())
    }

    fn store_local(&mut self, warp: &mut Warp, access: Access, values: &[Lanes; MOST]) -> Result<(), Slip> {
        for lane in lanes(access.mask) {
            let at = self.local_place(warp, access, lane)?;
            for (number, values) in values[..access.count].iter().enumerate() {
                let at = at + number * access.size;
                let bytes = values[lane].to_le_bytes();
                warp.local[lane][at..at + access.size].copy_from_slice(&bytes[..access.size]);
            }
        }
        Ok(())
    }

    /// Where in its local memory a lane accesses; frames below are reachable through pointers.
    fn local_place(&mut self, warp: &Warp, access: Access, lane: usize) -> Result<usize, Slip> {
        let (address, bytes) = (access.addresses[lane], access.bytes());
        let space = access.space.name();
        if address & (bytes as u64 - 1) != 0 {
            return Err((lane as u32, FaultKind::Misaligned { space, address, bytes }));
        }
        let frame = warp.frames.last().expect("a running warp has a frame");
        let end = u64::from(frame.local + self.program.functions[frame.function].local);
        if address.checked_add(bytes as u64).is_none_or(|last| last > end) {
            return Err((lane as u32, self.out_of_bounds(access, address)));
        }
        self.traffic.local += bytes as u64;
        Ok(address as usize)
    }
}

/// Does something with the parts of an access by space: generic addresses say theirs themselves.
pub(super) fn each_space(
    space: Space,
    addresses: &Lanes,
    active: u32,
    mut of: impl FnMut(Space, &Lanes, u32) -> Result<(), Slip>,
) -> Result<(), Slip> {
    if space != Space::Generic {
        return of(space, addresses, active);
    }
    let within = |from: u64, to: u64| {
        lanes(active).filter(|lane| (from..to).contains(&addresses[*lane])).fold(0, |mask, lane| mask | 1 << lane)
    };
    let windows = [
        (Space::Generic, within(0, SHARED_WINDOW), 0),
        (Space::Shared, within(SHARED_WINDOW, LOCAL_WINDOW), SHARED_WINDOW),
        (Space::Local, within(LOCAL_WINDOW, u64::MAX), LOCAL_WINDOW),
    ];
    for (space, mask, window) in windows.into_iter().filter(|(_, mask, _)| *mask != 0) {
        of(space, &addresses.map(|address| address.wrapping_sub(window)), mask)?;
    }
    Ok(())
}

/// The address operand in all lanes.
pub(super) fn addresses(warp: &mut Warp, address: Address) -> Lanes {
    let base = &warp.registers().0[address.base as usize];
    base.map(|base| base.wrapping_add(address.offset as u64))
}
