//! Which loops run in parallel of PolyBench's nests (`benches/nests.rs`, `tests/polybench`) and of the kernels of the papers (`examples/offload`): structure, not
//! time.

use super::convert;
use super::footprints::offloaded;
use crate::ir::{FuncId, Op};
use crate::kernels::doall::{LoopReport, Outcome};
use crate::offload::compile;
use crate::schedule::{Memory, Schedules, Target};
use proc_macro2::{TokenStream, TokenTree};
use syn::{Item, ItemFn};

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
    ("symm", "i 0.0, j 0.1, k in 0, k 1.0, j 1.1, i in 1"),
    ("syrk", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("syr2k", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("trmm", "i 0.0, j 0.1, k in 0"),
    ("covariance", "j 0.0, i in 0, i 1.0, j 1.1, i 2.0, j 2.1, k in 2"),
    ("correlation", "j 0.0, i in 0, j 1.0, i in 1, i 2.0, j 2.1, i 3.0, i 4.0, j 4.1, k in 4"),
    ("doitgen", "r expanded, q expanded, p 0.0, s in 0, p 1.0"),
    ("lower", "i 0.0, j 0.1, k in 0"),
    (
        "floyd",
        "k alone, i 0.0, j 0.1, i 1.0, j 1.1, i 2.0, j 2.1, i 3.0, j in 3, i 4.0, j 4.1, i 5.0, j 5.1, i 6.0, j 6.1",
    ),
    ("lu", "k alone, i 0.0, i 1.0, j 1.1"),
];

/// The same of the papers' kernels.
const PAPERS: &[(&str, &str)] = &[
    ("cp", "j 0.0, i 0.1, n in 0"),
    ("distances", "i 0.0, j in 0"),
    ("fdtd", "t alone, j 0.0, i 1.0, j 1.1, i 2.0, j 2.1, i 3.0, j 3.1"),
    ("gravity", "? alone, i 0.0, j in 0, i 1.0, c 1.1"),
    ("hotspot", "? alone, i 0.0, j 0.1, i 1.0, j 1.1"),
    ("mri_fhd", "s 0.0, v 1.0, s in 1"),
    ("mri_q", "s 0.0, v 1.0, s in 1"),
    ("mv", "i 0.0, j in 0"),
    ("mvt", "i 0.0, j in 0, i 1.0, j in 1"),
    ("product", "i 0.0, j 0.1, k in 0"),
    ("rank_2k", "i 0.0, j 0.1, k in 0"),
    ("rank_k", "i 0.0, j 0.1, k in 0"),
    ("reduction", "i 0.0, i alone"),
    ("stencil", "i 0.0, j 0.1"),
    ("tmv", "i 0.0, j in 0"),
    ("two_products", "i 0.0, j 0.1, k in 0, i 1.0, j 1.1, k in 1"),
];

/// The same of all thirty of PolyBench's kernels (`tests/polybench`).
const NATURAL: &[(&str, &str)] = &[
    ("gemm", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("gemver", "i 0.0, j 0.1, i 1.0, j in 1, i 2.0, i 3.0, j in 3"),
    ("gesummv", "i 0.0, j in 0"),
    ("symm", "i 0.0, j 0.1, k in 0, k 1.0, j 1.1, i in 1"),
    ("syr2k", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("syrk", "i 0.0, j 0.1, i 1.0, j 1.1, k in 1"),
    ("trmm", "i 0.0, j 0.1, k in 0"),
    ("correlation", "j 0.0, i in 0, j 1.0, i in 1, i 2.0, j 2.1, i 3.0, i 4.0, j 4.1, k in 4"),
    ("covariance", "j 0.0, i in 0, i 1.0, j 1.1, i 2.0, j 2.1, k in 2"),
    ("two_products", "i 0.0, j 0.1, k in 0, i 1.0, j 1.1, k in 1"),
    ("three_products", "i 0.0, j 0.1, k in 0, i 1.0, j 1.1, k in 1, i 2.0, j 2.1, k in 2"),
    ("atax", "i 0.0, i 1.0, i 2.0, j in 2, j 3.0, i in 3"),
    ("bicg", "i 0.0, i 1.0, j 2.0, i in 2, i 3.0, j in 3"),
    ("doitgen", "r expanded, q expanded, p 0.0, s in 0, p 1.0"),
    ("mvt", "i 0.0, j in 0, i 1.0, j in 1"),
    ("deriche", "i 0.0, j in 0, i 1.0, j in 1, i 2.0, j 2.1, j 3.0, i in 3, j 4.0, i in 4, i 5.0, j 5.1"),
    (
        "floyd_warshall",
        "k alone, i 0.0, j 0.1, i 1.0, j 1.1, i 2.0, j 2.1, i 3.0, j in 3, i 4.0, j 4.1, i 5.0, j 5.1, i 6.0, j 6.1",
    ),
    ("nussinov", "i alone, j 0.0, j 1.0, k alone, j 2.0"),
    ("cholesky", "j alone, i 2.0, k in 2, i 3.0, i 4.0, j alone, i 5.0, k in 5, i 6.0, i 7.0"),
    ("durbin", "k alone, i alone, i 0.0, i 1.0"),
    ("gramschmidt", "k 0.0, j 0.1, k alone, i alone, i 1.0, j 2.0, i in 2, j 3.0, i 3.1"),
    ("lu", "k alone, i 0.0, i 1.0, j 1.1"),
    ("ludcmp", "k alone, i 0.0, i 1.0, j 1.1, i by 8 behind 0, j alone, i alone, j alone"),
    ("trisolv", "i 0.0, i by 8 behind 0, j alone"),
    ("adi", "_t alone, i 0.0, j in 0, j in 0, i 1.0, j in 1, j in 1"),
    ("fdtd_2d", "t alone, j 0.0, i 1.0, j 1.1, i 2.0, j 2.1, i 3.0, j 3.1"),
    ("heat_3d", "? alone, i 0.0, j 0.1, k 0.2, i 1.0, j 1.1, k 1.2"),
    ("jacobi_1d", "? alone, i 0.0, i 1.0"),
    ("jacobi_2d", "? alone, i 0.0, j 0.1, i 1.0, j 1.1"),
    ("seidel_2d", "_t alone, i by 6 behind 2 in strips, j alone"),
];

/// The same of eliminations that look left (`tests/offload/eliminations.rs`): all look right or go by columns, but for those whose bounds or elements
/// forbid it.
const ELIMINATIONS: &[(&str, &str)] = &[
    ("lu", "k alone, i 0.0, i 1.0, j 1.1"),
    ("without_diagonal", "k alone, i 0.0, i 1.0, j 1.1, i 2.0, j 2.1"),
    ("by_halves", "k alone, i 0.0, i 1.0, j 1.1, i 2.0, j 2.1"),
    ("by_columns", "k alone, i 0.0, j 1.0, i 1.1"),
    ("banded", "i alone, k alone, j 0.0, j 1.0, k in 1"),
    ("partial", "i alone, k alone, j 0.0, j 1.0, k in 1"),
    ("with_pivots", "k alone, i 0.0, i 1.0, j 1.1, i 2.0, j 2.1"),
    ("gathered", "k alone, i 0.0, i 1.0, j 1.1"),
    ("with_itself", "i alone, j alone, k alone, j 0.0, k in 0"),
    ("scaled_before", "k alone, j 0.0, i 1.0, j 1.1, i 2.0, j 2.1"),
    ("cholesky", "j alone, i 2.0, k in 2, i 3.0, i 4.0, j alone, i 5.0, k in 5, i 6.0, i 7.0"),
    ("cholesky_above", "j alone, i 2.0, k in 2, i 3.0, i 4.0, j alone, i 5.0, k in 5, i 6.0, i 7.0"),
    ("cholesky_scaled", "i alone, j by 8 behind 0, k alone, k alone"),
    ("cholesky_apart", "i alone, j by 8 behind 0, k alone, k alone"),
    ("cholesky_chained", "j alone, i 2.0, k in 2, i alone, i 3.0, j alone, i 4.0, k in 4, i alone, i 5.0"),
    ("sums_of_rows_before", "i alone, j by 8 behind 0, k alone, k alone"),
    ("sums_of_columns_behind", "i alone, j by 8 behind 0, k alone, k alone"),
    ("by_last_of_row", "j alone, i 2.0, k in 2, i 3.0, j alone, i 4.0, k in 4, i 5.0, i 6.0, k in 6"),
];

/// The same of updates (`tests/offload/updates.rs`): rows are parallel where these may come in any order, and in no case else. A scalar of whole numbers that gathers
/// for an element (`least`) is not in the element yet.
const UPDATES: &[(&str, &str)] = &[
    ("pairs", "i alone, j 0.0, k alone, j 1.0"),
    ("least", "i alone, j by 8 behind 0, k alone"),
    ("ways", "i alone, k alone, j 0.0"),
    ("narrow_ways", "i alone, k alone, j 0.0"),
    ("bits", "i alone, k alone, j 0.0"),
    ("clamped", "i alone, j alone, k alone"),
    ("by_two", "i alone, j alone, k alone"),
    ("on_the_way", "i alone, j alone, k alone"),
    ("of_itself", "i 0.0, j in 0, k in 0"),
    ("of_doubles", "i alone, j alone, k alone"),
];

/// The same of loops that are parted (`tests/offload/partings.rs`).
const PARTINGS: &[(&str, &str)] = &[
    ("of_lower_half", "i 0.0, j 0.1, k in 0, k 1.0, j 1.1, i in 1"),
    ("of_upper_half", "j 0.0, i in 0, k in 0, i 1.0, j 1.1, k in 1"),
    ("of_sums_so_far", "j 0.0, i in 0, k in 0"),
    ("by_sums_so_far", "j 0.0, i in 0, k in 0"),
    ("of_some", "j 0.0, i in 0, k in 0"),
    ("columns_first", "k 0.0, j 0.1, i in 0"),
    ("from_behind", "k 0.0, j 0.1, i in 0"),
    ("second_first", "i 0.0, j 0.1, i 1.0, j 1.1"),
    ("in_a_circle", "i alone, j 0.0, j 1.0"),
    ("both_products", "j 0.0, i in 0, i 1.0, j in 1"),
    ("three_of_them", "j 0.0, i in 0, i 1.0, j 1.1, i 2.0, j 2.1"),
];

pub(super) fn shown(report: &LoopReport) -> String {
    let name = report.variable.as_deref().unwrap_or("?");
    match &report.outcome {
        Outcome::Parallel { kernel, axis } => format!("{name} {kernel}.{axis}"),
        Outcome::Expanded => format!("{name} expanded"),
        Outcome::InKernel { kernel, .. } => format!("{name} in {kernel}"),
        Outcome::Jammed { rows, behind, in_strips, .. } => {
            let strips = if *in_strips { " in strips" } else { "" };
            format!("{name} by {rows} behind {behind}{strips}")
        }
        Outcome::Sequential(_) => format!("{name} alone"),
    }
}

/// A file of the workspace.
fn read(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The offloaded functions of a file of the workspace.
fn functions_of(path: &str) -> Vec<ItemFn> {
    let mut functions = Vec::new();
    offloaded(syn::parse_file(&read(path)).expect("Rust").items, false, &mut functions);
    functions
}

/// The functions of `benches/nests.rs`.
fn nests() -> Vec<ItemFn> {
    functions_of("benches/nests.rs")
}

/// The functions of `tests/polybench`.
fn natural() -> Vec<ItemFn> {
    let files = ["blas", "data", "kernels", "medley", "solvers", "stencils"];
    files.into_iter().flat_map(|file| functions_of(&format!("tests/polybench/{file}.rs"))).collect()
}

/// What a macro of a kernel makes for doubles, without the attribute.
fn for_doubles(tokens: TokenStream) -> TokenStream {
    let (mut made, mut tokens) = (Vec::new(), tokens.into_iter());
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Ident(_)) => made.push(TokenTree::Ident(syn::Ident::new("f64", mark.span()))),
                _ => drop(tokens.next()),
            },
            TokenTree::Group(group) => {
                let inner = for_doubles(group.stream());
                made.push(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)));
            }
            TokenTree::Punct(_) | TokenTree::Ident(_) | TokenTree::Literal(_) => made.push(token),
        }
    }
    made.into_iter().collect()
}

/// The functions of `examples/offload/kernels`, by the names of their files.
fn papers() -> Vec<ItemFn> {
    let listed = read("examples/offload/kernels/mod.rs");
    let files = listed.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let kernel = |file: &str| {
        let text = read(&format!("examples/offload/kernels/{file}.rs"));
        let items = syn::parse_file(&text).expect("Rust").items;
        let rules = items.into_iter().find_map(|item| match item {
            Item::Macro(rules) if rules.ident.as_ref().is_some_and(|name| name == "kernel") => Some(rules.mac.tokens),
            _ => None,
        });
        let Some(TokenTree::Group(body)) = rules.expect("a macro").into_iter().nth(3) else { panic!("{file}") };
        syn::parse2(for_doubles(body.stream())).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    files.map(kernel).collect()
}

/// The names of functions and what becomes of their loops.
fn loops(functions: &[ItemFn]) -> Vec<(String, String)> {
    let of = |function: &ItemFn| {
        let (ast, converter) = convert(function);
        assert!(converter.problems.is_empty(), "{}", function.sig.ident);
        let compiled = compile(&ast).unwrap_or_else(|p| panic!("{}: {}", function.sig.ident, p[0]));
        let loops: Vec<String> = compiled.log.loops[0].1.iter().map(shown).collect();
        (function.sig.ident.to_string(), loops.join(", "))
    };
    functions.iter().map(of).collect()
}

#[track_caller]
fn assert_loops(functions: &[ItemFn], expected: &[(&str, &str)]) {
    let found = loops(functions);
    let found: Vec<(&str, &str)> = found.iter().map(|(name, loops)| (&name[..], &loops[..])).collect();
    assert_eq!(found, expected);
}

#[test]
fn loops_of_polybench_are_parallel() {
    assert_loops(&nests(), EXPECTED);
}

#[test]
fn loops_of_all_of_polybench_are_parallel() {
    assert_loops(&natural(), NATURAL);
}

#[test]
fn loops_of_eliminations_are_parallel_where_they_may() {
    assert_loops(&functions_of("tests/offload/eliminations.rs"), ELIMINATIONS);
}

#[test]
fn loops_of_updates_are_turned_where_their_order_is_free() {
    assert_loops(&functions_of("tests/offload/updates.rs"), UPDATES);
}

#[test]
fn loops_are_parted_in_any_order() {
    assert_loops(&functions_of("tests/offload/partings.rs"), PARTINGS);
}

/// What shrinks is known to be a size.
const SHRINKING: &[(&str, &str)] = &[
    ("by_halves", "i 0.0"),
    ("by_strides", "i 0.0"),
    ("by_thirds", "level alone, i 0.0"),
    ("rounded_up", "i 0.0"),
    ("shifted_up", "i 0.0"),
    ("up_and_down", "i alone"),
    ("wrapping", "rounds alone"),
];

#[test]
fn loops_over_what_shrinks_are_parallel() {
    assert_loops(&functions_of("tests/offload/shrinking.rs"), SHRINKING);
}

#[test]
fn loops_of_the_papers_are_parallel() {
    assert_loops(&papers(), PAPERS);
}

/// How many elements each function stores in its loops' bodies: one that is skewed has three copies of the body beside those of the rows that go together.
const RECURRENCES: &[(&str, usize)] = &[
    ("seidel", 9),
    ("relaxed", 9),
    ("common", 18),
    ("backwards", 9),
    ("far", 9),
    ("by_the_last", 1),
    ("mirrored", 1),
    ("of_two", 18),
    ("in_steps", 9),
    ("crossed", 27),
    ("of_classes", 18),
    ("least", 9),
];

/// What becomes of the outermost loops of rows that gather what rows before them give, and of the elements that they gather in.
const SOLVES: &[(&str, &str)] = &[
    ("solved", "i by 8 behind 0, j alone"),
    ("summed", "i by 8 behind 0, j alone"),
    ("unit", "i alone, j alone"),
    ("by_twos", "i by 8 behind 0, j alone"),
    ("behind", "i by 8 behind 0, j alone"),
    ("longest", "i by 8 behind 0, j alone"),
    ("two_sums", "i by 4 behind 0, j alone"),
    ("own", "i alone, j alone"),
    ("newest_first", "i alone, j alone"),
    ("handed_on", "i alone, j alone"),
    ("given_on", "i alone, j alone"),
];

#[test]
fn rows_of_solves_go_together() {
    assert_loops(&functions_of("tests/offload/solves.rs")[..SOLVES.len()], SOLVES);
}

#[test]
fn rows_of_recurrences_go_together() {
    let stores = |function: ItemFn| {
        let name = function.sig.ident.to_string();
        let compiled = compile(&convert(&function).0).unwrap_or_else(|p| panic!("{name}: {}", p[0]));
        (name, compiled.module.funcs[0].body.count(|op| matches!(op, Op::Store { .. })))
    };
    let found: Vec<(String, usize)> = functions_of("tests/offload/recurrences.rs").into_iter().map(stores).collect();
    let found: Vec<(&str, usize)> = found.iter().map(|(name, stores)| (&name[..], *stores)).collect();
    assert_eq!(found, RECURRENCES);
}

/// How kernels with loops in their bodies run, rows first: `name kernel: order; how the loops go through tiles`. Each has vectors, a few
/// iterations or points at a time, and nothing that is tested in each iteration.
const SCHEDULES: &str = "\
syrk 1: order j/32 i k j; sweep k points 8
trmm 0: order j/32 i k j; sweep k steps 4
adi 0: order i/128 j k i; sweep j points 4, k points 4
adi 1: order i/128 j k i; sweep j points 4, k points 4
symm 0: order j/32 i k j; sweep k steps 4
lower 0: order j/32 i k j; sweep k steps 4
from_the_right 0: order i/32 j k i; sweep k steps 4
both_ways 0: order i j k l;\u{20}
of_three 0: order i j k/128 l k; sweep l steps 4
";

/// Triangles, recurrences along rows forwards and backwards, and loops as long as the point says: along lines that say the same.
#[test]
fn loops_inside_of_kernels_go_through_tiles() {
    let files = ["tests/polybench/stencils.rs", "tests/offload/lengths.rs"].map(functions_of);
    let functions = [nests(), files.concat()].concat();
    let mut found = String::new();
    for (name, kernel) in [
        ("syrk", 1),
        ("trmm", 0),
        ("adi", 0),
        ("adi", 1),
        ("symm", 0),
        ("lower", 0),
        ("from_the_right", 0),
        ("both_ways", 0),
        ("of_three", 0),
    ] {
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

/// Correlation's triangle: the last of its rows is one of two numbers, of which the smaller one is known.
#[test]
fn subscripts_of_a_triangle_are_tested_before_it() {
    let text = "fn f(data: ArrayView1<f64>, mut corr: ArrayViewMut2<f64>) {
        for i in 0..data.len().max(1) - 1 {
            for j in i + 1..data.len() {
                corr[[j, i]] = data[i] * data[j];
            }
        }
    }";
    let (ast, _) = convert(&syn::parse_str(text).expect("Rust"));
    let compiled = compile(&ast).unwrap_or_else(|p| panic!("{}", p[0]));
    let module = compiled.module.to_string();
    let (before, kernel) = module.split_once(" = kernel 0").expect("a kernel");
    assert!(before.contains("assert") && !kernel.contains("assert"), "{module}");
}
