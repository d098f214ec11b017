//! How kernels run: their loops, the schedule for each target and order of memory, which loops around them run them band by band, and which of them run
//! strip by strip.

use super::names::Names;
use crate::cpu::bands::banded;
use crate::cpu::factors;
use crate::cpu::inline::Inlined;
use crate::cpu::storage;
use crate::cpu::strips::stripped;
use crate::hash::HashSet;
use crate::ir::{Func, FuncId, Module};
use crate::lower::SpanTable;
use crate::schedule::bands::{Bands, Slope, time_loops};
use crate::schedule::{LoopId, Memory, Schedules, Subject, Target, subjects};
use crate::source::SourceMap;

/// For each kernel of a module its loops and its schedules; numbered as in [`explain`](super::explain), by function.
pub fn schedules(module: &Module, table: &Schedules, sources: &SourceMap, spans: &SpanTable) -> String {
    let mut text = String::new();
    for (at, func) in module.funcs.iter().enumerate() {
        let names = Names::new(func, &[], sources, spans);
        for (number, subject) in subjects(func).iter().enumerate() {
            text += &format!("kernel {} of {}: {}\n", number + 1, func.name, loops(subject, &names));
            for (target, memory) in Target::ALL.into_iter().flat_map(|t| Memory::ALL.map(|m| (t, m))) {
                for schedule in table.all((FuncId::new(at), subject.kernel.id), target, memory) {
                    schedule.to_string().lines().for_each(|line| text += &format!("  {line}\n"));
                }
            }
        }
        text += &together(func, &names);
    }
    text
}

/// Which launches run in strips, and how those of loops run in bands, or why they do not, for both orders of memory.
fn together(func: &Func, names: &Names<'_>) -> String {
    let time_loops = time_loops(func);
    let storage = storage::assign(func, &Inlined::of(func, &func.body), &HashSet::default());
    let carried_out = banded(func, &storage);
    let mut text = String::new();
    for strips in stripped(func, &storage, (&carried_out, &factors::of(func, &storage))) {
        let list = |kernels: &[u32]| kernels.iter().map(|k| (k + 1).to_string()).collect::<Vec<_>>().join(", ");
        text +=
            &format!("kernels {} of {}\n  in strips of rows that they share\n", list(&strips.run.kernels), func.name);
    }
    for time_loop in &time_loops {
        let place = names.line(time_loop.stmt.loc).map_or_else(String::new, |line| format!(" in line {line}"));
        text += &format!("loop{place} of {}\n", func.name);
        let both = time_loop.bands.iter().zip(&time_loop.inside);
        for (memory, (found, inside)) in ["columns", "rows"].into_iter().zip(both) {
            let line = match found {
                Ok(found) if carried_out.contains_key(&time_loop.outermost()) => {
                    let inside = inside.as_ref().map_or_else(String::new, |inside| {
                        format!("; of large planes in bands of lines, {}", how_far(inside))
                    });
                    format!("in bands, {}{inside}", how_far(found))
                }
                Ok(_) => "not in bands, because a step makes states of an array other than by one kernel".to_owned(),
                Err(obstacle) => format!("not in bands, because {obstacle}"),
            };
            text += &format!("  {memory} first: {line}\n");
        }
    }
    text
}

/// `each step 1 behind the one before; in a step kernel 2 by 1`
fn how_far(bands: &Bands) -> String {
    let offsets = bands.launches.iter().filter(|launch| launch.offset > 0);
    let offsets: Vec<String> =
        offsets.map(|launch| format!("kernel {} by {}", launch.kernel + 1, launch.offset)).collect();
    let within = if offsets.is_empty() { String::new() } else { format!("; in a step {}", offsets.join(", ")) };
    let Slope::Rows(slope) = bands.slope else { return "which go through all steps apart".to_owned() };
    format!("each step {slope} behind the one before{within}")
}

/// `i below n, j below m; in each iteration k below p`
fn loops(subject: &Subject<'_>, names: &Names<'_>) -> String {
    let domain = subject.kernel.domain.iter().enumerate();
    let own: Vec<String> = domain.map(|(axis, size)| format!("{} below {}", LoopId(axis), names.size(size))).collect();
    let inner = subject.body_ids().zip(&subject.body_loops).map(|(id, inner)| match subject.maps.trips(inner.trip) {
        Some(size) => format!("{id} below {}", names.size(&size)),
        None => id.to_string(),
    });
    let inner: Vec<String> = inner.collect();
    let own = if own.is_empty() { "one point".to_owned() } else { own.join(", ") };
    if inner.is_empty() { own } else { format!("{own}; in each iteration {}", inner.join(", ")) }
}
