//! An estimate of a thread's registers: the most values that live at once. `ptxas` allocates better or worse; this needs no toolkit.

use crate::hash::HashMap;

use super::dense::{Numbering, Set};
use super::inst::{Bank, Inst, Reg};

/// What a thread needs beyond its values: the program's own bookkeeping.
const OVERHEAD: u32 = 8;

/// A run of instructions that only the last one leaves and only the first one is reached at.
struct Block {
    /// The first instruction, and the one behind the last.
    range: (usize, usize),
    /// The blocks that may follow.
    next: Vec<usize>,
    /// What it reads before it defines it.
    reads: Set,
    /// What it defines.
    defines: Set,
}

/// The most 32-bit registers that live values fill.
pub fn registers(insts: &[Inst]) -> u32 {
    let numbers = Numbering::of(insts);
    let blocks = blocks(insts, &numbers);
    let ends = live_at_ends(&blocks, numbers.len);
    let mut words = vec![0; numbers.len];
    let mut note = |reg: Reg| words[numbers.at(reg)] = words_of(reg);
    insts.iter().for_each(|inst| inst.reads().into_iter().chain(inst.defines()).for_each(&mut note));
    let mut most = 0;
    for (block, mut live) in blocks.iter().zip(ends) {
        let mut filled: u32 = live.iter().map(|at| words[at]).sum();
        for inst in insts[block.range.0..block.range.1].iter().rev() {
            for at in inst.defines().into_iter().map(|reg| numbers.at(reg)) {
                filled -= if live.remove(at) { words[at] } else { 0 };
            }
            for at in inst.reads().into_iter().map(|reg| numbers.at(reg)) {
                filled += if live.insert(at) { words[at] } else { 0 };
            }
            most = most.max(filled);
        }
    }
    most + OVERHEAD
}

fn words_of(reg: Reg) -> u32 {
    match reg.bank {
        Bank::Pred => 0,
        Bank::B32 | Bank::F32 => 1,
        Bank::B64 | Bank::F64 => 2,
    }
}

/// The registers that live at the end of each block: the least solution of the equations of data flow, backwards.
fn live_at_ends(blocks: &[Block], limit: usize) -> Vec<Set> {
    let mut ends = vec![Set::new(limit); blocks.len()];
    loop {
        let mut changed = false;
        for n in (0..blocks.len()).rev() {
            let mut end = std::mem::replace(&mut ends[n], Set::new(0));
            for next in &blocks[n].next {
                changed |= end.add_but(&blocks[*next].reads, None);
                if *next == n {
                    continue;
                }
                changed |= end.add_but(&ends[*next], Some(&blocks[*next].defines));
            }
            ends[n] = end;
        }
        if !changed {
            return ends;
        }
    }
}

fn blocks(insts: &[Inst], numbers: &Numbering) -> Vec<Block> {
    let ranges = ranges(insts);
    let label = |inst: &Inst| if let Inst::Label(label) = inst { Some(label.0) } else { None };
    let starts: HashMap<u32, usize> =
        ranges.iter().enumerate().filter_map(|(n, range)| Some((label(&insts[range.0])?, n))).collect();
    let block = |(n, range): (usize, &(usize, usize))| {
        let (mut reads, mut defines) = (Set::new(numbers.len), Set::new(numbers.len));
        for inst in &insts[range.0..range.1] {
            for at in inst.reads().into_iter().map(|reg| numbers.at(reg)) {
                if !defines.contains(at) {
                    reads.insert(at);
                }
            }
            for reg in inst.defines() {
                defines.insert(numbers.at(reg));
            }
        }
        let last = &insts[range.1 - 1];
        let falls = !matches!(last, Inst::Return | Inst::Branch { cond: None, .. }) && n + 1 < ranges.len();
        let target = if let Inst::Branch { to, .. } = last { starts.get(&to.0).copied() } else { None };
        Block { range: *range, next: falls.then_some(n + 1).into_iter().chain(target).collect(), reads, defines }
    };
    ranges.iter().enumerate().map(block).collect()
}

/// Where the blocks begin and end.
fn ranges(insts: &[Inst]) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (n, inst) in insts.iter().enumerate() {
        if matches!(inst, Inst::Label(_)) && n > start {
            ranges.push((start, n));
            start = n;
        }
        if matches!(inst, Inst::Branch { .. } | Inst::Return) {
            ranges.push((start, n + 1));
            start = n + 1;
        }
    }
    if start < insts.len() {
        ranges.push((start, insts.len()));
    }
    ranges
}
