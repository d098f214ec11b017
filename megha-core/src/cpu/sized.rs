//! The blocks of a module with sizes, for explanations of what a device's memory holds.

use std::collections::BTreeSet;

use super::{Export, Options, write_all};
use crate::ir::verify::Verified;
use crate::ir::{Func, FuncId, Size, Sym, SymDef};
use megha_base::plan::block::{Block, Task};

/// A block of a function.
#[derive(Debug)]
pub struct SizedBlock {
    /// The function.
    pub function: String,
    /// The block.
    pub block: Block,
    /// The names of its arrays, if they have any.
    pub arrays: Vec<Option<String>>,
    /// The names of its nodes: those of kernels are their entries'.
    pub nodes: Vec<String>,
    /// Whether it is in a loop.
    pub repeats: bool,
    /// By how many rows a step of the loop over time that it is all of is behind the one before, if its launches may wait and some steps go through the device at once.
    pub slope: Option<u32>,
    /// The values of its symbols, or the names of those that are to be known for them.
    pub sizes: Result<Vec<i64>, BTreeSet<String>>,
}

/// What comes with a block beside what the run needs.
#[derive(Clone, Copy)]
pub struct Origin {
    /// The function it is in.
    pub func: FuncId,
    /// Whether it is in a loop.
    pub repeats: bool,
    /// As in [`SizedBlock`].
    pub slope: Option<u32>,
}

/// The blocks of all functions, where sizes have these values.
///
/// # Errors
/// As [`super::generate`].
pub fn blocks(
    module: Verified<'_>,
    exported: &[Export],
    options: &Options<'_>,
    value: &dyn Fn(&str) -> Option<i64>,
) -> Result<Vec<SizedBlock>, Vec<String>> {
    let (shared, _, expanded) = write_all(module, exported, options)?;
    let device = &shared.device;
    let sized = device.all_blocks().map(|(block, symbols, origin)| {
        let func = &expanded.funcs[origin.func.index()];
        let mut lacking = BTreeSet::new();
        let values: Vec<Option<i64>> = symbols.iter().map(|sym| evaluate(func, *sym, value, &mut lacking)).collect();
        let mut arrays = vec![None; block.data.len()];
        let mut nodes = Vec::new();
        for node in &block.nodes {
            let plan = if let Task::Kernel(number) = node.task { Some(device.plan(number)) } else { None };
            for (data, array) in node.arrays.iter().zip(plan.iter().flat_map(|plan| &plan.arrays)) {
                arrays[*data] = Some(array.name.clone());
            }
            nodes.push(match node.task {
                Task::Kernel(_) => plan.map_or_else(|| node.task.word(), |plan| plan.entries[0].name.clone()),
                Task::Product(_) => "product".to_owned(),
                Task::Memory => "copy or fill".to_owned(),
                Task::Host => "host".to_owned(),
            });
        }
        let sizes = values.into_iter().collect::<Option<Vec<i64>>>().ok_or(lacking);
        let (function, Origin { repeats, slope, .. }) = (func.name.clone(), origin);
        SizedBlock { function, block: block.clone(), arrays, nodes, repeats, slope, sizes }
    });
    Ok(sized.collect())
}

/// The value of a symbol: what is given for its name, or what follows from other symbols.
fn evaluate(func: &Func, sym: Sym, value: &dyn Fn(&str) -> Option<i64>, lacking: &mut BTreeSet<String>) -> Option<i64> {
    let data = func.symbols.get(sym);
    if let Some(known) = value(&data.name) {
        return Some(known);
    }
    let mut of = |size: &Size| {
        let (mut sum, mut known) = (0i64, true);
        for (symbols, factor) in size.terms() {
            let mut product = factor;
            for sym in symbols.iter() {
                match evaluate(func, *sym, value, lacking) {
                    Some(size) => product = product.saturating_mul(size),
                    // the others may be missing too
                    None => known = false,
                }
            }
            sum = sum.saturating_add(product);
        }
        known.then_some(sum)
    };
    let mut both = |a, b| of(a).zip(of(b));
    match &data.def {
        SymDef::Max(a, b) => both(a, b).map(|(a, b)| a.max(b)),
        SymDef::Min(a, b) => both(a, b).map(|(a, b)| a.min(b)),
        SymDef::FloorDiv(a, b) => both(a, b).map(|(a, b)| if b == 0 { 0 } else { a.div_euclid(b) }),
        SymDef::Dim(..) | SymDef::Value(_) => {
            lacking.insert(data.name.clone());
            None
        }
    }
}
