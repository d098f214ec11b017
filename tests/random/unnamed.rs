//! Random programs whose arguments have sizes of their own, `f64[:, :]` for `f64[n, n]`: what their statements want equal is tested when they run, and the
//! passes have one size for what a test has found equal. They make what they make with named sizes.

use super::call::{self, SIZES};
use super::processors::on_all_processors;
use super::{GOLDEN, checked, compile, simulated};

/// What differs in a program, or how many kernels ran on the device; `None` for one that needs the names.
fn check(number: usize) -> Option<Result<usize, String>> {
    let checked = &checked()[number];
    let program = &checked.program;
    let own = call::signature(program).replace("[n, ", "[:, ").replace("n]", ":]");
    let outcome = compile(program, &format!("% megha: {own}")).ok()?;
    let calls = |n| call::interpret(&outcome.lowered, program, n, &mut |_| {}).map_err(|failure| failure.to_string());
    let ran = match (calls(SIZES[0]), calls(SIZES[1])) {
        (Ok(few), Ok(many)) => [few, many],
        (Err(why), _) | (_, Err(why)) => return Some(Err(why)),
    };
    for (named, own) in checked.calls.iter().zip(&ran) {
        let (named, own) = (call::exact(named), call::exact(own));
        if named != own {
            return Some(Err(format!("with named sizes {named}\nwith sizes of their own {own}\n{}", program.text)));
        }
    }
    Some(simulated::check(&outcome, program, &ran))
}

#[test]
fn sizes_without_names_give_the_same() {
    let list: Vec<_> = on_all_processors(GOLDEN, check).into_iter().flatten().collect();
    let wrong: Vec<&String> = list.iter().filter_map(|ran| ran.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), list.len(), wrong[0]);
    let kernels: usize = list.iter().flatten().sum();
    assert!(list.len() > GOLDEN / 2 && kernels > GOLDEN, "{} programs, {kernels} kernels", list.len());
}
