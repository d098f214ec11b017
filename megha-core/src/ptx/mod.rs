//! PTX for GPUs from the kernels of a verified module; `docs/gpu.md` states the conventions.
//!
//! The way of a kernel: `entry` holds an entry while it is written, `grid` and `reduce` lay its iterations on threads, `body` walks
//! its statements, `memory` computes addresses from access maps, `scalar` and `integer` its operations, the mathematical functions
//! being expanded from the one library of definitions. All of them emit typed instructions (`inst`) into an emitter (`emit`), and
//! `print` writes the text last. Beside the text stands a plan for each kernel, plain data of [`megha_base::plan`].

mod body;
mod class;
mod dead;
mod dense;
pub mod emit;
mod entry;
mod estimate;
mod grid;
pub mod inst;
mod integer;
mod memory;
pub mod occupancy;
mod philox;
pub mod print;
mod reduce;
mod rows;
mod scalar;
#[cfg(test)]
mod tests;

use crate::hash::HashSet;

use crate::ir::verify::Verified;
use crate::ir::{Func, Kernel, Loc, Op, Region, Stmt};
use crate::schedule::DeviceCode;
use crate::schedule::footprint::{Definitions, definitions, expression};
use crate::schedule::order::Memory;
use entry::{Entry, Finished, Source};
use megha_base::plan::{self, Check, Grid, KernelPlan};
use occupancy::Block;
use print::EntryCode;

/// The kernels of a module for GPUs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
    /// The PTX text of all entries.
    pub text: String,
    /// What runs them.
    pub kernels: Vec<KernelPlan>,
    /// The entries by name, from which explanations estimate.
    code: Vec<(String, EntryCode)>,
    /// The kernels that only the CPU runs.
    pub refused: Vec<Refused>,
}

/// The code for devices: what the CPU's code carries with it.
pub fn device_code(module: Verified<'_>) -> DeviceCode {
    let Ptx { text, kernels, .. } = generate(module);
    DeviceCode { text, plans: kernels }
}

impl Ptx {
    /// What a block of an entry takes at most. The registers are an estimate, which is made here and not for each kernel of a build.
    pub fn block(&self, entry: &plan::Entry) -> Option<Block> {
        let (_, code) = self.code.iter().find(|(name, _)| *name == entry.name)?;
        let registers = estimate::registers(&code.insts);
        Some(Block { threads: code.threads, registers, shared: entry.shared_bytes })
    }
}

/// A kernel without PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The function.
    pub function: String,
    /// The kernel's number.
    pub number: u32,
    /// Where it stands.
    pub loc: Loc,
    /// Why.
    pub reason: String,
}

/// Makes PTX of every kernel.
pub fn generate(module: Verified<'_>) -> Ptx {
    let mut out = Ptx { text: print::HEADER.to_owned(), kernels: Vec::new(), code: Vec::new(), refused: Vec::new() };
    let mut names = HashSet::default();
    for (number, func) in module.module().funcs.iter().enumerate() {
        let defs = definitions(func);
        let mut list = Vec::new();
        kernels(&func.body, &mut list);
        for (stmt, kernel) in list {
            let name = fresh(&mut names, &format!("{}_k{}", identifier(&func.name), kernel.id));
            match write((number, func), stmt, kernel, &defs, &name) {
                Ok((plan, code)) => {
                    for (name, code) in &code {
                        let entry = plan.entries.iter().chain(&plan.combine).find(|e| e.name == *name);
                        let about = entry.map_or_else(String::new, |entry| plan.describe(entry));
                        out.text.push('\n');
                        out.text += &print::entry(name, code, &about);
                    }
                    out.code.extend(code);
                    out.kernels.push(plan);
                }
                Err(reason) => {
                    let function = func.name.clone();
                    out.refused.push(Refused { function, number: kernel.id, loc: stmt.loc, reason });
                }
            }
        }
    }
    out
}

/// The kernels of a region in order.
fn kernels<'f>(region: &'f Region, out: &mut Vec<(&'f Stmt, &'f Kernel)>) {
    for stmt in &region.stmts {
        match &stmt.op {
            Op::Kernel(kernel) => out.push((stmt, kernel)),
            op => op.regions().into_iter().for_each(|r| kernels(r, out)),
        }
    }
}

/// Letters, digits and underscores.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn fresh(names: &mut HashSet<String>, wanted: &str) -> String {
    let numbered = (2..).map(|n| format!("{wanted}_{n}"));
    let name = std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !names.contains(name));
    let name = name.unwrap_or_else(|| wanted.to_owned());
    names.insert(name.clone());
    name
}

/// An entry's code and what its plan says.
struct Written {
    code: EntryCode,
    params: Vec<plan::Param>,
    strides: Vec<plan::Stride>,
    checks: Vec<Check>,
    grid: Grid,
}

impl Written {
    fn of(
        mut entry: Entry<'_, '_>,
        grid: impl FnOnce(&mut Entry<'_, '_>) -> Result<Grid, String>,
    ) -> Result<Self, String> {
        let grid = grid(&mut entry)?;
        let Finished { code, params, strides, checks } = entry.finish()?;
        Ok(Self { code, params, strides, checks, grid })
    }

    fn plan(&self, name: &str) -> plan::Entry {
        plan::Entry {
            name: name.to_owned(),
            params: self.params.clone(),
            strides: self.strides.clone(),
            grid: self.grid.clone(),
            shared_bytes: self.code.shared.iter().sum(),
        }
    }
}

/// The plan of a kernel, and its entries.
fn write(
    (function_number, func): (usize, &Func),
    stmt: &Stmt,
    kernel: &Kernel,
    defs: &Definitions<'_>,
    name: &str,
) -> Result<(KernelPlan, Vec<(String, EntryCode)>), String> {
    let source = Source::new(func, stmt, kernel, defs)?;
    let mut written = Vec::new();
    let mut combine = None;
    for memory in [Memory::ColumnMajor, Memory::RowMajor] {
        let first = |entry: &mut Entry<'_, '_>| {
            let special = entry.reduction()?;
            let special = if special.is_none() { entry.rows()? } else { special };
            special.map_or_else(|| entry.points(), Ok)
        };
        written.push(Written::of(Entry::new(&source, memory), first)?);
    }
    if source.arrays.iter().any(|a| a.role == plan::Role::Reduced) {
        let entry = Entry::new(&source, Memory::ColumnMajor);
        combine = Some(Written::of(entry, |entry| entry.combination())?);
    }
    let Ok([columns, rows]) = <[Written; 2]>::try_from(written) else { return Err("not two orders of memory".into()) };
    let told = |entry: &Written| (entry.params.clone(), entry.strides.clone(), entry.grid.clone());
    let alike = columns.code == rows.code && told(&columns) == told(&rows);
    let entries = if alike {
        let entry = columns.plan(name);
        [entry.clone(), entry]
    } else {
        [columns.plan(&format!("{name}_c")), rows.plan(&format!("{name}_r"))]
    };
    let plan = KernelPlan {
        function: func.name.clone(),
        function_number,
        number: kernel.id,
        symbols: func.symbols.iter().map(|(_, data)| data.name.clone()).collect(),
        entries,
        combine: combine.as_ref().map(|c| c.plan(&format!("{name}_combine"))),
        checks: columns.checks.clone(),
        domain: kernel.domain.iter().map(expression).collect(),
        arrays: source.arrays,
        accesses: source.accesses,
        host: Default::default(),
    };
    let mut code = vec![(plan.entries[0].name.clone(), columns.code)];
    if !alike {
        code.push((plan.entries[1].name.clone(), rows.code));
    }
    code.extend(plan.combine.iter().zip(combine).map(|(entry, written)| (entry.name.clone(), written.code)));
    Ok((plan, code))
}
