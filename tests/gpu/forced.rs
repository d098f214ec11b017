//! Kernels of many kinds under schedules at random, on few points and on several blocks: three for each, or as many as `MEGHA_FORCED` says.

use std::env;

use megha_base::cuts::Cuts;
use megha_core::interp::{Datum, Elements, Options, run_watched};
use megha_core::ir::parse::parse;
use megha_core::ir::{Class, FuncId, Module};
use megha_core::schedule::candidates::Nest;

use super::at_random::{Forced, Tried};
use super::model::kernels;
use super::small::array;

/// Numbers of elements along a dimension.
const SIZES: [usize; 9] = [1, 2, 3, 7, 16, 33, 40, 65, 70];

/// Arguments of these sizes, by the numbers of symbols.
pub fn arguments(module: &Module, sizes: &[usize]) -> Vec<Datum> {
    let func = &module.funcs[0];
    let argument = |(number, value)| {
        let ty = func.ty(value);
        let extent = |size: &megha_core::ir::Size| match size.as_constant() {
            Some(known) => known as usize,
            None => size.symbols().map(|sym| sizes[sym.index()]).sum(),
        };
        let dims: Vec<usize> = ty.dims.iter().map(extent).collect();
        let count: usize = dims.iter().product();
        let data = (0..count).map(|k: usize| ((k * 31 + number * 17) as f64 * 0.618).sin());
        let elements = match ty.class {
            Class::Single => Elements::Single(data.map(|x| x as f32).collect()),
            Class::UInt8 => Elements::UInt8(data.map(|x| (x * 100.0 + 120.0) as u8).collect()),
            _ => Elements::Double(data.collect()),
        };
        if ty.is_scalar() { Datum::Scalar(elements.get(0).unwrap()) } else { array(&dims, elements) }
    };
    func.params.iter().map(|param| param.value).enumerate().map(argument).collect()
}

#[test]
fn schedules_change_nothing() {
    let rounds = env::var("MEGHA_FORCED").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let (mut tried, mut wrong) = (Tried::default(), Vec::new());
    for (number, case) in kernels::all().into_iter().enumerate() {
        let module = parse(&case.text).unwrap_or_else(|e| panic!("{e}\n{}", case.text));
        for round in 0..rounds {
            let seed = round * 100 + number as u64;
            let mut forced = Forced::new(&module, seed).unwrap_or_else(|why| panic!("{}: {why}", case.name));
            let mut cuts = Cuts::new(seed);
            for _ in 0..2 {
                // the widest edges are four points
                let sizes = case.sizes[0].iter().map(|_| 4 + SIZES[cuts.below(SIZES.len() as u64) as usize]);
                let arguments = arguments(&module, &sizes.collect::<Vec<_>>());
                forced.call();
                let watch = &mut |event: &megha_core::interp::Event<'_>| forced.watch(event);
                run_watched(&module, FuncId::new(0), arguments, &Options::default(), &mut Vec::new(), watch)
                    .unwrap_or_else(|failure| panic!("{}: {failure}", case.name));
            }
            wrong.extend(forced.wrong.iter().map(|why| format!("{}: {why}", case.name)));
            tried = tried.and(forced.tried);
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    println!("{tried}");
    let kinds = [Nest::Points, Nest::Warps, Nest::Neighbours, Nest::Tiles, Nest::Turned, Nest::Halos];
    assert!(kinds.iter().all(|nest| tried.different(*nest) > 0), "{tried}");
}
