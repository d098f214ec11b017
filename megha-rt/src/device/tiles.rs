//! A loop over time whose arrays do not fit the device: how many of its steps go through at once, and in bands of how many rows.
//!
//! A band's planes are copied to the device once, the launches of `T` steps run on them, each as many rows behind the first as the compiler has found
//! ([`crate::bands`]), and what is final goes back: each plane crosses the link once for `T` steps (out-of-core stencils with temporal blocking: J. Shen et al.,
//! "SO2DR", 2024; here without redundant work, since rows are skewed). Of each array two windows of planes are on the device, that of the band which is
//! computed, and that which the band before leaves and the next one enters. More steps need longer windows, so there is less room for the rows of a band, and short
//! launches do not fill the device: of all divisions that fit the one counts that is shortest by the device's rates.

use super::{Device, Rates};

/// Most launches that wait.
pub const MOST: usize = 2048;

/// An array that goes through the device in windows of planes.
#[derive(Debug, Clone, Copy)]
pub struct Strip {
    /// How many planes it has.
    pub planes: i64,
    /// Bytes of each.
    pub each: u64,
    /// By how many planes a window for one step is longer than the band.
    pub span: i64,
    /// Whether windows are longer for more steps: it is touched in more than one.
    pub grows: bool,
    /// Whether its planes come from the host.
    pub sent: bool,
    /// Whether they go back there.
    pub stored: bool,
}

/// What the kernels of a step are estimated to need on the device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Seconds, without what launches take.
    pub seconds: f64,
    /// Points of a kernel.
    pub points: f64,
}

/// The launches of a loop over time and what they work on.
#[derive(Debug, Clone)]
pub struct Shape {
    /// What goes through in windows.
    pub strips: Vec<Strip>,
    /// Bytes of the device for arrays that are there as wholes.
    pub whole: u64,
    /// By how many rows a step is behind the one before.
    pub slope: i64,
    /// Launches of a step.
    pub launches: usize,
}

/// How a loop goes through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tiling {
    /// Steps at once.
    pub steps: usize,
    /// Rows of a band.
    pub width: i64,
    /// Seconds that a step is estimated to take.
    pub each: f64,
}

impl Shape {
    /// Bytes of the device for all windows.
    pub fn ring(&self, device: &dyn Device, (steps, width): (usize, i64)) -> u64 {
        let behind = self.slope.saturating_mul(steps as i64 - 1);
        let window = |strip: &Strip| {
            let more = if strip.grows { behind.saturating_add(width) } else { width };
            let planes = strip.span.saturating_add(more).clamp(0, strip.planes).unsigned_abs();
            2 * device.takes(planes.saturating_mul(strip.each))
        };
        self.strips.iter().map(window).fold(0, u64::saturating_add)
    }

    /// The widest bands for which there is room.
    fn widest(&self, device: &dyn Device, steps: usize, available: u64) -> Option<i64> {
        let room = available.checked_sub(self.whole)?;
        let fits = |width: i64| self.ring(device, (steps, width)) <= room;
        let (mut low, mut high) = (1, self.planes().max(1));
        if !fits(low) {
            return None;
        }
        while low < high {
            let middle = low + (high - low + 1) / 2;
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        Some(low)
    }

    fn planes(&self) -> i64 {
        self.strips.iter().map(|strip| strip.planes).max().unwrap_or(0)
    }

    /// The division of so many steps that is shortest, if there is one.
    pub fn best(
        &self,
        (steps, pace): (usize, Pace),
        (device, rates): (&dyn Device, &Rates),
        available: u64,
    ) -> Option<Tiling> {
        let mut found: Option<Tiling> = None;
        let mut passes = 1;
        while passes <= steps {
            let at_once = steps.div_ceil(passes);
            // the next number of passes with fewer steps in each
            passes = if at_once > 1 { steps.div_ceil(at_once - 1) } else { steps + 1 };
            let Some(widest) = self.widest(device, at_once, available) else { continue };
            for width in [1, 2, 4].map(|part| (widest / part).max(1)) {
                let seconds = self.seconds((at_once, width), (steps, pace), (device, rates));
                let each = seconds / steps as f64;
                if found.is_none_or(|best| each < best.each) {
                    found = Some(Tiling { steps: at_once, width, each });
                }
            }
        }
        found
    }

    /// Seconds for steps of which so many go at once in bands of so many rows: kernels or the link, and the first copies and the last, beside which nothing
    /// runs.
    fn seconds(
        &self,
        (at_once, width): (usize, i64),
        (all, pace): (usize, Pace),
        (device, rates): (&dyn Device, &Rates),
    ) -> f64 {
        let (planes, steps) = (self.planes().max(1) as f64, at_once as f64);
        let passes = all.div_ceil(at_once) as f64;
        let behind = self.slope as f64 * (steps - 1.0);
        let (copy, queued) = (rates.copy.as_secs_f64(), rates.queued.as_secs_f64());
        let (own, bands) = (planes / width as f64, ((planes + behind) / width as f64).ceil());
        let bytes = |which: &dyn Fn(&Strip) -> bool, planes: f64| -> f64 {
            let of = |strip: &&Strip| which(strip);
            self.strips.iter().filter(of).map(|strip| strip.each as f64 * planes.min(strip.planes as f64)).sum()
        };
        let count = |which: &dyn Fn(&Strip) -> bool| self.strips.iter().filter(|strip| which(strip)).count() as f64;
        let copies =
            |which: &dyn Fn(&Strip) -> bool, rate: f64| bytes(which, planes) / rate + bands * count(which) * copy;
        let (up, down) = (copies(&|strip| strip.sent, rates.upload), copies(&|strip| strip.stored, rates.download));
        // so much of a kernel's time a launch takes that is too short to fill the device
        let least = (device.threads() / pace.points.max(1.0)).min(1.0);
        let kernels = pace.seconds * own * (1.0 / own).max(least) + (own + 1.0) * self.launches as f64 * queued;
        let shared = 2.0 * bytes(&|_| true, behind) / rates.memory + count(&|_| true) * queued;
        // the last planes leave as far behind the last that enter as the last step is behind the first
        let link = passes * up.max(down) + up.min(down) * behind / planes;
        (all as f64 * kernels + passes * bands * shared).max(link) + (up + down) / own
    }
}

#[cfg(test)]
mod tests;
