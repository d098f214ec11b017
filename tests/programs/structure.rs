//! What the compiler makes of the programs: kernels, copies.

use super::common::golden::Golden;
use super::lowered::{kernels, lowered};
use super::octave::inputs;
use super::{PROGRAMS, Program, views};
use megha_core::cpu::inline::Inlined;
use megha_core::cpu::storage;

/// For each program its kernels, and those of them inside a sequential loop.
const KERNELS: [(&str, (usize, usize)); 6] = [
    ("bscholes", (1, 0)),
    ("clos", (0, 0)),
    ("fdtd", (0, 6)),
    ("filter_bank", (0, 0)),
    ("matmul", (0, 0)),
    ("nb3d", (0, 0)),
];

#[test]
fn kernels_of_the_programs() {
    for (name, expected) in KERNELS {
        let outcome = lowered(Program::named(name));
        assert_eq!(kernels(&outcome.module.funcs[0].body), expected, "{name}:\n{}", outcome.module);
    }
}

#[test]
fn no_array_is_copied() {
    for program in &PROGRAMS {
        let outcome = lowered(program);
        let func = &outcome.module.funcs[0];
        let copies = storage::assign(func, &Inlined::of(func, &func.body)).array_copies();
        assert_eq!(copies, 0, "{}", program.name);
    }
}

#[test]
fn bscholes_launches_one_kernel() {
    let program = Program::named("bscholes");
    for golden in Golden::all(program.name) {
        let inputs = inputs(program, &golden);
        let views = views(&inputs);
        (program.call)(&views).unwrap();
        let run = megha::rt::last_run().unwrap();
        assert_eq!((run.function, run.kernels), ("bscholes", 1), "{}", golden.name);
    }
}
