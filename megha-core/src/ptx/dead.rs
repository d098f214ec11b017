//! Removes instructions whose results nobody reads: what several subscripts share is computed before it is known who needs it.

use std::collections::HashSet;

use super::inst::{Inst, Reg};

/// The instructions that have an effect or a reader. A register that is assigned more than once stays as a whole.
pub fn without(mut insts: Vec<Inst>) -> Vec<Inst> {
    loop {
        let read: HashSet<Reg> = insts.iter().flat_map(Inst::reads).collect();
        let before = insts.len();
        insts.retain(|inst| {
            let defined = inst.defines();
            defined.is_empty() || matches!(inst, Inst::ShuffleDown { .. }) || defined.iter().any(|r| read.contains(r))
        });
        if insts.len() == before {
            return insts;
        }
    }
}
