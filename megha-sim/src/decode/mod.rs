//! Syntax to the [internal form](crate::form): names become slots, instructions functions, labels positions.
//!
//! | file | decodes |
//! |---|---|
//! | `scope` | declarations and names |
//! | `operand` | operands and their types |
//! | `arithmetic` | what computes values in registers |
//! | `moves` | `mov`, `cvt`, `cvta`, comparisons and selections |
//! | `memory` | loads, stores, atomics, fences |
//! | `tiles` | `cp.async` and `mma`, by which tiles are brought and multiplied |
//! | `control` | branches, calls, barriers, exchange within a warp |
//! | `flow` | where diverged threads meet again |
//! | `lately` | what has been decoded lately |

mod arithmetic;
mod control;
mod flow;
pub(crate) mod lately;
mod memory;
mod modifiers;
mod moves;
mod operand;
mod scope;
mod tiles;

use std::collections::{BTreeSet, HashMap};

use crate::form::{Fixed, Function, Info, Inst, Op, Pc, Place, Pred, Program, Slot};
use crate::ptx::SyntaxError;
use crate::ptx::syntax::{self, Formal, Instruction, RegisterType, Statement, Variable};
use modifiers::Modifiers;
use scope::Scopes;

type Result<T> = std::result::Result<T, SyntaxError>;

/// Instructions outside the limits of registers would not fit slots.
const MAX_SLOTS: usize = 1 << 20;

/// Slots for values within one instruction of the text that takes several of the form.
const TEMPORARIES: u32 = 4;

/// Reads a module.
fn program(text: &str, rounding_required: bool) -> Result<Program> {
    let module = crate::ptx::parser::module(text)?;
    let mut variables = module.variables;
    let names = Names::of(&variables, &module.functions)?;
    let mut functions = Vec::new();
    let mut called = Vec::new();
    for function in module.functions.iter().filter(|function| function.body.is_some()) {
        let mut decoder = Decoder::new(function, &names, &mut variables, rounding_required);
        let (function, calls) = decoder.function(function)?;
        functions.push(function);
        called.push(calls);
    }
    collect_shared(&mut functions, &called);
    Ok(Program { target: module.target, variables, functions })
}

/// What the whole module can name.
struct Names {
    variables: HashMap<String, usize>,
    functions: HashMap<String, Signature>,
}

struct Signature {
    index: usize,
    entry: bool,
    params: Vec<u32>,
    results: Vec<u32>,
}

fn formal_bytes(formal: &Formal) -> u32 {
    match formal {
        Formal::Register { ty, .. } => ty.bytes() as u32,
        Formal::Memory(variable) => variable.bytes as u32,
    }
}

impl Names {
    fn of(variables: &[Variable], functions: &[syntax::Function]) -> Result<Names> {
        let mut names = Names { variables: HashMap::new(), functions: HashMap::new() };
        for (index, variable) in variables.iter().enumerate() {
            if names.variables.insert(variable.name.clone(), index).is_some() {
                return Err(SyntaxError::new(variable.line, format!("`{}` is declared twice", variable.name)));
            }
        }
        for (index, function) in functions.iter().filter(|function| function.body.is_some()).enumerate() {
            let signature = Signature {
                index,
                entry: function.entry,
                params: function.params.iter().map(formal_bytes).collect(),
                results: function.results.iter().map(formal_bytes).collect(),
            };
            if names.functions.insert(function.name.clone(), signature).is_some() {
                return Err(SyntaxError::new(
                    function.line,
                    format!("the function `{}` is defined twice", function.name),
                ));
            }
        }
        Ok(names)
    }
}

/// Adds to each function the shared variables of those it calls.
fn collect_shared(functions: &mut [Function], called: &[BTreeSet<usize>]) {
    loop {
        let mut changed = false;
        for caller in 0..functions.len() {
            for &callee in &called[caller] {
                let missing: Vec<usize> = functions[callee]
                    .shared
                    .iter()
                    .filter(|variable| !functions[caller].shared.contains(variable))
                    .copied()
                    .collect();
                changed |= !missing.is_empty();
                functions[caller].shared.extend(missing);
            }
        }
        if !changed {
            break;
        }
    }
    for function in functions {
        function.shared.sort_unstable();
    }
}

/// Decodes one function.
struct Decoder<'a> {
    names: &'a Names,
    variables: &'a mut Vec<Variable>,
    entry: bool,
    /// Whether `add`, `sub` and `mul` of floats must say how they round.
    rounding_required: bool,
    scopes: Scopes,
    registers: u32,
    total_registers: u32,
    predicates: u32,
    fixed: Vec<Fixed>,
    fixed_slots: HashMap<Fixed, Slot>,
    local: u32,
    code: Vec<Inst>,
    info: Vec<Info>,
    labels: HashMap<String, Pc>,
    branches: Vec<(usize, String, u32)>,
    shared: BTreeSet<usize>,
    calls: BTreeSet<usize>,
    /// Of the instruction being decoded; whether its operands may be special registers.
    reads_special: bool,
    guard: Pred,
    line: u32,
}

impl<'a> Decoder<'a> {
    fn new(
        function: &syntax::Function,
        names: &'a Names,
        variables: &'a mut Vec<Variable>,
        rounding_required: bool,
    ) -> Decoder<'a> {
        let declared = function.body.iter().flatten().map(|statement| match statement {
            Statement::Registers { names, ty: RegisterType::Value(_), .. } => names.len() as u32,
            _ => 0,
        });
        let formals = function.params.iter().chain(&function.results);
        let passed = formals.filter(|formal| matches!(formal, Formal::Register { .. })).count() as u32;
        Decoder {
            names,
            variables,
            entry: function.entry,
            rounding_required,
            scopes: Scopes::default(),
            registers: TEMPORARIES,
            total_registers: declared.sum::<u32>() + passed + TEMPORARIES,
            predicates: 1,
            fixed: Vec::new(),
            fixed_slots: HashMap::new(),
            local: 0,
            code: Vec::new(),
            info: Vec::new(),
            labels: HashMap::new(),
            branches: Vec::new(),
            shared: BTreeSet::new(),
            calls: BTreeSet::new(),
            reads_special: false,
            guard: Pred::TRUE,
            line: function.line,
        }
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.line, message)
    }

    fn function(&mut self, function: &syntax::Function) -> Result<(Function, BTreeSet<usize>)> {
        let block = if function.entry { self.parameter_block(&function.params)? } else { Vec::new() };
        let mut places = (Vec::new(), Vec::new());
        if !function.entry {
            places = (self.formals(&function.params)?, self.formals(&function.results)?);
        }
        for statement in function.body.iter().flatten() {
            self.statement(statement)?;
        }
        // control may reach the end of a body, which returns
        self.guard = Pred::TRUE;
        self.emit_silent(Op::Return);
        self.resolve_branches()?;
        if self.total_registers as usize + self.fixed.len() > MAX_SLOTS {
            return Err(self.error("this function has too many registers and constants"));
        }
        flow::set_meeting_points(&mut self.code);
        let (params, results): (Vec<Place>, Vec<Place>) = places;
        let function = Function {
            name: function.name.clone(),
            entry: function.entry,
            code: std::mem::take(&mut self.code),
            info: std::mem::take(&mut self.info),
            registers: self.total_registers,
            predicates: self.predicates,
            fixed: std::mem::take(&mut self.fixed),
            local: self.local,
            block,
            params,
            results,
            required_block: function.required_block,
            max_threads: function.max_threads,
            shared: self.shared.iter().copied().collect(),
        };
        Ok((function, std::mem::take(&mut self.calls)))
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        match statement {
            Statement::Open => self.scopes.open(),
            Statement::Close => self.scopes.close(),
            Statement::Label(name, line) => {
                self.line = *line;
                let pc = self.code.len() as Pc;
                if self.labels.insert(name.clone(), pc).is_some() {
                    return Err(self.error(format!("the label `{name}` is defined twice")));
                }
            }
            Statement::Registers { names, ty, line } => {
                self.line = *line;
                for name in names {
                    self.declare_register(name, *ty)?;
                }
            }
            Statement::Variable(variable) => {
                self.line = variable.line;
                self.declare_variable(variable)?;
            }
            Statement::Instruction(instruction) => {
                self.line = instruction.line;
                self.instruction(instruction)?;
            }
        }
        Ok(())
    }

    fn resolve_branches(&mut self) -> Result<()> {
        for (at, label, line) in std::mem::take(&mut self.branches) {
            let Some(&to) = self.labels.get(&label) else {
                return Err(SyntaxError::new(line, format!("there is no label `{label}` in this function")));
            };
            let Op::Branch { target, .. } = &mut self.code[at].op else { unreachable!("only branches are noted") };
            *target = to;
        }
        Ok(())
    }

    /// Adds an instruction that reports count as `name`.
    fn emit(&mut self, name: &str, op: Op, flops: Flops) {
        self.code.push(Inst { guard: self.guard, op });
        let Flops { single, double, tensor } = flops;
        let name = name.into();
        self.info.push(Info { line: self.line, name, flops32: single, flops64: double, tensor64: tensor });
    }

    /// Adds a part of an instruction that reports do not count.
    fn emit_silent(&mut self, op: Op) {
        self.emit("", op, Flops::default());
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<()> {
        self.guard = match &instruction.guard {
            Some((name, negated)) => self.predicate_named(name, *negated)?,
            None => Pred::TRUE,
        };
        self.reads_special = matches!(instruction.name.as_str(), "mov" | "cvt");
        let mut m = Modifiers::new(instruction);
        match instruction.name.as_str() {
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "rem" | "min" | "max" | "abs" | "neg" | "sad"
            | "copysign" => self.arithmetic(&mut m),
            "sqrt" | "rcp" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" => self.arithmetic(&mut m),
            "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "bfe" | "bfi" | "bfind" | "popc"
            | "clz" | "brev" | "prmt" | "lop3" => self.bits(&mut m),
            "mov" => self.mov(&mut m),
            "cvt" => self.convert(&mut m),
            "cvta" => self.convert_address(&mut m),
            "setp" | "set" | "testp" => self.compare(&mut m),
            "selp" | "slct" => self.select(&mut m),
            "ld" | "ldu" => self.load(&mut m),
            "st" => self.store(&mut m),
            "atom" | "red" => self.atomic(&mut m),
            "membar" | "fence" => self.fence(&mut m),
            "bra" | "ret" | "exit" | "trap" | "call" | "nanosleep" => self.control(&mut m),
            "bar" | "barrier" => self.barrier(&mut m),
            "shfl" => self.shuffle(&mut m),
            "cp" => self.copy_async(&mut m),
            "mma" => self.multiply_tiles(&mut m),
            "vote" | "activemask" => self.vote(&mut m),
            name => return Err(self.error(format!("the instruction `{name}` is not simulated"))),
        }?;
        m.finish()
    }
}

/// Floating-point operations of an instruction.
#[derive(Clone, Copy, Default)]
struct Flops {
    single: u32,
    double: u32,
    /// Of a warp, by tensor cores on doubles.
    tensor: u32,
}
