//! Random programs before and after the passes, and their kernels on the simulated device, in both memory orders; and what these touch.

use megha_core::driver::{self, Outcome};
use megha_core::interp::Event;
use megha_core::ir::Module;

use super::call::{self, Ran, SIZES};
use super::checked;
use super::device::Simulated;
use super::footprint::Footprints;
use super::generate::Program;

/// Calls a program after the passes; each of its kernels runs on the device too when it runs first. Gives how many did.
fn simulate(
    module: &Module,
    (device, footprints): (&Simulated, &mut Footprints),
    program: &Program,
    n: usize,
) -> Result<(Ran, usize), String> {
    let mut seen = vec![false; device.kernels()];
    let mut wrong = None;
    let mut watch = |event: &Event<'_>| {
        footprints.watch(module, event);
        let Event::Kernel(run) = event else { return };
        let plan = device.plan(module, run);
        if !std::mem::replace(&mut seen[plan], true) {
            wrong = wrong.take().or_else(|| device.compare(plan, run).err());
        }
    };
    let ran = call::interpret(module, program, n, &mut watch).map_err(|failure| failure.to_string())?;
    wrong = wrong.or_else(|| footprints.wrong.pop());
    match wrong {
        Some(why) => Err(why),
        None => Ok((ran, seen.iter().filter(|r| **r).count())),
    }
}

/// Calls a program, whose calls before the passes gave this; how many kernels ran on the device.
pub fn check(outcome: &Outcome, program: &Program, before: &[Ran]) -> Result<usize, String> {
    let ptx = driver::ptx(outcome).expect("PTX for a program without mistakes");
    if !ptx.refused.is_empty() {
        return Err(format!("kernels without PTX: {:?}", ptx.refused));
    }
    let device = Simulated::new(&ptx);
    let mut footprints = Footprints::new(ptx.kernels.clone());
    let mut kernels = 0;
    for (n, before) in SIZES.into_iter().zip(before) {
        let (after, ran) = simulate(&outcome.module, (&device, &mut footprints), program, n)
            .map_err(|why| format!("n is {n}: {why}"))?;
        let (before, after) = (call::exact(before), call::exact(&after));
        if after != before {
            return Err(format!("n is {n}: before the passes {before}\nafter them {after}"));
        }
        kernels += ran;
    }
    Ok(kernels)
}

#[test]
fn the_passes_and_the_simulated_device_change_nothing() {
    let mut kernels = 0;
    for checked in checked() {
        match &checked.device {
            Ok(ran) => kernels += ran,
            Err(why) => panic!("{}: {why}\n{}", checked.program.name, checked.program.text),
        }
    }
    assert!(kernels > 9 * checked().len(), "{kernels} kernels of {} programs", checked().len());
}
