//! Whether a schedule is one of a kernel, and whether it keeps the bits.
//!
//! Here: that every loop stands in the nest once, tiles around what they cut, and every place where it exists. In `legal.rs`: that the
//! order of operations whose order is their meaning stays. Neither asks what a back end can do; each says itself what it does not carry out.

use super::cost::Form;
use super::legal;
use super::levels::{Level, LoopId, Place, Schedule, Space, Staged, Sweep, Target};
use super::subject::{Subject, has_checks};
use crate::ir::Mem;
use crate::kernels::old_state::OldState;

/// Checks a schedule of a kernel.
///
/// # Errors
/// Everything that is wrong with it, in words.
pub fn verify(schedule: &Schedule, subject: &Subject<'_>) -> Result<(), Vec<String>> {
    let mut wrong = Vec::new();
    loops(schedule, subject, &mut wrong);
    if wrong.is_empty() {
        tiles(schedule, &mut wrong);
        places(schedule, &mut wrong);
        sweeps(schedule, subject, &mut wrong);
        extras(schedule, subject, &mut wrong);
        legal::check(schedule, subject, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Each loop of the kernel is there once.
fn loops(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    let count = subject.depth() + subject.body_loops.len();
    for id in schedule.levels.iter().flat_map(|level| &level.loops).filter(|id| id.0 >= count) {
        wrong.push(format!("the kernel has no loop `{id}`: it has {count}"));
    }
    for id in (0..count).map(LoopId) {
        let own = schedule.levels.iter().filter(|level| level.tile.is_none());
        let times = own.flat_map(|level| &level.loops).filter(|l| **l == id).count();
        let may_miss = subject.axis(id).is_some_and(|axis| !subject.is_long(axis));
        match times {
            0 if may_miss => {}
            0 => wrong.push(format!("the loop `{id}` is missing from the order")),
            1 => {}
            _ => wrong.push(format!("the loop `{id}` stands in the order {times} times")),
        }
    }
    if schedule.levels.is_empty() || schedule.levels.iter().any(|level| level.loops.is_empty()) {
        wrong.push("the order, or a level of it, is empty".into());
    }
}

/// Loops over tiles stand around the loops that they cut, and larger tiles are made of whole smaller ones.
fn tiles(schedule: &Schedule, wrong: &mut Vec<String>) {
    for (at, level) in schedule.levels.iter().enumerate() {
        let Some(tile) = level.tile else { continue };
        let inner = schedule.levels[at + 1..].iter().find(|inner| inner.loops == level.loops);
        match inner {
            None => wrong.push(format!("inside of `{level}` there is no loop that it cuts")),
            Some(Level { tile: Some(smaller), .. }) if !tile.is_multiple_of(*smaller) || tile == *smaller => {
                wrong.push(format!("tiles of {tile} are not made of whole tiles of {smaller}"));
            }
            Some(_) => {}
        }
    }
}

/// Places are the target's, and one loop has each.
fn places(schedule: &Schedule, wrong: &mut Vec<String>) {
    for place in Place::ALL {
        let at: Vec<&Level> = schedule.levels.iter().filter(|level| level.is_at(place)).collect();
        if !at.is_empty() && place.target() != schedule.target {
            wrong.push(format!("`{}` is at `{place}`, which a {} does not have", at[0], schedule.target));
        }
        if at.len() > 1 && place != Place::Core {
            wrong.push(format!("`{}` and `{}` are both at `{place}`", at[0], at[1]));
        }
    }
    let outermost = schedule.levels.iter().take_while(|level| level.is_at(Place::Core)).count();
    if let Some(level) = schedule.levels[outermost..].iter().find(|level| level.is_at(Place::Core)) {
        wrong.push(format!("`{level}` is at `core`, but a loop around it is not"));
    }
    if let Some(tiled) = schedule.levels.iter().find(|l| l.tile.is_some() && l.is_at(Place::Vector)) {
        wrong.push(format!("`{tiled}` goes over tiles; along vectors go the iterations of one"));
    }
    if schedule.target == Target::Cpu && schedule.level_at(Place::Vector).is_none() {
        wrong.push("no loop is at `vector`".into());
    }
}

/// Sweeps are of loops that stand directly in the body, around the loop along vectors.
fn sweeps(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    if !schedule.sweeps.is_empty() && schedule.target != Target::Cpu {
        wrong.push("`sweep` is for loops along vectors".into());
    }
    let vector = schedule.level_at(Place::Vector);
    for (at, Sweep { of, form }) in schedule.sweeps.iter().enumerate() {
        if subject.direct_loop(*of).is_none() {
            wrong.push(format!("`{of}` does not stand directly in the kernel's body, so it goes through no tiles"));
        } else if schedule.position(*of) > vector {
            wrong.push(format!("`{of}` stands inside of the loop along vectors, so it goes through no tiles"));
        }
        if schedule.sweeps[..at].iter().any(|sweep| sweep.of == *of) {
            wrong.push(format!("how `{of}` goes through tiles is said twice"));
        }
        if matches!(form, Form::Points(0) | Form::Steps(0)) {
            wrong.push(format!("`{of}` goes through tiles with a count of 0"));
        }
    }
}

fn is_written(subject: &Subject<'_>, array: Mem) -> bool {
    match array {
        Mem::Out(_) => true,
        Mem::In(value) => !subject.is_constant(value) && !OldState::new(subject.func).is_read(subject.kernel, value),
    }
}

/// What is kept nearer, and what is only for some kernels.
fn extras(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    let arrays = subject.arrays();
    for stage in &schedule.stages {
        match stage.what {
            Staged::Array(number) if number >= arrays.len() => {
                wrong.push(format!("the kernel has no array {number}: it has {}", arrays.len()));
            }
            Staged::Array(number) if is_written(subject, arrays[number]) => {
                wrong.push(format!("the kernel writes array {number}, and in `{}` are copies", stage.space));
            }
            Staged::Array(_) | Staged::Terms => {}
        }
        if stage.space == Space::Cache && (schedule.target != Target::Cpu || stage.what == Staged::Terms) {
            wrong.push("in `cache` are arrays, packed for the cores of a processor".into());
        }
        if stage.level >= schedule.levels.len() {
            wrong.push(format!("{} are kept at a loop that is not there", stage.what));
        }
    }
    for level in schedule.levels.iter().filter(|l| l.jam == 0 || l.unroll == 0 || l.tile == Some(0)) {
        wrong.push(format!("`{level}` has a count of 0"));
    }
    if schedule.fission.is_some() && schedule.target != Target::Cpu {
        wrong.push("`fission` is for loops along vectors".into());
    }
    if schedule.fission.is_some() && has_checks(&subject.kernel.body) {
        wrong.push("an iteration that fails ends there and then, so its parts cannot run one after the other".into());
    }
    let combines = schedule.target == Target::Gpu && subject.reduced().is_some() && !subject.is_tested();
    if schedule.combine.is_some() != combines {
        wrong.push("`combine` stands in schedules of reductions on a device, and in all of them".into());
    }
    if schedule.combine == Some(0) {
        wrong.push("no partial results are combined at once".into());
    }
}
