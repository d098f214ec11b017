//! Work for the other units while the divider is busy.
//!
//! A division or a root occupies its unit as long as ten and more multiply-adds take the others. A loop over points with several of
//! them leaves the multipliers idle, and work of later loops that waits for nothing before, an `exp` of the inputs, costs nothing there.

use crate::hash::{HashMap, HashSet};

use super::body::Body;
use super::groups::{ANOTHER, CROSSING, Chain, Part};
use super::storage::{Item, Slot};
use crate::ir::{Binary, Mem, Op, Unary};
use crate::schedule::Fission;

/// How many multiply-adds of vectors a processor could do while it divides or takes roots: 9 to 32, by machine.
pub fn shadow(op: &Op) -> u32 {
    match op {
        Op::Binary(Binary::Div, ..) => 24,
        Op::Unary(Unary::Sqrt, _) => 30,
        _ => 0,
    }
}

/// A statement that may stand in another loop than the one where it is.
struct Moved<'a, 'f> {
    item: &'a Item<'f>,
    part: Part,
    /// The numbers of the slots that it touches.
    slots: Vec<usize>,
}

/// A loop over points.
type Loop<'a, 'f> = Vec<Moved<'a, 'f>>;

/// Moves statements into the shadows of earlier loops where that is cheaper, then joins loops that have become short.
pub fn fill<'a, 'f>(body: &Body<'f>, fission: Fission, loops: Vec<Vec<&'a Item<'f>>>) -> Vec<Vec<&'a Item<'f>>> {
    let mut numbers: HashMap<Slot, usize> = HashMap::default();
    let mut of = |item| {
        let part = Part::of(body, item);
        let mut slots = Vec::with_capacity(part.touched.len());
        for slot in &part.touched {
            let next = numbers.len();
            slots.push(*numbers.entry(*slot).or_insert(next));
        }
        Moved { item, part, slots }
    };
    let mut loops: Vec<Loop<'a, 'f>> =
        loops.into_iter().map(|items| items.into_iter().map(&mut of).collect()).collect();
    for at in 0..loops.len().saturating_sub(1) {
        fill_one(body, fission, &mut loops, (at, numbers.len()));
    }
    loops.retain(|items| !items.is_empty());
    let joined = join(fission, loops);
    joined.into_iter().map(|items| items.into_iter().map(|moved| moved.item).collect()).collect()
}

/// Moves those statements of later loops into one that make the whole cheapest: the first few of those that could go.
fn fill_one(body: &Body<'_>, fission: Fission, loops: &mut [Loop<'_, '_>], (at, slots): (usize, usize)) {
    let candidates = candidates(body, loops, at);
    let before = cost(loops, slots);
    let mut best = (before, 0);
    for count in 1..=candidates.len() {
        take(loops, at, &candidates[..count]);
        let now = cost(loops, slots);
        if now < best.0 && Chain::default().through(loops[at].iter().map(|m| &m.part)) <= fission.above {
            best = (now, count);
        }
        give_back(loops, at, &candidates[..count]);
    }
    take(loops, at, &candidates[..best.1]);
}

/// Where a statement is: the loop and its place in it.
type Place = (usize, usize);

/// Statements of later loops, in their order, that need nothing of loop `at` and what follows it: what waits for a division is no use
/// in its shadow.
fn candidates(body: &Body<'_>, loops: &[Loop<'_, '_>], at: usize) -> Vec<Place> {
    let mut room = i64::from(shadows(&loops[at])) - i64::from(operations(&loops[at]));
    if room <= 0 {
        return Vec::new();
    }
    let mut defined: HashMap<Slot, usize> = HashMap::default();
    for slot in loops.iter().flatten().flat_map(|m| &m.part.defines) {
        *defined.entry(*slot).or_default() += 1;
    }
    let mut known: HashSet<Slot> = loops[..at].iter().flatten().flat_map(|m| m.part.defines.iter().copied()).collect();
    let (mut found, mut stored) = (Vec::new(), false);
    for (number, items) in loops.iter().enumerate().skip(at + 1) {
        for (place, Moved { item, part, .. }) in items.iter().enumerate() {
            let Item::Stmt(stmt) = item else {
                stored = true;
                continue;
            };
            let once = |slot: &Slot| defined.get(slot).is_none_or(|count| *count == 1);
            let ready =
                |slot: &Slot| part.defines.contains(slot) || known.contains(slot) || !defined.contains_key(slot);
            let tied = stmt.op.has_effect() || (stored && loads(body, &stmt.op));
            let fits = part.shadow == 0 && part.operations as i64 <= room;
            if !tied && fits && part.touched.iter().all(|slot| once(slot) && ready(slot)) {
                known.extend(&part.defines);
                room -= part.operations as i64;
                found.push((number, place));
            }
            // What a reduction takes up is no memory that a load sees.
            stored |= stmt.op.has_effect() && !matches!(stmt.op, Op::Accumulate(..));
        }
    }
    found
}

/// Whether an operation, or what is written in place of its operands, reads memory.
fn loads(body: &Body<'_>, op: &Op) -> bool {
    let mut found = matches!(op, Op::Load(Mem::In(_) | Mem::Out(_), _) | Op::Index { .. });
    op.for_each_operand(&mut |v| found |= body.inlined.get(v).is_some_and(|inner| loads(body, inner)));
    found
}

/// Moves the statements at these places to the end of loop `at`.
fn take(loops: &mut [Loop<'_, '_>], at: usize, places: &[Place]) {
    let end = loops[at].len();
    for (number, place) in places.iter().rev() {
        let moved = loops[*number].remove(*place);
        loops[at].insert(end, moved);
    }
}

/// Undoes [`take`].
fn give_back(loops: &mut [Loop<'_, '_>], at: usize, places: &[Place]) {
    let end = loops[at].len() - places.len();
    for (number, place) in places {
        let moved = loops[at].remove(end);
        loops[*number].insert(*place, moved);
    }
}

fn shadows(items: &[Moved<'_, '_>]) -> u32 {
    items.iter().map(|m| m.part.shadow).sum()
}

fn operations(items: &[Moved<'_, '_>]) -> u32 {
    items.iter().map(|m| m.part.operations as u32).sum()
}

/// What the loops take, in operations: each the longer of its divisions and the rest, and the variables that it has from earlier ones.
fn cost(loops: &[Loop<'_, '_>], slots: usize) -> u32 {
    // For each slot 1 + the number of the last loop that touches it.
    let mut last = vec![0; slots];
    let mut sum = 0;
    for (number, items) in loops.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
        let mut handed = 0;
        for slot in items.iter().flat_map(|m| &m.slots) {
            if last[*slot] != number + 1 {
                handed += u32::from(last[*slot] != 0);
                last[*slot] = number + 1;
            }
        }
        sum += shadows(items).max(operations(items)) + ANOTHER + CROSSING * handed;
    }
    sum
}

/// A loop of so few operations costs more than the longer chain of one that holds them too.
const FEW: usize = 16;

/// Joins neighbouring loops where both together are short enough for one, or the second has few operations.
fn join<'a, 'f>(fission: Fission, loops: Vec<Loop<'a, 'f>>) -> Vec<Loop<'a, 'f>> {
    let mut joined: Vec<Loop<'a, 'f>> = Vec::new();
    for items in loops {
        if let Some(last) = joined.last_mut() {
            let chain = Chain::default().through(last.iter().chain(&items).map(|m| &m.part));
            let few = operations(&items) as usize <= FEW;
            let Fission { above, cycles, operations: size, .. } = fission;
            let (longest, most) = if few { (above, size as usize + FEW) } else { (cycles, size as usize) };
            if chain <= longest && (operations(last) + operations(&items)) as usize <= most {
                last.extend(items);
                continue;
            }
        }
        joined.push(items);
    }
    joined
}
