//! A loop over time some steps of which go through a device at once: its launches wait there ([`device::Later`]) and are noted for the CPU too, which does
//! what the device does not.

use crate::bands::{Rows, Steps};
use crate::device::{self, Given, Later, Offer, Program, Turn};
use crate::noted::Notes;
use crate::{Result, trace};

impl Steps {
    /// Decides where the kernels of a step run that is about to, and whether they wait.
    ///
    /// # Errors
    /// As [`Steps::finish`].
    #[cold]
    pub fn decide(&mut self, program: &'static Program, block: usize, given: Given<'_>) -> Result<()> {
        let Some(slope) = self.proven else {
            device::decide(program, block, given);
            return Ok(());
        };
        if self.later.as_ref().is_some_and(|later| !later.is_empty()) {
            // with those that wait
            return Ok(());
        }
        match device::decide_in_time(program, block, &given, slope) {
            Some(pace) => {
                (self.slope, self.goes_inside) = (Some(slope), false);
                self.later.get_or_insert_with(|| Later::new(slope, pace)).pace = pace;
                Ok(())
            }
            None => self.end_waiting(),
        }
    }

    /// Offers a launch to the device; `number` and `rows` are those of [`Steps::launch`], which follows if it is `false`.
    ///
    /// # Errors
    /// As [`Steps::finish`].
    #[cold]
    pub fn offer(&mut self, number: usize, rows: &[Rows], offer: Offer<'_>) -> Result<bool> {
        if number == 0 && self.later.as_mut().is_some_and(|later| later.begin_step()) {
            self.finish()?;
        }
        let Some(later) = &mut self.later else {
            self.site = Some(*offer.site);
            return device::offer_step(offer);
        };
        if let Some(slope) = self.slope {
            let step = later.step;
            let pick = |of: [i64; 2]| of[self.memory];
            // A device has rows along the outermost dimension, which lie together.
            let rows = rows[0];
            let (axis, first) = (rows.axis[self.memory], pick(rows.first));
            let turn = Turn { axis, first, shift: slope * step as i64 + pick(rows.offset), step };
            if later.note(&offer, turn)? {
                return Ok(false);
            }
        }
        self.end_waiting()?;
        self.proven = None;
        device::offer(offer)
    }

    /// Runs what is noted.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Device`]: the device failed when arrays were half new.
    pub fn finish(&mut self) -> Result<()> {
        let Some(later) = self.later.as_mut().filter(|later| !later.is_empty()) else {
            self.run();
            return self.site.map_or(Ok(()), |site| device::settle(&site));
        };
        if later.run()? {
            self.notes = Notes::default();
        } else {
            // it would fail again
            (self.proven, self.later) = (None, None);
            self.notes.launches.iter().for_each(|launch| trace::kernel(launch.points(), 1));
            self.run();
            self.slope = None;
        }
        (self.step, self.work) = (0, 0);
        Ok(())
    }

    /// From now on launches run as they come.
    fn end_waiting(&mut self) -> Result<()> {
        if self.later.is_some() {
            self.finish()?;
            (self.later, self.slope) = (None, None);
        }
        Ok(())
    }

    /// Whether the launches that wait for the device are not noted for the CPU any more.
    pub(super) fn is_lost_to_device(&mut self) -> bool {
        let later = self.later.as_mut();
        later.map(|later| later.alone = true).is_some()
    }
}
