//! The passes over the IR, in the order in which they run.
//!
//! The list is data: of each pass the time is taken and, if asked for, the module verified and its text kept after it.

use std::time::{Duration, Instant};

use crate::ir::verify::{Violation, verify};
use crate::ir::{Func, Module};
use crate::kernels::compose::Params;
use crate::kernels::doall::{self, LoopReport};
use crate::kernels::index_arrays::Replaced;
use crate::kernels::report::BlockReport;
use crate::kernels::{
    bounds, counters, expansion, form, full_subscripts, index_arrays, index_pieces, invariants, masked, recurrences,
    remainders, rematerialise, report, reuse, row_buffers, scans, unswitch,
};
use crate::nests::{self, Jammed};
use crate::{
    compared_products, early_tests, equal_sizes, fills, numbers, planes, repeated_checks, simplify, small_arrays,
    vector_products,
};

/// One step that rewrites a module.
pub struct Pass {
    /// A short name.
    pub name: &'static str,
    /// Why it stands where it stands.
    pub reason: &'static str,
    /// Rewrites the module; what it decided goes into the log.
    pub run: fn(&mut Module, &mut PassLog),
}

/// All passes in order.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "early-tests",
        reason: "first, while the statements stand as the program has them; all else is work",
        run: |module, _| module.funcs.iter_mut().for_each(early_tests::run),
    },
    Pass {
        name: "equal-sizes",
        reason: "after the tests of a function's entry; before whatever compares sizes",
        run: |module, _| module.funcs.iter_mut().for_each(equal_sizes::run),
    },
    Pass {
        name: "small-arrays",
        reason: "before the loops: one around a vector of three numbers becomes scalar code, which may be parallel",
        run: |module, _| module.funcs.iter_mut().for_each(small_arrays::run),
    },
    Pass {
        name: "planes",
        reason: "before the loops, which see no more stores into one array; loops that are written out name their planes by constants",
        run: |module, _| module.funcs.iter_mut().for_each(planes::run),
    },
    Pass {
        name: "repeated-checks",
        reason: "before the loops, in which a test under an `if` stays at each point",
        run: |module, _| module.funcs.iter_mut().for_each(repeated_checks::run),
    },
    Pass {
        name: "loops",
        reason: "early, while loop variables still have their names; a parallel loop is a statement of its block from then on",
        run: |module, log| {
            for func in &mut module.funcs {
                let loops = doall::run(func);
                log.loops.push((func.name.clone(), loops));
            }
        },
    },
    Pass {
        name: "bounds",
        reason: "after the loops, whose own tests are hoisted differently; what is proven here costs nothing later",
        run: |module, _| {
            module.funcs.iter_mut().for_each(|func| {
                bounds::run(func);
            });
        },
    },
    Pass {
        name: "counters",
        reason: "from here on everything looks at subscripts of kernels",
        run: |module, _| module.funcs.iter_mut().for_each(counters::run),
    },
    Pass {
        name: "full-subscripts",
        reason: "loops and array statements name the elements of a row or column alike from here on, so that they compose",
        run: |module, _| module.funcs.iter_mut().for_each(full_subscripts::run),
    },
    Pass {
        name: "vector-products",
        reason: "small matrices are scalars by now; the transposed ones that nothing needs any more go in the next step",
        run: |module, _| module.funcs.iter_mut().for_each(vector_products::run),
    },
    Pass {
        name: "simplify",
        reason: "lowering repeats constants and sizes; later passes see each once",
        run: |module, _| module.funcs.iter_mut().for_each(simplify::run),
    },
    Pass {
        name: "compared-products",
        reason: "after constants are known as such, before kernels, in which a comparison is not one of arrays any more",
        run: |module, _| module.funcs.iter_mut().for_each(compared_products::run),
    },
    Pass {
        name: "index-pieces",
        reason: "makes one statement for each range that a subscript is put together from, of which the next step needs no array",
        run: |module, _| module.funcs.iter_mut().for_each(index_pieces::run),
    },
    Pass {
        name: "index-arrays",
        reason: "a subscript that is a range needs no array, so the statement has an affine access map",
        run: |module, log| {
            for func in &mut module.funcs {
                log.index_arrays.push((func.name.clone(), index_arrays::run(func)));
            }
        },
    },
    Pass {
        name: "bounds",
        reason: "again, as subscripts are ranges now; a loop that tests nothing may run its launches in bands",
        run: |module, _| {
            module.funcs.iter_mut().for_each(|func| {
                bounds::run(func);
            });
        },
    },
    Pass {
        name: "simplify",
        reason: "index arrays leave constants behind, and equal subscripts must look equal",
        run: |module, _| module.funcs.iter_mut().for_each(simplify::run),
    },
    Pass {
        name: "scans",
        reason: "running sums are loops in kernels from here on; those of ranges, which the steps before find, read no memory",
        run: |module, _| module.funcs.iter_mut().for_each(scans::run),
    },
    Pass {
        name: "kernels",
        reason: "needs all index arrays gone and all parallel loops found",
        run: |module, log| {
            for func in &mut module.funcs {
                let blocks = form::run(func, &Params::default());
                log.blocks.push((func.name.clone(), blocks));
            }
        },
    },
    Pass {
        name: "simplify",
        reason: "kernels repeat subscripts, and hold arrays that have become scalars",
        run: |module, log| {
            module.funcs.iter_mut().for_each(simplify::run);
            for (func, (_, blocks)) in module.funcs.iter().zip(&mut log.blocks) {
                report::settle(func, blocks);
            }
        },
    },
    Pass {
        name: "expansion",
        reason: "after composition, which leaves the arrays of an iteration that take memory; what it makes is composed again",
        run: |module, log| {
            for (func, (_, blocks)) in module.funcs.iter_mut().zip(&mut log.blocks) {
                let expanded = expansion::run(func);
                if !expanded.is_empty() {
                    let reports = log.loops.iter_mut().filter(|(name, _)| *name == func.name);
                    reports.for_each(|(_, reports)| doall::note_expanded(reports, &expanded));
                    counters::run(func);
                    simplify::run(func);
                    *blocks = form::run(func, &Params::default());
                    simplify::run(func);
                    report::settle(func, blocks);
                }
            }
        },
    },
    Pass {
        name: "rematerialise",
        reason: "needs the kernels as they are composed: what one stores for another, which could compute it",
        run: |module, log| {
            for (func, (_, blocks)) in module.funcs.iter_mut().zip(&mut log.blocks) {
                if rematerialise::run(func) {
                    simplify::run(func);
                    report::settle(func, blocks);
                }
            }
        },
    },
    Pass {
        name: "unswitch",
        reason: "after kernels, whose loops are exchanged; before invariants, which move no read out of an `if`",
        run: |module, _| module.funcs.iter_mut().for_each(unswitch::run),
    },
    Pass {
        name: "fills",
        reason: "after kernels, which know what a filled array holds; before loops are taken apart, whose pieces store no boxes",
        run: |module, _| module.funcs.iter_mut().for_each(fills::run),
    },
    Pass {
        name: "skew",
        reason: "after kernels: what is still a loop over elements runs in order, and rows of it may go together",
        run: |module, log| jammed(module, log, nests::skew::run),
    },
    Pass {
        name: "hoist",
        reason: "after kernels, which hoist their own tests; the two passes behind it need statements that cannot fail",
        run: |module, _| module.funcs.iter_mut().for_each(nests::hoist::run),
    },
    Pass {
        name: "held",
        reason: "after kernels, which hold elements themselves, and after the rows of recurrences, which hand on arrays",
        run: |module, _| module.funcs.iter_mut().for_each(nests::held::run),
    },
    Pass {
        name: "jam",
        reason: "sums that gather in elements are scalars by now",
        run: |module, log| jammed(module, log, nests::jam::run),
    },
    Pass {
        name: "handed",
        reason: "after all that has iterations of a loop go together, whose reads have several stores before them",
        run: |module, _| module.funcs.iter_mut().for_each(nests::handed::run),
    },
    Pass {
        name: "remainders",
        reason: "nothing looks for elements any more, whose maps know remainders; before masks, under which nothing is divided",
        run: |module, _| module.funcs.iter_mut().for_each(remainders::run),
    },
    Pass {
        name: "invariants",
        reason: "after kernels: a read that stands outside of its loop would no longer be part of a statement that fuses",
        run: |module, _| module.funcs.iter_mut().for_each(invariants::run),
    },
    Pass {
        name: "masked",
        reason: "needs the final kernels; conditions that do not change in a loop are out of it",
        run: |module, _| module.funcs.iter_mut().for_each(masked::run),
    },
    Pass {
        name: "recurrences",
        reason: "needs the final kernels: composed with others, a loop may store to an array more than once",
        run: |module, _| {
            for func in &mut module.funcs {
                if recurrences::run(func) {
                    simplify::run(func);
                }
            }
        },
    },
    Pass {
        name: "row-buffers",
        reason: "needs the final kernels; parted before, they would be composed again",
        run: |module, _| module.funcs.iter_mut().for_each(row_buffers::run),
    },
    Pass {
        name: "reuse",
        reason: "needs the final kernels, each with the loads that are left",
        run: |module, _| module.funcs.iter_mut().for_each(reuse::run),
    },
    Pass {
        name: "numbers",
        reason: "nothing looks for minima any more",
        run: |module, _| module.funcs.iter_mut().for_each(numbers::run),
    },
];

/// Runs a pass after which several iterations of loops go together, and notes of which.
fn jammed(module: &mut Module, log: &mut PassLog, run: fn(&mut Func) -> Vec<Jammed>) {
    for func in &mut module.funcs {
        let found = run(func);
        let reports = log.loops.iter_mut().filter(|(name, _)| *name == func.name);
        reports.for_each(|(_, reports)| doall::note_jammed(reports, &found));
    }
}

/// What happened while the passes ran.
#[derive(Debug, Clone, Default)]
pub struct PassLog {
    /// Whether to keep the module's text after each pass.
    pub dump: bool,
    /// Whether the module is verified after the last pass only: [`culprit`] says later which pass broke it.
    pub verify_last: bool,
    /// For each function what became of its loops.
    pub loops: Vec<(String, Vec<LoopReport>)>,
    /// For each function the index arrays that were replaced in subscripts.
    pub index_arrays: Vec<(String, Vec<Replaced>)>,
    /// For each function what kernel formation decided, block by block.
    pub blocks: Vec<(String, Vec<BlockReport>)>,
    /// One entry for each pass that ran.
    pub entries: Vec<PassEntry>,
}

/// One pass that ran.
#[derive(Debug, Clone)]
pub struct PassEntry {
    /// The pass.
    pub name: &'static str,
    /// How long it took, verification not included.
    pub time: Duration,
    /// The module's text after it, if asked for.
    pub text: Option<String>,
}

/// A pass broke invariants: a mistake in the compiler.
#[derive(Debug, Clone)]
pub struct PassFailure {
    /// The pass; empty for the module that the passes were given.
    pub pass: &'static str,
    /// What it broke.
    pub violations: Vec<Violation>,
}

/// Runs all passes on a module and verifies it before and after, between passes too unless the log says otherwise.
///
/// # Errors
/// The first pass after which the module is not well-formed, or the last if it is verified at the end; the module is left as it was then.
pub fn run_passes(module: &mut Module, log: &mut PassLog) -> Result<(), PassFailure> {
    let check = |pass: &'static str, module: &Module| match verify(module) {
        Ok(_) => Ok(()),
        Err(violations) => Err(PassFailure { pass, violations }),
    };
    check("", module)?;
    for (at, pass) in PASSES.iter().enumerate() {
        let start = Instant::now();
        (pass.run)(module, log);
        let time = start.elapsed();
        let text = log.dump.then(|| module.to_string());
        log.entries.push(PassEntry { name: pass.name, time, text });
        if !log.verify_last || at + 1 == PASSES.len() {
            check(pass.name, module)?;
        }
    }
    Ok(())
}

/// Runs the passes before that over loops, which finds nests as it is then.
pub fn before_loops(module: &mut Module) {
    let before = PASSES.iter().take_while(|pass| pass.name != "loops");
    before.for_each(|pass| (pass.run)(module, &mut PassLog::default()));
}

/// The pass that breaks a module of which it is known that one does, found by verifying after each.
pub fn culprit(module: &Module, found: PassFailure) -> PassFailure {
    run_passes(&mut module.clone(), &mut PassLog::default()).err().unwrap_or(found)
}
