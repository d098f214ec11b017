//! How long a kernel takes by the simulated clock, as several modules made of one program run it.

use std::time::Duration;

use megha_base::access::Known;
use megha_base::plan::{Ceilings, Entry, KernelPlan, Part};
use megha_core::interp::{KernelRun, Scalar};
use megha_core::ir::{Module, Size, Sym, Value};
use megha_core::ptx::Ptx;
use megha_sim::{Checks, Config, Device, Model};

use super::{Memory, Pointers};

/// What a kernel takes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Time {
    /// Seconds of its entries.
    pub own: f64,
    /// Launches, to which come some microseconds each.
    pub launches: f64,
}

/// Modules on a device that looks for no mistakes, and starts kernels in no time.
pub struct Timed {
    device: Device,
    made: Vec<(Ptx, megha_sim::Module)>,
}

/// A launch of a kernel's, and how many steps of a loop over time it makes.
struct Way<'p> {
    entry: &'p Entry,
    part: Part,
    steps: usize,
}

impl Timed {
    /// Loads the modules, of which all have the same kernels.
    pub fn new(made: Vec<Ptx>) -> Self {
        let model = Model { launch_latency: Duration::ZERO, ..Model::default() };
        let config = Config { checks: Checks::none(), instruction_limit: u64::MAX, model, ..Config::default() };
        let device = Device::new(config);
        let load = |ptx: Ptx| {
            let module = device.load(&ptx.text).unwrap_or_else(|e| panic!("{e}\n{}", ptx.text));
            (ptx, module)
        };
        let made = made.into_iter().map(load).collect();
        Self { device, made }
    }

    /// How long the kernel takes in each module, `None` where it runs the same code as in the first. Of several steps at once it is what one takes.
    ///
    /// # Errors
    /// What went wrong on the device.
    pub fn times(&self, module: &Module, run: &KernelRun<'_>, order: usize) -> Result<Vec<Option<Time>>, String> {
        let function = module.funcs.iter().position(|f| std::ptr::eq(f, run.func));
        let is_it = |plan: &&KernelPlan| Some(plan.function_number) == function && plan.number == run.kernel.id;
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let mut first = None;
        let mut times = Vec::new();
        for (ptx, loaded) in &self.made {
            let plan = ptx.kernels.iter().find(is_it).ok_or("a kernel without a plan")?;
            let ways = ways(plan, run, order);
            let code: Vec<_> = ways.iter().map(|way| (text(ptx, way.entry), way.entry.grid.clone())).collect();
            if first.as_ref() == Some(&code) {
                times.push(None);
                continue;
            }
            first.get_or_insert(code);
            let mut memory =
                Memory { device: &self.device, symbol: &symbol, run, order, guarded: false, blocks: Vec::new() };
            let pointers = memory.all(plan, &plan.whole(&symbol))?;
            let mut time = Time::default();
            for Way { entry, part, steps } in &ways {
                let strides = entry.strides.iter().map(|stride| stride.of_whole(&symbol)).collect();
                let mut pointers = Pointers { strides, ..pointers.clone() };
                if *steps > 1 {
                    let length: i64 = plan.arrays[0].dims.iter().map(|dim| dim.eval(&symbol)).product();
                    pointers.arrays[0] = memory.written(length as u64 * plan.arrays[0].element.bytes())?;
                }
                let own = memory.timed(loaded, (entry, part), &pointers)?;
                time.own += own.as_secs_f64() / *steps as f64;
                time.launches += 1.0 / *steps as f64;
            }
            times.push(Some(time));
        }
        Ok(times)
    }
}

/// The launches of a kernel as the run-time system chooses them.
fn ways<'p>(plan: &'p KernelPlan, run: &KernelRun<'_>, order: usize) -> Vec<Way<'p>> {
    let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
    let scalar = |value: usize| match (run.value)(Value::new(value)).and_then(|datum| datum.get(0)) {
        Some(Scalar::Index(number)) => number,
        _ => 0,
    };
    let known = Known { symbol: &symbol, scalar: &scalar };
    let several = plan.steps_of(usize::MAX, order).and_then(|(entry, steps)| {
        let part = plan.all_elements(entry, &known)?;
        entry.grid.pays(&part).then_some(Way { entry, part, steps })
    });
    if let Some(several) = several {
        return vec![several];
    }
    let whole = plan.whole(&symbol);
    let way = plan.way_for(&whole, order, &symbol, &Ceilings::default());
    if let Some(entry) = plan.finish_for(way, &whole, order) {
        return vec![Way { entry, part: whole, steps: 1 }];
    }
    let combine = plan.combine.as_ref().filter(|_| whole.chunks.1 > 1).map(|both| &both[order]);
    let combine = combine.map(|entry| Way { entry, part: whole.results(), steps: 1 });
    [Way { entry: plan.way(way, order), part: whole, steps: 1 }].into_iter().chain(combine).collect()
}

/// The code of an entry, whatever its name is.
fn text(ptx: &Ptx, entry: &Entry) -> String {
    let from = ptx.text.find(&format!(".entry {}(", entry.name)).unwrap_or(0);
    ptx.text[from..].split("\n}").next().unwrap_or_default().replace(&entry.name, "")
}
