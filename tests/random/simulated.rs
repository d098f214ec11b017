//! Random programs before and after the passes, and their kernels on the simulated device, in both memory orders.

use megha_core::driver;
use megha_core::interp::{Datum, KernelRun, Order};
use megha_core::ir::Module;

use super::device::Simulated;
use super::{SIZES, generate, inputs, interpret, program, reference};

/// The programs that are run.
const RUN: std::ops::Range<u64> = 0..2000;

/// Runs a module; each of its kernels runs on the device too when it runs first. Gives the results, and how many kernels ran there.
fn simulate(module: &Module, device: &Simulated, n: usize) -> Result<(Vec<Datum>, usize), String> {
    let mut ran = vec![false; device.kernels()];
    let mut wrong = None;
    let mut watch = |run: &KernelRun<'_>| {
        let plan = device.plan(module, run);
        if !std::mem::replace(&mut ran[plan], true) {
            wrong = wrong.take().or_else(|| device.compare(plan, run).err());
        }
    };
    let inputs = inputs(n);
    let inputs = inputs.each_ref().map(|a| a.view());
    let results = reference::interpret_watched(module, &inputs, Order::Forward, &mut Vec::new(), &mut watch);
    match wrong {
        Some(why) => Err(why),
        None => results.map(|list| (list, ran.iter().filter(|r| **r).count())).map_err(|failure| failure.to_string()),
    }
}

/// Checks a program; how many kernels ran on the device.
fn check(seed: u64) -> usize {
    let outcome = program(seed);
    let ptx = driver::ptx(&outcome).expect("PTX for a program without mistakes");
    assert_eq!(ptx.refused, [], "{}", generate::program(seed).text);
    let device = Simulated::new(&ptx);
    let check = |n: usize| {
        let before = interpret(&outcome.lowered, n);
        let after = simulate(&outcome.module, &device, n);
        let results = after.as_ref().map(|(list, _)| list).map_err(Clone::clone);
        assert_eq!(before.as_ref().map_err(Clone::clone), results, "p{seed} of {n}\n{}", generate::program(seed).text);
        assert!(before.is_ok(), "p{seed} of {n}: {before:?}\n{}", generate::program(seed).text);
        after.map_or(0, |(_, ran)| ran)
    };
    SIZES.into_iter().map(check).sum()
}

#[test]
fn the_passes_and_the_simulated_device_change_nothing() {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let ran: usize = std::thread::scope(|scope| {
        let share = |first| scope.spawn(move || RUN.skip(first).step_by(count).map(check).sum::<usize>());
        let threads: Vec<_> = (0..count).map(share).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|why| std::panic::resume_unwind(why))).sum()
    });
    assert!(ran > 18_000, "{ran}");
}
