//! Random nests whose kernels run under schedules at random: 20, or as many as `MEGHA_LOOPS_FORCED` says.

use megha_core::interp::{self, Options};
use megha_core::ir::FuncId;
use megha_core::offload;

use super::checked::{datum, holds};
use super::forced::{Forced, Tried};
use super::generate::{MOST_STEPS, Program};
use super::processors::on_all_processors;
use super::{call, count, first};

/// Sizes of the calls: few points, and some for several blocks.
const SIZES: [usize; 2] = [5, 37];

/// One of the kinds of nests.
fn program(seed: u64) -> Program {
    let kinds = [Program::new, Program::gathered, Program::strided, Program::updates, Program::worked];
    kinds[(seed % kinds.len() as u64) as usize](seed)
}

/// The kernels of a nest.
fn check(seed: u64) -> Result<Tried, String> {
    let program = program(seed);
    let wrong = |what: &str| format!("seed {seed}: {what}\n{}", program.text());
    let compiled = offload::compile(&program.function).map_err(|problems| wrong(&problems[0].to_string()))?;
    let mut forced = Forced::new(&compiled.module, seed).map_err(|why| wrong(&why))?;
    for n in SIZES {
        let arguments = call::arguments(&program, n, &[]);
        if !holds(&compiled.entry, &compiled.module.funcs[0], &arguments) {
            continue;
        }
        let options = Options { max_steps: 100 * MOST_STEPS, ..Options::default() };
        let arguments = arguments.iter().map(datum).collect();
        forced.call();
        // what the nest itself comes to is checked elsewhere
        let watch = &mut |event: &interp::Event<'_>| forced.watch(event);
        let _ = interp::run_watched(&compiled.module, FuncId::new(0), arguments, &options, &mut Vec::new(), watch);
    }
    match forced.wrong.first() {
        Some(why) => Err(wrong(why)),
        None => Ok(forced.tried),
    }
}

#[test]
fn schedules_change_nothing() {
    let nests = count("MEGHA_LOOPS_FORCED", 20);
    let done = on_all_processors(nests, |number| check((first() + number) as u64));
    let wrong: Vec<&String> = done.iter().filter_map(|tried| tried.as_ref().err()).collect();
    let shown: Vec<&str> = wrong.iter().take(5).map(|why| why.as_str()).collect();
    assert!(wrong.is_empty(), "{} of {nests} nests:\n{}", wrong.len(), shown.join("\n"));
    let tried = done.into_iter().flatten().fold(Tried::default(), Tried::and);
    println!("{nests} nests: {tried}");
    assert!(tried.kernels > nests / 2, "{tried}");
}
