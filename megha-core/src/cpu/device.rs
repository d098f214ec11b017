//! How generated code offers a kernel to a device: the plan that it names, and what a launch passes.

use crate::hash::HashMap;

use super::blocks::Given;
use super::body::Body;
use super::expr::{Binds, Context};
use super::has_kernel;
use super::kernel::Nest;
use super::sized::Origin;
use super::source::Code;
use super::storage::Rounds;
use crate::ir::verify::Verified;
use crate::ir::{Class, FuncId, Mem, Op, Region, Size, Stmt, Sym, Value};
use crate::schedule::{DeviceBackend, Schedules};
use megha_base::plan::block::{Block, Task};
use megha_base::plan::{self, Array, Element, KernelPlan, Role};

/// The line by which a function's array becomes current on the host, which is about to read it.
pub fn fetch(array: &str, site: &str) -> String {
    format!("if rt::device::active() {{ rt::device::fetch({array}.place(), {site})?; }}")
}

/// The line that says that the host is about to write a function's array.
pub fn wrote(array: &impl std::fmt::Display) -> String {
    format!("if rt::device::active() {{ rt::device::wrote({array}.place()); }}")
}

/// The kernels of a module that devices can run.
#[derive(Default)]
pub struct Kernels {
    plans: Vec<KernelPlan>,
    /// For each plan, the function's symbols that it names.
    symbols: Vec<Vec<usize>>,
    numbers: HashMap<(FuncId, u32), usize>,
    text: String,
    /// The blocks, and what comes with their executions.
    blocks: Vec<(Block, Given, Origin)>,
    /// Whether functions call each other.
    nested: bool,
    /// The matrix products that give arrays, by their results.
    products: Vec<(FuncId, Value)>,
}

impl Kernels {
    /// Those of a module, as a back end makes them.
    pub fn of(module: Verified<'_>, backend: DeviceBackend, schedules: &Schedules) -> Self {
        let device = backend(module, schedules);
        let nested = module.module().funcs.iter().any(|func| func.body.any(|op| matches!(op, Op::Call(..))));
        let mut kernels = Self { text: device.text, nested, ..Self::default() };
        for (at, func) in module.module().funcs.iter().enumerate() {
            func.body.walk(&mut |stmt| {
                if matches!(stmt.op, Op::Lib(lib, _) if lib.multiplies()) && !func.ty(stmt.results[0]).is_scalar() {
                    kernels.products.push((FuncId::new(at), stmt.results[0]));
                }
            });
        }
        for plan in device.plans {
            kernels.numbers.insert((FuncId::new(plan.function_number), plan.number), kernels.plans.len());
            let (plan, symbols) = plan.compact();
            kernels.plans.push(plan);
            kernels.symbols.push(symbols);
        }
        kernels
    }

    /// Whether there is one, or a matrix product.
    pub fn any(&self) -> bool {
        !self.plans.is_empty() || !self.products.is_empty()
    }

    /// Whether a device may have a part in a function by itself.
    pub fn serve(&self, func: FuncId, body: &Region) -> bool {
        self.any() && (has_kernel(body) || self.products.iter().any(|(own, _)| *own == func))
    }

    /// Whether arrays of a function may be on a device, also because of functions that it calls or that call it.
    pub fn concern(&self, func: FuncId, body: &Region) -> bool {
        self.serve(func, body) || (self.nested && self.any())
    }

    /// Who can do a statement.
    pub fn task(&self, func: FuncId, stmt: &Stmt) -> Task {
        match &stmt.op {
            Op::Kernel(kernel) => self.number(func, kernel.id).map_or(Task::Host, Task::Kernel),
            Op::Lib(lib, _) if lib.multiplies() => {
                let product = (func, stmt.results[0]);
                self.products.iter().position(|own| *own == product).map_or(Task::Host, Task::Product)
            }
            _ => Task::Host,
        }
    }

    /// A kernel's plan.
    pub fn plan(&self, number: usize) -> &KernelPlan {
        &self.plans[number]
    }

    /// Notes in a kernel's plan how processors go through its domain.
    pub fn note_nests(&mut self, number: usize, nests: [plan::Nest; 2]) {
        self.plans[number].host = Some(nests);
    }

    /// The function's symbols that a plan names.
    pub fn symbols(&self, number: usize) -> &[usize] {
        &self.symbols[number]
    }

    /// The number of a kernel's plan, if a device can run it.
    pub fn number(&self, func: FuncId, kernel: u32) -> Option<usize> {
        self.numbers.get(&(func, kernel)).copied()
    }

    /// The texts of the plans, the blocks and the device's code, as an item of the generated module.
    pub fn write(&self, code: &mut Code) {
        if !self.any() {
            return;
        }
        let plans: String = self.plans.iter().map(KernelPlan::encode).collect();
        let blocks: String = self.blocks.iter().map(|(block, ..)| block.encode()).collect();
        let new = "rt::device::Program::new";
        code.line(format!("static DEVICE: rt::device::Program = {new}({plans:?}, {blocks:?}, {:?});", self.text));
    }

    /// Adds a block; gives its number.
    pub fn add_block(&mut self, block: Block, given: Given, origin: Origin) -> usize {
        self.blocks.push((block, given, origin));
        self.blocks.len() - 1
    }

    /// A block, and the symbols of its sizes.
    pub fn block(&self, number: usize) -> (&Block, &[Sym]) {
        let (block, given, _) = &self.blocks[number];
        (block, &given.symbols)
    }

    /// All blocks, the symbols of their sizes, and where they are.
    pub fn all_blocks(&self) -> impl Iterator<Item = (&Block, &[Sym], Origin)> {
        self.blocks.iter().map(|(block, given, origin)| (block, &given.symbols[..], *origin))
    }

    /// The statement that decides where the kernels of a block run.
    pub fn decision(
        &self,
        (number, (decides, then)): (usize, (&str, &str)),
        body: &Body<'_>,
        arrays: &[String],
        rounds: &Rounds,
    ) -> String {
        let Given { symbols, passed, scalars } = &self.blocks[number].1;
        let sizes = |list: &[Sym]| texts(list.iter().map(|s| body.size(&Size::sym(*s)).text()));
        let places = texts(arrays.iter().map(|name| format!("{name}.place()")));
        let index = |value: Value| body.operand(value).typed(Class::Index).text();
        let counted = texts(rounds.counted.iter().map(|(trip, at)| format!("({}, {})", index(*trip), index(*at))));
        let conditional = rounds.conditional;
        let following = texts(rounds.following.iter().map(|trip| index(*trip)));
        let (symbols, passed) = (sizes(symbols), sizes(passed));
        let scalars = texts(scalars.iter().map(|(value, element)| argument(number_of(body, *value), *element)));
        format!(
            "{decides}(&DEVICE, {number}, rt::device::Given {{ order: L::ORDER, sizes: &[{symbols}], places: &[{places}], \
             counted: &[{counted}], conditional: {conditional}, following: &[{following}], passed: &[{passed}], scalars: &[{scalars}] }}){then};"
        )
    }

    /// The expression that offers a launch by a function, of which the call is given up to its last argument, and says whether a device took it.
    pub fn offer(
        &self,
        (number, offers): (usize, &str),
        outer: &Body<'_>,
        nest: &Nest<'_>,
        stmt: &Stmt,
        site: &str,
    ) -> String {
        let plan = &self.plans[number];
        let sym = |symbol: &usize| outer.size(&Size::sym(Sym::new(*symbol))).text();
        let sizes = texts(self.symbols[number].iter().map(sym));
        let scalar = |(value, element): (usize, Element)| {
            let captured = nest.captured.iter().find(|(v, _)| *v == Value::new(value));
            // the host may have read it already, into a field of the kernel
            let text = captured.map(|(_, name)| format!("kernel.{name}"));
            argument(text.unwrap_or_else(|| number_of(outer, Value::new(value))), element)
        };
        let scalars = texts(plan.scalars().into_iter().map(scalar));
        let arrays = texts(plan.arrays.iter().enumerate().map(|(at, array)| place(outer, nest, stmt, at, array)));
        let fault = if nest.checks { "Some(&fault)" } else { "None" };
        format!(
            "rt::device::active() && {offers}rt::device::Offer {{ program: &DEVICE, kernel: {number}, order: L::ORDER, \
             sizes: &[{sizes}], scalars: &[{scalars}], arrays: &[{arrays}], fault: {fault}, site: {site} }})?"
        )
    }
}

fn texts(list: impl Iterator<Item = String>) -> String {
    list.collect::<Vec<_>>().join(", ")
}

/// The expression for a number, to be cast.
fn number_of(body: &Body<'_>, value: Value) -> String {
    body.operand(value).within(Binds::Cast)
}

/// A scalar as a kernel of a device takes it.
fn argument(text: String, element: Element) -> String {
    let (variant, cast) = match element {
        Element::F64 => ("F64", ""),
        Element::F32 => ("F32", ""),
        Element::I8 | Element::I16 | Element::I32 => ("I32", " as i32"),
        Element::I64 | Element::Index => ("I64", " as i64"),
        Element::U8 | Element::U16 | Element::U32 | Element::Bool => ("U32", " as u32"),
        Element::U64 => ("U64", ""),
    };
    format!("rt::device::Arg::{variant}({text}{cast})")
}

/// The memory of a plan's array: out-variables come first, in order. An in-variable that is updated in its place is the out-variable.
fn place(outer: &Body<'_>, nest: &Nest<'_>, stmt: &Stmt, at: usize, array: &Array) -> String {
    let mem = match array.role {
        Role::In => Mem::In(Value::new(array.value)),
        Role::Fresh | Role::Update(_) | Role::Reduced | Role::Flag(_) => Mem::Out(at),
    };
    let same = |k: &usize| outer.storage.shares(stmt.results[*k], Value::new(array.value));
    let found = nest.array(mem).or_else(|| (0..stmt.results.len()).find(same).and_then(|k| nest.array(Mem::Out(k))));
    found.map_or_else(|| format!("undefined_{}", array.value), |a| format!("kernel.{}.place()", a.name))
}
