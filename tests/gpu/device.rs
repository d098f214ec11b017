//! A kernel's plan carried out on the simulated device with the values of an interpreted run.

#[path = "guarded.rs"]
mod guarded;
#[path = "timed.rs"]
pub mod timed;
#[path = "windowed.rs"]
mod windowed;

pub use windowed::Counts;

use std::sync::Mutex;
use std::time::Duration;

use megha_base::cuts::Cuts;
use megha_base::plan::{Array, Element, Entry, KernelPlan, Param, Part, Role};
use megha_core::interp::{Datum, ErrorKind, FailureKind, KernelRun, Scalar};
use megha_core::ir::{Module, Size, Sym, Value};
use megha_core::ptx::Ptx;
use megha_sim::{Arg, Config, Device, Launch, Ptr, Stream};

/// Bits that number the checks of a kernel.
const ID_BITS: u32 = 12;

/// The device with the kernels of a program.
pub struct Simulated {
    device: Device,
    module: megha_sim::Module,
    kernels: Vec<KernelPlan>,
    /// By which kernels are cut into parts.
    cuts: Mutex<Cuts>,
    /// How many arrays were windows.
    windows: Mutex<Counts>,
}

/// The order of arrays in memory, by its entry in a plan.
const ORDERS: [&str; 2] = ["columns first", "rows first"];

impl Simulated {
    /// Loads the PTX.
    pub fn new(ptx: &Ptx) -> Self {
        let device = Device::new(Config::default());
        let module = device.load(&ptx.text).unwrap_or_else(|e| panic!("{e}\n{}", ptx.text));
        Self {
            device,
            module,
            kernels: ptx.kernels.clone(),
            cuts: Mutex::new(Cuts::new(ptx.text.len() as u64)),
            windows: Mutex::default(),
        }
    }

    /// How many arrays were windows up to now.
    pub fn windows(&self) -> Counts {
        *self.windows.lock().unwrap()
    }

    /// How many kernels have a plan.
    pub fn kernels(&self) -> usize {
        self.kernels.len()
    }

    /// The number of the plan of a kernel of the module.
    pub fn plan(&self, module: &Module, run: &KernelRun<'_>) -> usize {
        let function = module.funcs.iter().position(|f| std::ptr::eq(f, run.func));
        let same = |plan: &KernelPlan| Some(plan.function_number) == function && plan.number == run.kernel.id;
        self.kernels.iter().position(same).expect("every kernel has a plan")
    }

    /// Runs a kernel, of which this is the plan's number, in both memory orders, whole and in parts, and compares what it makes.
    pub fn compare(&self, plan: usize, run: &KernelRun<'_>) -> Result<(), String> {
        let plan = &self.kernels[plan];
        let finish = |way: usize| plan.finish.get(way).cloned().into_iter().collect();
        let variant = |(at, entries): (usize, &[Entry; 2])| KernelPlan {
            entries: entries.clone(),
            variants: Vec::new(),
            finish: finish(at + 1),
            ..plan.clone()
        };
        let variants = plan.variants.iter().enumerate().map(variant);
        [plan.clone()].into_iter().chain(variants).try_for_each(|plan| self.compare_entries(&plan, run))
    }

    fn compare_entries(&self, plan: &KernelPlan, run: &KernelRun<'_>) -> Result<(), String> {
        (0..2).try_for_each(|order| {
            let name = &plan.entries[order].name;
            let whole = self.run(plan, run, order, &mut |whole| vec![whole.clone()]);
            whole.map_err(|why| format!("{name}, {}: {why}", ORDERS[order]))?;
            let cuts = &mut *self.cuts.lock().unwrap();
            let mut parts = Vec::new();
            let parted = self.run(plan, run, order, &mut |whole| {
                parts = plan.parts(whole, cuts);
                parts.clone()
            });
            parted.map_err(|why| format!("{name}, {}, in parts {parts:?}: {why}", ORDERS[order]))?;
            let guarded = self.run_guarded(plan, run, order, cuts);
            guarded.map_err(|why| format!("{name}, {}, {why}", ORDERS[order]))?;
            let finished = self.run_finished(plan, run, order);
            finished.map_err(|why| format!("{name}, {}, in one launch: {why}", ORDERS[order]))?;
            let combined = self.run_combined(plan, run, order, cuts);
            combined.map_err(|why| format!("{name}, {}, combined: {why}", ORDERS[order]))?;
            let windowed = self.run_windowed(plan, run, order, cuts);
            windowed.map_err(|why| format!("{name}, {}, {why}", ORDERS[order]))
        })
    }

    fn run(
        &self,
        plan: &KernelPlan,
        run: &KernelRun<'_>,
        order: usize,
        parts: &mut dyn FnMut(&Part) -> Vec<Part>,
    ) -> Result<(), String> {
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let mut memory =
            Memory { device: &self.device, symbol: &symbol, run, order, guarded: false, blocks: Vec::new() };
        let entry = &plan.entries[order];
        let whole = plan.whole(&symbol);
        let pointers = memory.all(plan, &whole)?;
        parts(&whole).iter().try_for_each(|part| memory.launch(&self.module, (entry, part), &pointers))?;
        if let Some(combine) = plan.combine.as_ref().filter(|_| whole.chunks.1 > 1) {
            let parts = parts(&whole.results());
            parts.iter().try_for_each(|part| memory.launch(&self.module, (&combine[order], part), &pointers))?;
        }
        memory.judge(plan, &pointers)
    }

    /// Runs one part of a kernel alone, among guards.
    fn run_guarded(&self, plan: &KernelPlan, run: &KernelRun<'_>, order: usize, cuts: &mut Cuts) -> Result<(), String> {
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let mut memory =
            Memory { device: &self.device, symbol: &symbol, run, order, guarded: true, blocks: Vec::new() };
        let whole = plan.whole(&symbol);
        let pointers = memory.all(plan, &whole)?;
        let part = plan.parts(&whole, cuts).remove(0);
        let done = memory.launch(&self.module, (&plan.entries[order], &part), &pointers);
        done.and_then(|()| memory.judge_part(plan, &part, &pointers)).map_err(|why| format!("{part:?}: {why}"))
    }

    /// Makes all results in one launch, and once more: counters are as they were.
    fn run_finished(&self, plan: &KernelPlan, run: &KernelRun<'_>, order: usize) -> Result<(), String> {
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let whole = plan.whole(&symbol);
        let Some(entry) = plan.finish_for(0, &whole, order) else { return Ok(()) };
        for _ in 0..2 {
            let mut memory =
                Memory { device: &self.device, symbol: &symbol, run, order, guarded: false, blocks: Vec::new() };
            let pointers = memory.all(plan, &whole)?;
            memory.launch(&self.module, (entry, &whole), &pointers)?;
            memory.judge(plan, &pointers)?;
        }
        Ok(())
    }

    /// Combines the chunks of some results alone, among guards.
    fn run_combined(
        &self,
        plan: &KernelPlan,
        run: &KernelRun<'_>,
        order: usize,
        cuts: &mut Cuts,
    ) -> Result<(), String> {
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let whole = plan.whole(&symbol);
        let Some(combine) = plan.combine.as_ref().filter(|_| whole.chunks.1 > 1) else { return Ok(()) };
        let mut memory =
            Memory { device: &self.device, symbol: &symbol, run, order, guarded: true, blocks: Vec::new() };
        let pointers = memory.all(plan, &whole)?;
        memory.launch(&self.module, (&plan.entries[order], &whole), &pointers)?;
        let part = plan.parts(&whole.results(), cuts).remove(0);
        let done = memory.launch(&self.module, (&combine[order], &part), &pointers);
        done.and_then(|()| memory.judge_combined(plan, (&part, &whole), &pointers))
            .map_err(|why| format!("{part:?}: {why}"))
    }
}

impl Simulated {
    /// Runs one part of a kernel alone, on windows of its arrays.
    fn run_windowed(
        &self,
        plan: &KernelPlan,
        run: &KernelRun<'_>,
        order: usize,
        cuts: &mut Cuts,
    ) -> Result<(), String> {
        let symbol = |s: usize| (run.size)(&Size::sym(Sym::new(s))).unwrap_or(0);
        let mut memory =
            Memory { device: &self.device, symbol: &symbol, run, order, guarded: false, blocks: Vec::new() };
        let whole = plan.whole(&symbol);
        let part = plan.parts(&whole, cuts).remove(0);
        let windows = memory.windows(plan, &part);
        let pointers = memory.buffers(plan, &whole, &windows)?;
        let done = memory.launch(&self.module, (&plan.entries[order], &part), &pointers);
        let mut counts = self.windows.lock().unwrap();
        done.and_then(|()| memory.judge_windows(plan, (&part, &windows), &pointers, &mut counts))
            .map_err(|why| format!("{part:?} on {windows:?}: {why}"))
    }
}

/// Where everything lies.
#[derive(Clone)]
struct Pointers {
    strides: Vec<i64>,
    arrays: Vec<Ptr>,
    partials: Vec<Ptr>,
    fault: Ptr,
}

/// The device's memory during a run.
struct Memory<'r> {
    device: &'r Device,
    symbol: &'r dyn Fn(usize) -> i64,
    run: &'r KernelRun<'r>,
    order: usize,
    /// Whether memory that is written holds a pattern before.
    guarded: bool,
    blocks: Vec<Ptr>,
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        self.blocks.iter().for_each(|block| self.device.free(*block).unwrap());
    }
}

impl Memory<'_> {
    fn alloc(&mut self, bytes: u64, content: Option<&[u8]>) -> Result<Ptr, String> {
        let block = self.device.alloc(bytes.max(1) as usize).map_err(|e| e.to_string())?;
        self.blocks.push(block);
        if let Some(content) = content.filter(|c| !c.is_empty()) {
            self.device.copy_in(Stream::DEFAULT, block, content).map_err(|e| e.to_string())?;
        }
        Ok(block)
    }

    /// Memory for all that a kernel is given.
    fn all(&mut self, plan: &KernelPlan, whole: &Part) -> Result<Pointers, String> {
        let arrays = plan.arrays.iter().map(|array| self.array(array)).collect::<Result<Vec<Ptr>, _>>()?;
        let (points, chunks) = plan.partials(whole).unwrap_or((0, 1));
        let mut partials = arrays.clone();
        for (own, array) in partials.iter_mut().zip(&plan.arrays).filter(|(_, a)| a.role == Role::Reduced && chunks > 1)
        {
            *own = self.written((points * chunks) as u64 * array.element.bytes())?;
        }
        let fault = self.alloc(8, Some(&[0xff; 8]))?;
        let strides = plan.entries[self.order].strides.iter().map(|stride| stride.of_whole(self.symbol)).collect();
        Ok(Pointers { strides, arrays, partials, fault })
    }

    /// Memory that is written.
    fn written(&mut self, bytes: u64) -> Result<Ptr, String> {
        let pattern = self.guarded.then(|| guarded::pattern(bytes));
        self.alloc(bytes, pattern.as_deref())
    }

    fn array(&mut self, array: &Array) -> Result<Ptr, String> {
        let numel: i64 = array.dims.iter().map(|d| d.eval(self.symbol)).product();
        let bytes = numel as u64 * array.element.bytes();
        let start = match array.role {
            Role::In => Some(array.value),
            Role::Update(from) => Some(from),
            Role::Flag(begins) => return self.alloc(1, Some(&[begins.into()])),
            Role::Fresh | Role::Reduced => None,
        };
        let Some(start) = start else { return self.written(bytes) };
        let datum = (self.run.value)(Value::new(start)).ok_or_else(|| format!("%{start} has no value"))?;
        let content = content(&datum, self.order);
        self.alloc(bytes, Some(&content))
    }

    fn launch(
        &self,
        module: &megha_sim::Module,
        (entry, part): (&Entry, &Part),
        pointers: &Pointers,
    ) -> Result<(), String> {
        self.timed(module, (entry, part), pointers).map(drop)
    }

    /// The same; how long it takes.
    fn timed(
        &self,
        module: &megha_sim::Module,
        (entry, part): (&Entry, &Part),
        pointers: &Pointers,
    ) -> Result<Duration, String> {
        let Some(launch) = entry.grid.launch(part) else { return Ok(Duration::ZERO) };
        let args = entry
            .params
            .iter()
            .map(|p| self.argument(p, (entry, part), pointers))
            .collect::<Result<Vec<Arg>, String>>()?;
        let launch = Launch { grid: launch.grid, block: launch.block, shared: 0 };
        let done = self.device.launch(Stream::DEFAULT, module, &entry.name, launch, &args);
        done.map(|report| report.time).map_err(|e| e.to_string())
    }

    fn argument(&self, param: &Param, (entry, part): (&Entry, &Part), pointers: &Pointers) -> Result<Arg, String> {
        Ok(match param {
            Param::Array(a) => Arg::Ptr(pointers.arrays[*a]),
            Param::Partials(a) => Arg::Ptr(pointers.partials[*a]),
            Param::Fault => Arg::Ptr(pointers.fault),
            Param::Size(size) => Arg::I64(entry.size(size, self.symbol, &pointers.strides)),
            Param::Bound(bound) => Arg::I64(part.bound(bound)),
            Param::Scalar(value, element) => {
                let datum = (self.run.value)(Value::new(*value)).and_then(|d| d.get(0));
                argument(datum.ok_or_else(|| format!("%{value} has no value"))?, *element)
            }
        })
    }

    /// Compares failures, or results.
    fn judge(&self, plan: &KernelPlan, pointers: &Pointers) -> Result<(), String> {
        let mut word = [0; 8];
        self.read(pointers.fault, &mut word)?;
        let failed = match u64::from_le_bytes(word) {
            u64::MAX => None,
            word => Some(plan.checks[(word & ((1 << ID_BITS) - 1)) as usize].text.as_str()),
        };
        match (self.run.results, failed) {
            (Ok(results), None) => self.results(plan, results, pointers),
            (Ok(_), Some(text)) => Err(format!("a check fails: {text}")),
            (Err(failure), Some(text)) => match failure.kind {
                FailureKind::Error(ErrorKind::NotWhole) => Ok(()),
                _ if failure.message == text => Ok(()),
                _ => Err(format!("`{text}` instead of `{}`", failure.message)),
            },
            (Err(failure), None) => match failure.kind {
                FailureKind::Error(_) => Err(format!("no check fails, but `{}`", failure.message)),
                _ => Ok(()),
            },
        }
    }

    fn results(&self, plan: &KernelPlan, results: &[Datum], pointers: &Pointers) -> Result<(), String> {
        for ((array, pointer), want) in plan.arrays.iter().zip(&pointers.arrays).zip(results) {
            let want = content(want, self.order);
            let mut got = vec![0; want.len()];
            self.read(*pointer, &mut got)?;
            let bytes = array.element.bytes() as usize;
            let differ = got.chunks(bytes).zip(want.chunks(bytes)).position(|(a, b)| !same(a, b, array.element));
            if let Some(at) = differ {
                let show = |all: &[u8]| shown(&all[at * bytes..(at + 1) * bytes], array.element);
                return Err(format!("element {at} of {} is {}, not {}", array.name, show(&got), show(&want)));
            }
        }
        Ok(())
    }

    fn read(&self, from: Ptr, to: &mut [u8]) -> Result<(), String> {
        if to.is_empty() {
            return Ok(());
        }
        self.device.copy_out(Stream::DEFAULT, to, from).map_err(|e| e.to_string())
    }
}

/// Equal bits, but that one NaN is as good as another.
fn same(a: &[u8], b: &[u8], element: Element) -> bool {
    a == b
        || match element {
            Element::F64 => double(a).is_nan() && double(b).is_nan(),
            Element::F32 => single(a).is_nan() && single(b).is_nan(),
            _ => false,
        }
}

fn double(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(bytes.try_into().unwrap())
}

fn single(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes.try_into().unwrap())
}

fn shown(bytes: &[u8], element: Element) -> String {
    match element {
        Element::F64 => format!("{:?}", double(bytes)),
        Element::F32 => format!("{:?}", single(bytes)),
        _ => format!("{bytes:?}"),
    }
}

/// The elements of a value as they lie in memory.
fn content(datum: &Datum, order: usize) -> Vec<u8> {
    let dims = datum.dims();
    let mut bytes = Vec::new();
    for k in 0..datum.numel() {
        let at = if order == 0 { k } else { transposed(k, dims) };
        push(&mut bytes, datum.get(at).unwrap());
    }
    bytes
}

/// The number, columns first, of element `k` counted rows first.
fn transposed(k: usize, dims: &[usize]) -> usize {
    let (mut rest, mut stride, mut number) = (k, dims.iter().product::<usize>(), 0);
    for dim in dims.iter().rev() {
        stride /= dim;
        number += rest % dim * stride;
        rest /= dim;
    }
    number
}

/// Adds the bytes of an element.
fn push(bytes: &mut Vec<u8>, scalar: Scalar) {
    match scalar {
        Scalar::Double(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Single(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Int8(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Int16(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Int32(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Int64(x) | Scalar::Index(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::UInt8(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::UInt16(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::UInt32(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::UInt64(x) => bytes.extend_from_slice(&x.to_le_bytes()),
        Scalar::Logical(x) => bytes.push(x.into()),
    }
}

fn argument(scalar: Scalar, as_element: Element) -> Arg {
    let wide = scalar.to_wide().unwrap_or(0);
    match as_element {
        Element::F64 => Arg::F64(scalar.to_f64()),
        Element::F32 => Arg::F32(scalar.to_f64() as f32),
        Element::I8 | Element::I16 | Element::I32 => Arg::I32(wide as i32),
        Element::U8 | Element::U16 | Element::U32 | Element::Bool => Arg::U32(wide as u32),
        Element::I64 | Element::Index => Arg::I64(wide as i64),
        Element::U64 => Arg::U64(wide as u64),
    }
}
