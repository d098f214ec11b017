//! Which schedules keep the bits of a kernel's results.
//!
//! - The loops of the domain are independent: any order, any tiles, any places.
//! - A loop of the body is sequential: what it hands on, a sum in order above all, is its meaning. It may be cut into consecutive pieces, and
//!   may stand outside loops of the domain if it is the same at all points, but perhaps for the iteration in which each leaves it, which interleaves iterations that are
//!   independent. It is never reordered against another loop of the body, and nothing shares its iterations, but the terms of a sum may be
//!   computed by many threads and kept for the one that adds them up.
//! - Reduced loops are one loop, first axis fastest, and are shared in chunks of the fixed tree (`megha_base::tree`). Whether something holds for all iterations,
//!   or for any, has no order: on a device, where each that decides may say so, these are loops as the others.

use super::default::CHUNKS;
use super::levels::{Level, Place, Schedule, Staged, Target};
use super::lines::Lines;
use super::subject::Subject;

/// Adds what would change results.
pub(super) fn check(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    for level in &schedule.levels {
        let ids = &level.loops;
        let sequential = ids.iter().filter(|id| subject.axis(**id).is_none()).count();
        if sequential > 0 && ids.len() > 1 {
            wrong.push(format!("`{level}` holds a loop of the body, which counts with no other as one"));
        } else if sequential > 0 {
            body_loop((schedule, subject), level, wrong);
        }
        if !(subject.is_tested() && schedule.target == Target::Gpu) {
            reduced(level, subject, wrong);
        }
    }
    body_order(schedule, subject, wrong);
}

fn body_loop((schedule, subject): (&Schedule, &Subject<'_>), level: &Level, wrong: &mut Vec<String>) {
    let staged = schedule.stages.iter().any(|stage| stage.what == Staged::Terms);
    let has_terms = || staged && Lines::in_tiles(subject, schedule.memory).is_some();
    for place in &level.places {
        match place {
            Place::Thread(_) if has_terms() => {}
            place => wrong.push(format!("`{level}` is sequential: its iterations cannot be shared at `{place}`")),
        }
    }
    if level.jam > 1 {
        wrong.push(format!(
            "`{level}` is sequential: its iterations cannot be computed together, but written out by `unroll`"
        ));
    }
}

fn reduced(level: &Level, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    let Some(axes) = subject.reduced() else { return };
    if !level.loops.iter().any(|id| axes.contains(&id.0)) {
        return;
    }
    let long: Vec<_> =
        level.loops.iter().copied().filter(|id| subject.axis(*id).is_some_and(|a| subject.is_long(a))).collect();
    if !long.is_empty() && long != subject.reduced_ids() {
        wrong.push(format!("`{level}`: the loops that are reduced count as one, the first axis fastest"));
    }
    let shared = level.places.iter().find(|p| matches!(p, Place::Core | Place::Block(_)));
    if let Some(place) = shared.filter(|_| level.tile.is_none_or(|tile| tile % CHUNKS != 0)) {
        wrong.push(format!("`{level}` at `{place}`: partial results are those of chunks of {CHUNKS} elements"));
    }
}

/// Loops of the body keep their order, and stand outside of the domain's only where they may.
fn body_order(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    let is_of_domain = |level: &Level| level.loops.iter().all(|id| subject.axis(*id).is_some());
    for id in subject.body_ids() {
        let Some(body_loop) = subject.body_loop(id) else { continue };
        let levels = || (0..schedule.levels.len()).filter(|at| schedule.levels[*at].loops.contains(&id));
        let (Some(first), Some(last)) = (levels().next(), levels().next_back()) else { continue };
        if let Some(around) = body_loop.around
            && schedule.position(around) > Some(first)
        {
            wrong.push(format!("`{id}` is sequential and inside of `{around}` in the body, so it stands inside of it"));
        }
        let between =
            schedule.levels[first..last].iter().find(|level| !is_of_domain(level) && !level.loops.contains(&id));
        if let Some(other) = between {
            wrong.push(format!(
                "`{id}` is sequential: its tiles cannot stand around `{other}`, which its iterations are not made of"
            ));
        }
        let may = |id: &super::levels::LoopId| subject.axis(*id).is_some_and(|axis| body_loop.may_go_outside(axis));
        let around =
            schedule.levels[first + 1..].iter().find(|level| is_of_domain(level) && !level.loops.iter().all(may));
        if let Some(inner) = around {
            wrong.push(format!("`{id}` is not the same at all points, so it cannot stand outside of `{inner}`"));
        }
    }
    side_by_side(schedule, subject, wrong);
}

/// Loops of the body that are not inside of each other, and stand on the same side of the domain's loops, have the program's order.
fn side_by_side(schedule: &Schedule, subject: &Subject<'_>, wrong: &mut Vec<String>) {
    let innermost = schedule.levels.iter().rposition(|level| level.loops.iter().all(|id| subject.axis(*id).is_some()));
    for outside in [true, false] {
        let mut last = None;
        for id in subject.body_ids().filter(|id| (schedule.position(*id) < innermost) == outside) {
            let own = schedule.position(id);
            if own < last {
                wrong.push(format!("`{id}` is sequential and comes after the loops of the body in front of it"));
            }
            last = last.max(own);
        }
    }
}
