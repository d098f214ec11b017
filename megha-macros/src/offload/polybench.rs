//! Which loops of PolyBench's nests (`benches/nests.rs`) run in parallel: structure, not time.

use super::convert;
use super::footprints::offloaded;
use megha_core::ir::FuncId;
use megha_core::kernels::doall::{LoopReport, Outcome};
use megha_core::offload::compile;
use megha_core::schedule::{Memory, Schedules, Target};

/// For each function its loops, parted and ordered as they run: `i 0.1` is loop 1 of kernel 0, `k in 0` runs in order inside of
/// each of its iterations, `k alone` on the host, `k expanded` around kernels that become kernels
/// over it. No loop is a reduction: sums keep their order. A loop that is split is there once for each part.
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
    ("syrk", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("syr2k", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("trmm", "j 0.0, i in 0, k in 0"),
    ("covariance", "j 0.0, i in 0, i 1.0, j 1.1, i 2.0, j 2.1, k in 2"),
    ("correlation", "j 0.0, i in 0, j 1.0, i in 1, i 2.0, j 2.1, i 3.0, i 4.0, j 4.1, k in 4"),
    ("doitgen", "r expanded, q expanded, p 0.0, s in 0, p 1.0"),
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
        Outcome::Expanded => format!("{name} expanded"),
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

/// How kernels with loops in their bodies run, rows first: `name kernel: order; how the loops go through tiles`. Each has vectors, a few
/// iterations or points at a time, and nothing that is tested in each iteration.
const SCHEDULES: &str = "\
syrk 1: order j/32 i k j; sweep k points 8
trmm 0: order i/128 j k i; sweep j points 32
";

#[test]
fn loops_of_triangles_go_through_tiles() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/nests.rs");
    let text = std::fs::read_to_string(path).expect("a text");
    let mut functions = Vec::new();
    offloaded(syn::parse_file(&text).expect("Rust").items, false, &mut functions);
    let mut found = String::new();
    for (name, kernel) in [("syrk", 1), ("trmm", 0)] {
        let function = functions.iter().find(|f| f.sig.ident == name).expect("a function of this name");
        let compiled = compile(&convert(function).0).unwrap_or_else(|p| panic!("{name}: {}", p[0]));
        let schedules = Schedules::of(&compiled.module);
        let schedule = schedules.get((FuncId::new(0), kernel), Target::Cpu, Memory::RowMajor).expect("a schedule");
        let text = schedule.to_string();
        let line = |of: &str| text.lines().filter(|l| l.trim_start().starts_with(of)).collect::<Vec<_>>().join(", ");
        let words = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        found += &format!("{name} {kernel}: {}; {}\n", words(line("order")), words(line("sweep")));
    }
    assert_eq!(found, SCHEDULES);
}
