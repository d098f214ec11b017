//! The access maps of the kernels of offloaded functions against what the reference interpreter sees touched: those of `tests/offload`.

#[path = "../../../../tests/common/footprint.rs"]
#[allow(dead_code, reason = "shared with tests that use more of it")]
mod footprint;

use super::convert;
use crate::interp::{Array, Datum, Elements, Event, Options, Scalar, run_watched};
use crate::ir::size::SymDef;
use crate::ir::{Class, Func, FuncId, Sym};
use crate::offload::compile;
use footprint::{Counts, Footprints};
use std::sync::Arc;
use syn::{File, Item, ItemFn};

/// The functions of a file that are offloaded: those with the attribute, and those in `both!`.
pub(super) fn offloaded(items: Vec<Item>, within: bool, found: &mut Vec<ItemFn>) {
    for item in items {
        match item {
            Item::Fn(function) => {
                let marked =
                    function.attrs.iter().any(|a| a.path().segments.last().is_some_and(|s| s.ident == "offload"));
                if within || marked {
                    found.push(function);
                }
            }
            Item::Macro(call) if call.mac.path.is_ident("both") => {
                let inner: File = syn::parse2(call.mac.tokens).expect("items");
                offloaded(inner.items, true, found);
            }
            Item::Mod(module) => offloaded(module.content.map_or_else(Vec::new, |(_, items)| items), within, found),
            _ => {}
        }
    }
}

/// Arguments whose sizes follow from a number.
fn arguments(func: &Func, seed: usize) -> Vec<Datum> {
    let size = |sym: Sym| match func.symbols.get(sym).def {
        // at first all alike, as some functions ask for
        SymDef::Dim(param, axis) if seed > 2 => 1 + ((seed * 7 + param * 5 + axis * 3) % 6) as i64,
        _ => 3 + seed as i64,
    };
    let argument = |param: &crate::ir::Param| {
        let ty = func.ty(param.value);
        if ty.is_scalar() {
            return Datum::Scalar(match ty.class {
                Class::Index => Scalar::Index(1 + (seed % 3) as i64),
                class => Elements::zeros(class, 1).and_then(|e| e.get(0)).expect("a number"),
            });
        }
        let dims: Vec<usize> = ty.dims.iter().map(|d| d.eval(&size).max(0) as usize).collect();
        let count = dims.iter().product();
        let elements = match ty.class {
            Class::Double => Elements::Double((0..count).map(|k| (k * 7 % 5) as f64 - 2.0).collect()),
            class => Elements::zeros(class, count).expect("numbers"),
        };
        Datum::Array(Arc::new(Array::new(dims, elements).expect("as many elements as the sizes say")))
    };
    func.params.iter().map(argument).collect()
}

#[test]
fn access_maps_are_what_kernels_touch() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/offload");
    let (mut functions, mut wrong, mut counts) = (Vec::new(), Vec::new(), Counts::default());
    for entry in std::fs::read_dir(folder).expect("the tests") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a text");
        offloaded(syn::parse_file(&text).expect("Rust").items, false, &mut functions);
    }
    assert!(functions.len() > 20, "{}", functions.len());
    for function in &functions {
        let (ast, converter) = convert(function);
        assert!(converter.problems.is_empty(), "{}", function.sig.ident);
        let module = compile(&ast).unwrap_or_else(|p| panic!("{}: {}", function.sig.ident, p[0])).module;
        let mut footprints = Footprints::of(&module);
        for seed in 0..8 {
            let arguments = arguments(&module.funcs[0], seed);
            let options = Options { max_touched: 100_000, ..Options::default() };
            let mut watch = |event: &Event<'_>| footprints.watch(&module, event);
            // A function may refuse sizes.
            let _ = run_watched(&module, FuncId::new(0), arguments, &options, &mut std::io::sink(), &mut watch);
        }
        wrong.extend(footprints.wrong);
        counts += footprints.counts;
    }
    assert!(wrong.is_empty(), "{} footprints are wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{} functions: {counts:?}", functions.len());
    assert!(counts.kernels > 50, "{counts:?}");
}
