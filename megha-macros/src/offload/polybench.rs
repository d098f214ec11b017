//! Which loops of PolyBench's nests (`benches/nests.rs`) run in parallel: structure, not time.

use super::convert;
use super::footprints::offloaded;
use megha_core::kernels::doall::{LoopReport, Outcome};
use megha_core::offload::compile;

/// For each function its loops, parted and ordered as they run: `i 0.1` is loop 1 of kernel 0, `k in 0` runs in order inside of
/// each of its iterations, `k alone` on the host. No loop is a reduction: sums keep their order. A loop that is split is there once for each part.
const EXPECTED: &[(&str, &str)] = &[
    ("gemm_ijk", "i 0.0, j 0.1, k in 0"),
    ("gemm_ikj", "i 0.0, j 0.1, k in 0"),
    ("gemm_jik", "j 0.0, i 0.1, k in 0"),
    ("gemm_jki", "j 0.0, i 0.1, k in 0"),
    ("gemm_kij", "i 0.0, j 0.1, k in 0"),
    ("gemm_kji", "j 0.0, i 0.1, k in 0"),
    ("gemm", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("k2mm", "i 0.0, j 0.1, k in 0, i 1.0, j 1.1, k in 1"),
    ("atax", "i 0.0, i 1.0, i 2.0, j in 2, j 3.0, i in 3"),
    ("bicg", "i 0.0, i 1.0, j 2.0, i in 2, i 3.0, j in 3"),
    ("gesummv", "i 0.0, j in 0"),
    ("mvt", "i 0.0, j in 0, i 1.0, j in 1"),
    ("symm", "j 0.0, i in 0, k in 0"),
    ("syrk", "i 0.0, j in 0, j in 0, k in 0"),
    ("syr2k", "i 0.0, j in 0, j in 0, k in 0"),
    ("trmm", "j 0.0, i in 0, k in 0"),
    ("covariance", "j 0.0, i in 0, i 1.0, j 1.1, i 2.0, j 2.1, k in 2"),
    ("correlation", "j 0.0, i in 0, j 1.0, i in 1, i 2.0, j 2.1, i 3.0, j in 3, k in 3"),
    ("doitgen", "r alone, q alone, p 0.0, s in 0, p 1.0"),
    (
        "floyd",
        "k alone, i 0.0, j 0.1, i 1.0, j 1.1, i 2.0, j 2.1, i 3.0, j in 3, i 4.0, j 4.1, i 5.0, j 5.1, i 6.0, j 6.1",
    ),
    ("lu", "i alone, j alone, k alone, j 0.0, k in 0"),
];

fn shown(report: &LoopReport) -> String {
    let name = report.variable.as_deref().unwrap_or("?");
    match &report.outcome {
        Outcome::Parallel { kernel, axis } => format!("{name} {kernel}.{axis}"),
        Outcome::InKernel { kernel, .. } => format!("{name} in {kernel}"),
        Outcome::Sequential(_) => format!("{name} alone"),
    }
}

#[test]
fn loops_of_polybench_are_parallel() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/nests.rs");
    let text = std::fs::read_to_string(path).expect("a text");
    let mut functions = Vec::new();
    offloaded(syn::parse_file(&text).expect("Rust").items, false, &mut functions);
    let found: Vec<(String, String)> = functions
        .iter()
        .map(|function| {
            let (ast, converter) = convert(function);
            assert!(converter.problems.is_empty(), "{}", function.sig.ident);
            let compiled = compile(&ast).unwrap_or_else(|p| panic!("{}: {}", function.sig.ident, p[0]));
            let loops: Vec<String> = compiled.log.loops[0].1.iter().map(shown).collect();
            (function.sig.ident.to_string(), loops.join(", "))
        })
        .collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(name, loops)| (&name[..], &loops[..])).collect();
    assert_eq!(found, EXPECTED);
}
