//! What the compiler makes of the programs: kernels, copies.

use super::common::golden::Golden;
use super::lowered::{kernels, lowered};
use super::octave::inputs;
use super::{PROGRAMS, Program, views};
use megha_base::plan::block::{Block, Task};
use megha_core::cpu::inline::Inlined;
use megha_core::cpu::{Export, Options, generate, storage};
use megha_core::ir::FuncId;
use megha_core::ir::verify::verify;

/// For each program its kernels, and those of them inside a sequential loop.
const KERNELS: [(&str, (usize, usize)); 6] = [
    ("bscholes", (1, 0)),
    // The edges, and in a step the sum with the product, which is a library's.
    ("clos", (2, 1)),
    // Twelve for the pulse; in a step one for each component of the field, since each reads what the one before it wrote.
    ("fdtd", (18, 6)),
    ("filter_bank", (1, 0)),
    ("matmul", (1, 0)),
    // In a step: the columns of the positions, the sums over all pairs (no n-by-n matrix is stored), the velocities column by
    // column, the positions.
    ("nb3d", (6, 6)),
];

#[test]
fn kernels_of_the_programs() {
    for (name, expected) in KERNELS {
        let outcome = lowered(Program::named(name));
        assert_eq!(kernels(&outcome.module.funcs[0].body), expected, "{name}:\n{}", outcome.module);
    }
}

/// A program that changes a parameter needs a copy of the caller's array; there are no others.
#[test]
fn only_changed_parameters_are_copied() {
    for program in &PROGRAMS {
        let outcome = lowered(program);
        let func = &outcome.module.funcs[0];
        let copies = storage::assign(func, &Inlined::of(func, &func.body), &Default::default()).array_copies();
        let changed = program.outputs.iter().filter(|name| program.inputs.contains(name)).count();
        assert_eq!(copies, changed, "{}", program.name);
    }
}

#[test]
fn bscholes_launches_one_kernel() {
    let program = Program::named("bscholes");
    for golden in Golden::all(program.name) {
        let inputs = inputs(program, &golden);
        let views = views(&inputs);
        (program.call)(&views).unwrap();
        let run = megha::last_run().unwrap();
        assert_eq!((run.function, run.kernels), ("bscholes", 1), "{}", golden.name);
        assert_eq!(run.points, inputs[0].len() as u64, "{}: options, though it checks them in chunks", golden.name);
    }
}

/// A block before a loop knows the loop's first block, and which of its arrays that goes on with.
#[test]
fn blocks_know_the_loops_behind_them() {
    let following = |name: &str| -> Vec<Option<(usize, usize)>> {
        let of = |block: &Block| block.following.as_ref().map(|next| (next.block, next.arrays.len()));
        blocks(Program::named(name)).iter().map(of).collect()
    };
    assert_eq!(following("clos"), [None, Some((0, 1))]);
    assert_eq!(following("bscholes"), [None]);
    assert_eq!(following("fdtd"), [None, Some((0, 6))]);
}

/// The blocks that a program gives to devices.
fn blocks(program: &Program) -> Vec<Block> {
    let outcome = lowered(program);
    let (func, name) = (FuncId::new(0), program.name.to_owned());
    let export = Export { func, name, visibility: String::new(), doc: String::new(), counts: Vec::new() };
    let device = Some(megha_core::ptx::device_code as megha_core::schedule::DeviceBackend);
    let schedules = megha_core::schedule::Schedules::of(&outcome.module);
    let options = Options { runtime: "::megha::rt", positions: &|_| None, device, schedules: &schedules };
    let code = generate(verify(&outcome.module).unwrap(), &[export], &options).unwrap();
    let device = code.lines().find(|line| line.contains("static DEVICE")).expect("texts for devices");
    // plans, blocks, PTX
    let text = device.split("\", \"").nth(1).expect("the second text").replace("\\n", "\n");
    Block::decode_all(&text).expect("a text of blocks")
}

/// Products are nodes of the blocks beside kernels: in a step of the closure there is one product and the kernel that takes it.
#[test]
fn products_and_kernels_share_blocks() {
    let tasks = |name: &str| -> Vec<Vec<Task>> {
        let blocks = blocks(Program::named(name));
        blocks.iter().map(|block| block.nodes.iter().map(|node| node.task).collect()).collect()
    };
    let [step, first] = &tasks("clos")[..] else { panic!("{:?}", tasks("clos")) };
    // how often the loop runs, which the host finds out, touches no array
    assert!(matches!(first[..], [Task::Kernel(_), Task::Host]), "{first:?}");
    assert!(matches!(step[..], [Task::Product(0), Task::Kernel(_)]), "{step:?}");
    // the definition's loops are one kernel
    assert_eq!(tasks("matmul"), [[Task::Kernel(0)]]);
}
