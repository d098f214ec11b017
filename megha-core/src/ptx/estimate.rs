//! An estimate of a thread's registers: the most values that live at once. `ptxas` allocates better or worse; this needs no toolkit.

use std::collections::{HashMap, HashSet};

use super::inst::{Bank, Inst, Reg};

/// What a thread needs beyond its values: the program's own bookkeeping.
const OVERHEAD: u32 = 8;

/// The most 32-bit registers that live values fill.
pub fn registers(insts: &[Inst]) -> u32 {
    let blocks = blocks(insts);
    let starts: HashMap<u32, usize> =
        blocks.iter().enumerate().filter_map(|(n, b)| Some((label(&insts[b.0])?, n))).collect();
    let mut live_in: Vec<HashSet<Reg>> = vec![HashSet::new(); blocks.len()];
    loop {
        let mut changed = false;
        for n in (0..blocks.len()).rev() {
            let mut live = live_out(insts, &blocks, &starts, &live_in, n);
            insts[blocks[n].0..blocks[n].1].iter().rev().for_each(|inst| step(inst, &mut live));
            if live != live_in[n] {
                live_in[n] = live;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut most = 0;
    for n in 0..blocks.len() {
        let mut live = live_out(insts, &blocks, &starts, &live_in, n);
        for inst in insts[blocks[n].0..blocks[n].1].iter().rev() {
            step(inst, &mut live);
            most = most.max(live.iter().map(|r| words(*r)).sum());
        }
    }
    most + OVERHEAD
}

fn words(reg: Reg) -> u32 {
    match reg.bank {
        Bank::Pred => 0,
        Bank::B32 | Bank::F32 => 1,
        Bank::B64 | Bank::F64 => 2,
    }
}

fn label(inst: &Inst) -> Option<u32> {
    if let Inst::Label(label) = inst { Some(label.0) } else { None }
}

/// Backwards over an instruction.
fn step(inst: &Inst, live: &mut HashSet<Reg>) {
    for defined in inst.defines() {
        live.remove(&defined);
    }
    live.extend(inst.reads());
}

/// Runs of instructions that only the last one leaves and only the first one is reached at.
fn blocks(insts: &[Inst]) -> Vec<(usize, usize)> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for (n, inst) in insts.iter().enumerate() {
        if matches!(inst, Inst::Label(_)) && n > start {
            blocks.push((start, n));
            start = n;
        }
        if matches!(inst, Inst::Branch { .. } | Inst::Return) {
            blocks.push((start, n + 1));
            start = n + 1;
        }
    }
    if start < insts.len() {
        blocks.push((start, insts.len()));
    }
    blocks
}

/// What lives behind a block.
fn live_out(
    insts: &[Inst],
    blocks: &[(usize, usize)],
    starts: &HashMap<u32, usize>,
    live_in: &[HashSet<Reg>],
    n: usize,
) -> HashSet<Reg> {
    let last = &insts[blocks[n].1 - 1];
    let falls = !matches!(last, Inst::Return | Inst::Branch { cond: None, .. });
    let mut out = if falls { live_in.get(n + 1).cloned().unwrap_or_default() } else { HashSet::new() };
    if let Inst::Branch { to, .. } = last
        && let Some(target) = starts.get(&to.0)
    {
        out.extend(&live_in[*target]);
    }
    out
}
