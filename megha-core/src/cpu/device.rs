//! How generated code offers a kernel to a device: the plan that it names, and what a launch passes.

use std::collections::HashMap;

use super::body::Body;
use super::expr::{Binds, Context};
use super::kernel::Nest;
use super::source::Code;
use crate::ir::verify::Verified;
use crate::ir::{Class, FuncId, Mem, Size, Stmt, Sym, Value};
use crate::ptx;
use megha_base::plan::block::Block;
use megha_base::plan::{Array, Element, KernelPlan, Role};

/// The kernels of a module that devices can run.
#[derive(Default)]
pub struct Kernels {
    plans: Vec<KernelPlan>,
    /// For each plan, the function's symbols that it names.
    symbols: Vec<Vec<usize>>,
    numbers: HashMap<(FuncId, u32), usize>,
    ptx: String,
    blocks: Vec<Block>,
    /// For each block, the function's symbols that it names.
    block_symbols: Vec<Vec<Sym>>,
}

impl Kernels {
    /// Those of a module.
    pub fn of(module: Verified<'_>) -> Self {
        let ptx = ptx::generate(module);
        let mut kernels = Self { ptx: ptx.text, ..Self::default() };
        for plan in ptx.kernels {
            kernels.numbers.insert((FuncId::new(plan.function_number), plan.number), kernels.plans.len());
            let (plan, symbols) = plan.compact();
            kernels.plans.push(plan);
            kernels.symbols.push(symbols);
        }
        kernels
    }

    /// Whether there is one.
    pub fn any(&self) -> bool {
        !self.plans.is_empty()
    }

    /// The number of a kernel's plan, if a device can run it.
    pub fn number(&self, func: FuncId, kernel: u32) -> Option<usize> {
        self.numbers.get(&(func, kernel)).copied()
    }

    /// The texts of the plans and of the PTX, as an item of the generated module.
    pub fn write(&self, code: &mut Code) {
        if self.plans.is_empty() {
            return;
        }
        let plans: String = self.plans.iter().map(KernelPlan::encode).collect();
        let blocks: String = self.blocks.iter().map(Block::encode).collect();
        let new = "rt::device::Program::new";
        code.line(format!("static DEVICE: rt::device::Program = {new}({plans:?}, {blocks:?}, {:?});", self.ptx));
    }

    /// Adds a block over these symbols; gives its number.
    pub fn add_block(&mut self, block: &Block, symbols: Vec<Sym>) -> usize {
        self.blocks.push(block.clone());
        self.block_symbols.push(symbols);
        self.blocks.len() - 1
    }

    /// The statement that decides where the kernels of a block run.
    pub fn decision(&self, number: usize, body: &Body<'_>, arrays: &[String], trip: Option<Value>) -> String {
        let sizes: Vec<String> = self.block_symbols[number].iter().map(|s| body.size(&Size::sym(*s)).text).collect();
        let places: Vec<String> = arrays.iter().map(|name| format!("{name}.place()")).collect();
        let repeat = trip.map_or_else(|| "0".to_owned(), |trip| body.operand(trip).typed(Class::Index).text);
        format!("rt::device::decide(&DEVICE, {number}, &[{}], &[{}], {repeat});", sizes.join(", "), places.join(", "))
    }

    /// The expression that offers a launch and says whether a device took it.
    pub fn offer(&self, number: usize, outer: &Body<'_>, nest: &Nest<'_>, stmt: &Stmt, site: &str) -> String {
        let plan = &self.plans[number];
        let sym = |symbol: &usize| outer.size(&Size::sym(Sym::new(*symbol))).text;
        let sizes: Vec<String> = self.symbols[number].iter().map(sym).collect();
        let scalars: Vec<String> =
            plan.scalars().iter().map(|(value, element)| scalar(outer, nest, Value::new(*value), *element)).collect();
        let arrays: Vec<String> =
            plan.arrays.iter().enumerate().map(|(at, array)| place(outer, nest, stmt, at, array)).collect();
        let fault = if nest.checks { "Some(&fault)" } else { "None" };
        format!(
            "rt::device::offer(rt::device::Offer {{ program: &DEVICE, kernel: {number}, order: L::ORDER, sizes: &[{}], scalars: &[{}], \
             arrays: &[{}], fault: {fault}, site: {site} }})?",
            sizes.join(", "),
            scalars.join(", "),
            arrays.join(", ")
        )
    }
}

/// A scalar as a kernel of a device takes it. The host may have read it already, into a field of the kernel.
fn scalar(outer: &Body<'_>, nest: &Nest<'_>, value: Value, element: Element) -> String {
    let field = nest.captured.iter().find(|(v, _)| *v == value).map(|(_, name)| format!("kernel.{name}"));
    let text = field.unwrap_or_else(|| outer.operand(value).within(Binds::Cast));
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
        Role::Fresh | Role::Update(_) | Role::Reduced => Mem::Out(at),
    };
    let same = |k: &usize| outer.storage.shares(stmt.results[*k], Value::new(array.value));
    let found = nest.array(mem).or_else(|| (0..stmt.results.len()).find(same).and_then(|k| nest.array(Mem::Out(k))));
    found.map_or_else(|| format!("undefined_{}", array.value), |a| format!("kernel.{}.place()", a.name))
}
