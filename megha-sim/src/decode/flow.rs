//! Where diverged threads meet again: the immediate post-dominator of each branch.
//!
//! Basic blocks, then the immediate dominators of the reversed control-flow graph by the iteration of Cooper, Harvey and Kennedy (*A Simple,
//! Fast Dominance Algorithm*). A guarded `exit` or `ret` only takes its threads away, so it is no edge to the end.

use crate::form::{Inst, NEVER, Op, Pc, Pred};

/// Sets [`Op::Branch::meet`] of all branches that can diverge.
pub(super) fn set_meeting_points(code: &mut [Inst]) {
    let graph = Graph::of(code);
    let post = graph.post_dominators();
    for (at, inst) in code.iter_mut().enumerate() {
        let guarded = inst.guard != Pred::TRUE;
        if let Op::Branch { meet, .. } = &mut inst.op
            && guarded
        {
            let block = graph.block_of[at];
            *meet = match post[block] {
                Some(meeting) if meeting < graph.starts.len() => graph.starts[meeting],
                _ => NEVER,
            };
        }
    }
}

struct Graph {
    /// The first instruction of each basic block.
    starts: Vec<Pc>,
    block_of: Vec<usize>,
    /// Successors; the block number `starts.len()` is the end of the function.
    successors: Vec<Vec<usize>>,
}

/// Whether control does not simply go on after the instruction.
fn ends_block(inst: &Inst) -> bool {
    matches!(inst.op, Op::Branch { .. }) || leaves(inst)
}

/// Whether all threads leave here.
fn leaves(inst: &Inst) -> bool {
    inst.guard == Pred::TRUE && matches!(inst.op, Op::Return | Op::Exit | Op::Trap)
}

impl Graph {
    fn of(code: &[Inst]) -> Graph {
        let mut first = vec![false; code.len() + 1];
        first[0] = true;
        for (at, inst) in code.iter().enumerate() {
            if let Op::Branch { target, .. } = inst.op {
                first[target as usize] = true;
            }
            first[at + 1] |= ends_block(inst);
        }
        let starts: Vec<Pc> = (0..code.len()).filter(|at| first[*at]).map(|at| at as Pc).collect();
        let mut block_of = vec![0; code.len()];
        let mut block = 0;
        for at in 0..code.len() {
            block += usize::from(at > 0 && first[at]);
            block_of[at] = block;
        }
        let end = starts.len();
        let successors = (0..end).map(|block| {
            let last = starts.get(block + 1).map_or(code.len(), |next| *next as usize) - 1;
            match &code[last] {
                inst if leaves(inst) => vec![end],
                Inst { guard, op: Op::Branch { target, .. } } => {
                    let mut to = vec![block_of[*target as usize]];
                    if *guard != Pred::TRUE {
                        to.push(block + 1);
                    }
                    to
                }
                _ => vec![block + 1],
            }
        });
        Graph { successors: successors.collect(), starts, block_of }
    }

    /// The immediate post-dominator of each block; none where no path reaches the end.
    fn post_dominators(&self) -> Vec<Option<usize>> {
        let end = self.starts.len();
        let order = self.reversed_postorder();
        let mut rank = vec![usize::MAX; end + 1];
        for (place, block) in order.iter().enumerate() {
            rank[*block] = place;
        }
        let mut post = vec![None; end + 1];
        post[end] = Some(end);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order[1..] {
                let mut found: Option<usize> = None;
                for &next in &self.successors[block] {
                    if post[next].is_some() {
                        found = Some(found.map_or(next, |other| common(&post, &rank, next, other)));
                    }
                }
                changed |= post[block] != found;
                post[block] = found;
            }
        }
        post.truncate(end);
        post
    }

    /// The blocks from the end backwards, each before those that only lead to it.
    fn reversed_postorder(&self) -> Vec<usize> {
        let end = self.starts.len();
        let mut predecessors = vec![Vec::new(); end + 1];
        for (block, successors) in self.successors.iter().enumerate() {
            for &next in successors {
                predecessors[next].push(block);
            }
        }
        let mut seen = vec![false; end + 1];
        seen[end] = true;
        let (mut order, mut stack) = (Vec::new(), vec![(end, 0)]);
        while let Some((block, next)) = stack.last_mut() {
            match predecessors[*block].get(*next) {
                Some(&before) => {
                    *next += 1;
                    if !seen[before] {
                        seen[before] = true;
                        stack.push((before, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

/// The nearest block that post-dominates both.
fn common(post: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] > rank[b] {
            a = post[a].expect("ranked blocks that were processed have one");
        }
        while rank[b] > rank[a] {
            b = post[b].expect("ranked blocks that were processed have one");
        }
    }
    a
}
