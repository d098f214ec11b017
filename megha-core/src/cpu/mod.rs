//! Rust code for the CPU from functions whose element-wise work has become kernels.
//!
//! The form of the code is described in `docs/generated-code.md`. Each function becomes a body, generic over the memory order; exported
//! functions get wrappers (`wrapper`, in each `form`) that check sizes and choose the order (`entry`); each kernel becomes a structure that implements the run-time
//! system's `Kernel`. The way of a `function`: `inline` decides which scalars are written inside expressions, `liveness`
//! and `storage` take it out of SSA, `coherence` and `blocks` say what devices need to know, `bands` which loops run band by band, `strips` which launches strip by strip, `host` writes its statements,
//! `kernel`, `launch` and `loops` its kernels, as their schedules have them (`scheduled`); `device` holds the texts for devices.

pub mod bands;
mod blocks;
mod body;
mod chosen;
mod coherence;
mod device;
mod entry;
mod expand;
pub(crate) mod expr;
pub mod factors;
mod form;
mod function;
mod groups;
mod host;
mod in_place;
pub mod inline;
mod kernel;
mod launch;
pub mod liveness;
mod loops;
mod message;
mod scheduled;
mod shadow;
mod shared;
mod sized;
pub(crate) mod source;
pub mod storage;
pub mod strips;
mod symbols;
pub mod transfer;
mod tree;
mod wrapper;

use crate::hash::{HashMap, HashSet};

use crate::ir::verify::Verified;
use crate::ir::{FuncId, Loc, Module, Op, Region};
use crate::schedule::{DeviceBackend, Schedules};
use form::Form;
pub use in_place::{InPlace, Passing, generate_in_place};
use shared::Shared;
pub use shared::{Position, Positions};
pub use sized::{SizedBlock, blocks};
use source::{Code, Names};

/// A function that the user's crate gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Which function.
    pub func: FuncId,
    /// Its name in Rust.
    pub name: String,
    /// Its visibility as written in Rust, such as `pub` or nothing.
    pub visibility: String,
    /// Documentation; the declared shapes are added.
    pub doc: String,
    /// For each parameter, whether Rust passes a `usize` for the `double`; missing ones are not.
    pub counts: Vec<bool>,
}

/// Where the generated code finds the run-time system and how it names source positions.
pub struct Options<'o> {
    /// Absolute path of the run-time system, such as `::megha::rt`.
    pub runtime: &'o str,
    /// The place of a statement.
    pub positions: Positions<'o>,
    /// The back end whose code for devices is carried, if kernels are to be offered to them.
    pub device: Option<DeviceBackend>,
    /// How the kernels run.
    pub schedules: &'o Schedules,
}

/// Rust source: one private module with everything in it, and a `use` for each exported function.
///
/// # Errors
/// Operations on whole arrays that no kernel holds and that the run-time library does not have.
pub fn generate(module: Verified<'_>, exported: &[Export], options: &Options<'_>) -> Result<String, Vec<String>> {
    let (shared, code, _) = write_all(module, exported, options)?;
    let exports: Vec<&Export> = exported.iter().collect();
    Ok(assemble(shared, code, module.module(), (&exports, options)))
}

/// The code of all functions, what they share, and the module with the kernels for the CPU.
fn write_all(
    module: Verified<'_>,
    exported: &[Export],
    options: &Options<'_>,
) -> Result<(Shared, Code, Module), Vec<String>> {
    let (device, expanded) = kernels(module, options);
    let module = module.module();
    let mut names = Names::default();
    let bodies: Vec<String> = module.funcs.iter().map(|f| names.fresh(&format!("body_{}", f.name))).collect();
    exported.iter().for_each(|e| drop(names.fresh(&e.name)));
    let mut shared = Shared::new(bodies, names, positions(module, options), (device, options.schedules));
    let mut code = Code::default();
    for export in exported {
        wrapper::write(&mut shared, &mut code, module, (exported, export));
    }
    for (index, func) in expanded.funcs.iter().enumerate() {
        function::write(&mut shared, &mut code, func, index, &HashSet::default());
    }
    if !shared.problems().is_empty() {
        return Err(shared.problems().to_vec());
    }
    Ok((shared, code, expanded))
}

/// Stack of the thread that writes the code for devices: as much as the compiler's own has.
const STACK: usize = 8 << 20;

/// The kernels for devices, and the module with the kernels for the CPU: independent, and a build waits for both, so they are made at once.
fn kernels(module: Verified<'_>, options: &Options<'_>) -> (device::Kernels, Module) {
    let schedules = options.schedules;
    let expand = || expand::expand(module.module(), schedules);
    let of = move |backend| device::Kernels::of(module, backend, schedules);
    let Some(backend) = options.device else { return (device::Kernels::default(), expand()) };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || of(backend));
        let expanded = expand();
        let device = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => of(backend),
        };
        (device, expanded)
    })
}

/// Why the `unsafe` blocks of a generated module are sound, said once.
const SAFETY: [&str; 4] = [
    "// SAFETY, of every `unsafe` block here: accesses of kernels lie within their arrays, because the iteration domain and the shapes were",
    "// checked against each other before the launch; iterations write distinct elements, because their access maps are injective;",
    "// and a launch writes every element of a fresh array, and every partial result of a reduction, before these count as initialised.",
    "// Unchecked element accesses of host code were proven to lie within bounds.",
];

fn assemble(
    shared: Shared,
    functions: Code,
    module: &Module,
    (exports, options): (&[&Export], &Options<'_>),
) -> String {
    let mut out = Code::default();
    let first = exports.first().map_or("functions", |e| e.name.as_str());
    let inner = format!("megha_{first}");
    for export in exports {
        let visibility = if export.visibility.is_empty() { String::new() } else { format!("{} ", export.visibility) };
        out.line("#[allow(unused_imports)]");
        out.line(format!("{visibility}use {inner}::{};", export.name));
        if wrapper::has_resident(&shared, module, export.func) {
            out.line("#[allow(unused_imports)]");
            out.line(format!("{visibility}use {inner}::{};", Form::Resident.name(export)));
        }
        if wrapper::has_into(module, exports.iter().copied(), export) {
            out.line("#[allow(unused_imports)]");
            out.line(format!("{visibility}use {inner}::{};", form::into_name(export)));
        }
    }
    out.line("#[allow(unsafe_code, unused, unused_qualifications, nonstandard_style, while_true, clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks)]");
    out.open(format!("mod {inner} {{"));
    SAFETY.iter().for_each(|line| out.line(line));
    out.line(format!("use {} as rt;", options.runtime));
    out.line("\n");
    shared.write_sites(&mut out);
    shared.device.write(&mut out);
    out.append(functions);
    out.append(shared.items);
    out.close("}");
    out.finish()
}

fn positions(module: &Module, options: &Options<'_>) -> HashMap<Loc, Position> {
    let mut found = HashMap::default();
    for func in &module.funcs {
        func.body.walk(&mut |stmt| {
            if !found.contains_key(&stmt.loc) {
                found.extend((options.positions)(stmt.loc).map(|position| (stmt.loc, position)));
            }
        });
    }
    found
}

/// Whether a function or one that it calls has kernels.
fn has_kernels(module: &Module, func: FuncId) -> bool {
    let called = module.reached(func).into_iter().chain([func]);
    called.map(|id| &module.funcs[id.index()].body).any(has_kernel)
}

/// Whether a region holds a kernel.
fn has_kernel(region: &Region) -> bool {
    region.any(|op| matches!(op, Op::Kernel(_)))
}
