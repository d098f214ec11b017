//! Random programs whose kernels run under schedules at random: 40, or as many as `MEGHA_RANDOM_FORCED` says.

use std::env;

use megha_core::schedule::candidates::Nest;

use super::call;
use super::forced::{Forced, Tried};
use super::processors::on_all_processors;
use super::{compile_program, first_seed, generate};

/// What programs are called with: few points, and some for several blocks.
const SIZES: [usize; 2] = [5, 41];

/// The kernels of a program.
fn check(seed: u64) -> Result<Tried, String> {
    let program = generate::program(seed);
    let outcome = compile_program(&program, false)?;
    let mut forced = Forced::new(&outcome.module, seed).map_err(|why| format!("{why}\n{}", program.text))?;
    for n in SIZES {
        forced.call();
        // what the program itself comes to is checked elsewhere; some take too long with so many numbers
        let _ = call::interpret(&outcome.module, &program, n, &mut |event| forced.watch(event));
    }
    match forced.wrong.first() {
        Some(why) => Err(format!("{}: {why}\n{}", program.name, program.text)),
        None => Ok(forced.tried),
    }
}

#[test]
fn schedules_change_nothing() {
    let count = env::var("MEGHA_RANDOM_FORCED").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let done = on_all_processors(count, |number| check(first_seed() + number as u64));
    let wrong: Vec<&String> = done.iter().filter_map(|tried| tried.as_ref().err()).collect();
    let shown: Vec<&str> = wrong.iter().take(5).map(|why| why.as_str()).collect();
    assert!(wrong.is_empty(), "{} of {count} programs:\n{}", wrong.len(), shown.join("\n"));
    let tried = done.into_iter().flatten().fold(Tried::default(), Tried::and);
    println!("{count} programs: {tried}");
    assert!(tried.kernels > 5 * count, "{tried}");
    let kinds = [Nest::Points, Nest::Warps, Nest::Neighbours, Nest::Lines];
    assert!(kinds.iter().all(|nest| tried.different(*nest) > 0), "{tried}");
}
