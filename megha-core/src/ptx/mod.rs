//! PTX for GPUs from the kernels of a verified module; `docs/gpu.md` states the conventions.
//!
//! The way of a kernel: `entry` holds an entry while it is written, `scheduled` reads its schedule, `grid`, `reduce` and `rows` lay its iterations on threads, `body` walks
//! its statements, `memory` computes addresses from access maps, `scalar` and `integer` its operations, the mathematical functions
//! being expanded from the one library of definitions. All of them emit typed instructions (`inst`) into an emitter (`emit`), and
//! `print` writes the text last. Beside the text stands a plan for each kernel, plain data of [`megha_base::plan`].

mod body;
mod class;
mod cost;
mod dead;
mod dense;
pub mod emit;
mod entry;
mod estimate;
mod grid;
mod halos;
mod in_rows;
pub mod inst;
mod integer;
mod low_half;
mod memory;
pub mod occupancy;
mod philox;
pub mod print;
mod reduce;
mod rows;
mod scalar;
mod scheduled;
mod steps;
#[cfg(test)]
mod tests;
mod tiles;
mod turned;
mod unrolled;
mod vectors;
mod written;

use crate::hash::{HashMap, HashSet};

use crate::ir::verify::Verified;
use crate::ir::{Func, FuncId, Loc, Out, Value};
use crate::schedule::default::SHARED;
use crate::schedule::footprint::{Definitions, definitions, expression};
use crate::schedule::row_groups::{Group, groups};
use crate::schedule::steps::{Steps, in_time};
use crate::schedule::{
    DeviceCode, Memory, Optimisation, Optimisations, Schedule, Schedules, Subject, Target, subjects,
};
use entry::{Entry, Source};
use in_rows::{MOST_REDUCTIONS, Member};
use megha_base::plan::{self, InRow, KernelPlan};
use occupancy::Block;
use print::EntryCode;
use scheduled::Form;
use written::{Both, Way, Written, combined};

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
pub fn device_code(module: Verified<'_>, schedules: &Schedules) -> DeviceCode {
    let Ptx { text, kernels, .. } = generate(module, schedules);
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

/// Whether the code for devices carries out a schedule of a kernel.
///
/// # Errors
/// What of it is not carried out.
pub fn carries_out(schedule: &Schedule, subject: &Subject<'_>) -> Result<(), String> {
    Form::of(schedule, subject).map(drop)
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

/// Makes PTX of every kernel, as its schedules have it.
pub fn generate(module: Verified<'_>, schedules: &Schedules) -> Ptx {
    let mut out = Ptx { text: String::new(), kernels: Vec::new(), code: Vec::new(), refused: Vec::new() };
    let mut names = HashSet::default();
    let on = schedules.optimisations();
    for (number, func) in module.module().funcs.iter().enumerate() {
        let defs = definitions(func);
        let states = if on.has(Optimisation::Steps) { in_time(func) } else { HashMap::default() };
        for subject in subjects(func) {
            let (id, loc) = (subject.kernel.id, subject.stmt.loc);
            let name = fresh(&mut names, &format!("{}_k{id}", identifier(&func.name)));
            let both =
                schedules.both((FuncId::new(number), id), Target::Gpu).ok_or("a kernel without a schedule".into());
            let variants = schedules.variants((FuncId::new(number), id), Target::Gpu);
            let state = states.get(&id).copied();
            match both.and_then(|both| write((number, subject, state), (&defs, on), (&name, both, &variants))) {
                Ok((plan, code)) => {
                    for (name, code) in &code {
                        let entry = plan.all_entries().find(|e| e.name == *name);
                        let about = entry.map_or_else(String::new, |entry| plan.describe(entry));
                        out.text.push('\n');
                        out.text += &print::entry(name, code, &about);
                    }
                    out.code.extend(code);
                    out.kernels.push(plan);
                }
                Err(reason) => {
                    let function = func.name.clone();
                    out.refused.push(Refused { function, number: id, loc, reason });
                }
            }
        }
        if on.has(Optimisation::Rows) {
            add_rows(&mut out, (number, func), &defs, schedules);
        }
    }
    out.text.insert_str(0, &print::header(out.code.iter().map(|(_, code)| code)));
    out
}

/// Adds the entries that run several kernels of a function row by row.
fn add_rows(out: &mut Ptx, (number, func): (usize, &Func), defs: &Definitions<'_>, schedules: &Schedules) {
    let plan_of = |out: &Ptx, id: u32| out.kernels.iter().position(|p| (p.function_number, p.number) == (number, id));
    let forms = |subject: &Subject<'_>| {
        let both = schedules.both((FuncId::new(number), subject.kernel.id), Target::Gpu)?;
        let forms: Result<Vec<Form>, String> = both.iter().map(|schedule| Form::of(schedule, subject)).collect();
        forms.ok()
    };
    let may_join = |subject: &Subject<'_>| {
        let reduces = |of: &&Out| matches!(of, Out::Reduce(..));
        let is_fit = |form: &Form| matches!(form, Form::Points(_) | Form::Warps(_) | Form::Neighbours(_));
        subject.kernel.outs.iter().filter(reduces).count() <= MOST_REDUCTIONS
            && plan_of(out, subject.kernel.id).is_some()
            && forms(subject).is_some_and(|forms| forms.iter().all(is_fit))
    };
    for group in groups(func, &may_join) {
        let mut own: Vec<Subject<'_>> = subjects(func);
        own.retain(|subject| group.kernels.contains(&subject.kernel.id));
        let forms: Option<Vec<Vec<Form>>> = own.iter().map(forms).collect();
        let sources: Result<Vec<Source<'_>>, String> =
            own.into_iter().map(|own| Source::new(own, defs, schedules.optimisations())).collect();
        let plans: Option<Vec<usize>> = group.kernels.iter().map(|id| plan_of(out, *id)).collect();
        if let (Some(forms), Ok(sources), Some(plans)) = (forms, sources, plans) {
            add_group(out, &group, (&sources, &forms), &plans);
        }
    }
}

/// Adds the entries of kernels that have these plans.
fn add_group(out: &mut Ptx, group: &Group, (sources, forms): (&[Source<'_>], &[Vec<Form>]), plans: &[usize]) {
    let first = &out.kernels[plans[0]].entries[0].name;
    let stem = first.strip_suffix("_c").unwrap_or(first).to_owned();
    for memory in Memory::ALL {
        let order = memory as usize;
        let members: Vec<Member<'_, '_>> =
            sources.iter().zip(forms).map(|(source, forms)| Member { source, form: forms[order].clone() }).collect();
        let name = format!("{stem}_rows_{}", ["c", "r"][order]);
        // Kernels that cannot go so far have entries of their own.
        let written = in_rows::write(&members, group, memory, &name);
        let Ok((code, shares)) = written else { continue };
        let numbers: Vec<String> = group.kernels.iter().map(u32::to_string).collect();
        out.text.push('\n');
        out.text += &print::entry(&name, &code, &format!("kernels {} row by row", numbers.join(", ")));
        out.code.push((name, code));
        for (place, (plan, share)) in plans.iter().zip(shares).enumerate() {
            let plan = &mut out.kernels[*plan];
            let in_row = plan.in_row.get_or_insert_with(|| in_row(group, plans.len(), (place, &plan.arrays)));
            in_row.orders[order] = Some(share);
        }
    }
}

/// What a kernel with these arrays does in the entry.
fn in_row(group: &Group, of: usize, (place, arrays): (usize, &[plan::Array])) -> InRow {
    let number = |array: &plan::Array| {
        let is_it = |own: &crate::schedule::row_groups::Array| own.values.iter().any(|v| v.index() == array.value);
        group.arrays.iter().position(is_it).unwrap_or(group.arrays.len())
    };
    let changed = (0..group.arrays.len()).filter(|at| group.arrays[*at].is_changed).collect();
    InRow { place, of, arrays: arrays.iter().map(number).collect(), changed, orders: [None, None] }
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

/// The entries of some steps at once of a kernel that is all of a loop over time, for both orders of memory; none where that cannot be written.
fn some_steps(source: &Source<'_>, state: Value) -> Vec<Vec<Written>> {
    let bytes = source.arrays.first().map_or(8, |array| array.element.bytes());
    let tiles = Memory::ALL.map(|memory| Steps::of(&source.subject, memory, state));
    let [Some(columns), Some(rows)] = &tiles else { return Vec::new() };
    let others = rows.counts(bytes);
    let counts = columns.counts(bytes).into_iter().filter(|count| others.contains(count));
    let write = |count: u32| {
        let both = Memory::ALL.into_iter().zip([columns, rows]);
        let entries = both
            .map(|(memory, tile)| Written::of(Entry::new(source, memory), |entry| entry.steps_at_once(tile, count)));
        entries.collect::<Result<Vec<Written>, String>>()
    };
    counts.map_while(|count| write(count).ok()).collect()
}

/// The plan of a kernel, and its entries.
fn write(
    (function_number, subject, state): (usize, Subject<'_>, Option<Value>),
    (defs, on): (&Definitions<'_>, Optimisations),
    (name, schedules, others): (&str, [&Schedule; 2], &[[&Schedule; 2]]),
) -> Result<(KernelPlan, Vec<(String, EntryCode)>), String> {
    let source = Source::new(subject, defs, on)?;
    let Subject { func, kernel, .. } = source.subject;
    let Way { both, forms, finish } = Way::of(&source, (schedules, name), !others.is_empty())?;
    let Both { entries, checks, mut code } = both;
    let mut finish: Vec<Both> = finish.into_iter().collect();
    let mut variants = Vec::new();
    for (number, schedules) in others.iter().enumerate() {
        let way = Way::of(&source, (*schedules, &format!("{name}_v{}", number + 1)), true)?;
        code.extend(way.both.code);
        variants.push(way.both.entries);
        finish.extend(way.finish);
    }
    // The last block needs a word more, for which there may be no room; then no way has such an entry.
    let fits = |both: &Both| both.entries.iter().all(|entry| entry.shared_bytes <= u64::from(SHARED));
    if finish.len() <= variants.len() || !finish.iter().all(fits) {
        finish.clear();
    }
    let mut steps = Vec::new();
    for (number, written) in state.map_or_else(Vec::new, |state| some_steps(&source, state)).into_iter().enumerate() {
        let both = Both::of(written, &format!("{name}_s{}", number + 1))?;
        code.extend(both.code);
        steps.push(both.entries);
    }
    let combine = combined(&source, &forms, &format!("{name}_combine"))?;
    let mut entries_of = |both: Both| {
        code.extend(both.code);
        both.entries
    };
    let combine = combine.map(&mut entries_of);
    let finish = finish.into_iter().map(&mut entries_of).collect();
    let plan = KernelPlan {
        function: func.name.clone(),
        function_number,
        number: kernel.id,
        symbols: func.symbols.iter().map(|(_, data)| data.name.clone()).collect(),
        entries,
        variants,
        steps,
        combine,
        finish,
        checks,
        domain: kernel.domain.iter().map(expression).collect(),
        arrays: source.arrays,
        accesses: source.accesses,
        in_row: None,
        host: None,
    };
    Ok((plan, code))
}
