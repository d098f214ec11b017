//! Removes instructions whose results nobody reads: what several subscripts share is computed before it is known who needs it.

use super::dense::Numbering;
use super::inst::Inst;

/// The instructions that have an effect or a reader. A register that is assigned more than once stays as a whole.
pub fn without(mut insts: Vec<Inst>) -> Vec<Inst> {
    let numbers = Numbering::of(&insts);
    let mut readers = vec![0; numbers.len];
    let mut definitions: Vec<Vec<usize>> = vec![Vec::new(); numbers.len];
    for (at, inst) in insts.iter().enumerate() {
        inst.for_each_read(&mut |reg| readers[numbers.at(reg)] += 1);
        inst.for_each_definition(&mut |reg| definitions[numbers.at(reg)].push(at));
    }
    let is_dead = |inst: &Inst, readers: &[usize]| {
        let moves = matches!(inst, Inst::ShuffleDown { .. });
        let (mut defines, mut is_read) = (false, false);
        inst.for_each_definition(&mut |reg| {
            defines = true;
            is_read |= readers[numbers.at(reg)] > 0;
        });
        defines && !moves && !is_read
    };
    let mut dead = vec![false; insts.len()];
    let mut list: Vec<usize> = (0..insts.len()).filter(|at| is_dead(&insts[*at], &readers)).collect();
    while let Some(at) = list.pop() {
        if std::mem::replace(&mut dead[at], true) {
            continue;
        }
        insts[at].for_each_read(&mut |reg| {
            let number = numbers.at(reg);
            readers[number] -= 1;
            if readers[number] == 0 {
                list.extend(definitions[number].iter().filter(|at| is_dead(&insts[**at], &readers)));
            }
        });
    }
    let mut at = 0;
    insts.retain(|_| {
        at += 1;
        !dead[at - 1]
    });
    insts
}
