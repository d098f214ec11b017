//! The textual IR, written. [`super::parse`] reads it back to an equal module and describes the syntax.

use super::lex::is_word;
use super::size::{SymData, SymDef};
use super::{Condition, Func, FuncId, Kernel, Loc, Module, Op, Out, Param, Pipelined, Quantity, Region};
use super::{Size, Stmt, Terminator, Type, Value, Version};
use std::fmt::{self, Write};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, func) in self.funcs.iter().enumerate() {
            if i > 0 {
                f.write_char('\n')?;
            }
            Printer { func, module: Some(self), out: f, indent: 0 }.func(&func_ref(Some(self), FuncId::new(i)))?;
        }
        self.versions.iter().try_for_each(|version| write_version(f, self, version))
    }
}

/// `version @f else @g { whole 0 holds 1, 1 extent 1 0, -1 number 0 }`: parameter 0 is a whole number, and 1 plus a size minus it zero or more.
fn write_version(f: &mut fmt::Formatter<'_>, module: &Module, version: &Version) -> fmt::Result {
    let [func, general] = [version.func, version.general].map(|id| func_ref(Some(module), id));
    write!(f, "\nversion {func} else {general} {{\n")?;
    for param in &version.assumes.whole {
        writeln!(f, "  whole {param}")?;
    }
    for Condition { terms, constant } in &version.assumes.conditions {
        write!(f, "  holds {constant}")?;
        for (quantity, factor) in terms {
            match quantity {
                Quantity::Extent(param, axis) => write!(f, ", {factor} extent {param} {axis}")?,
                Quantity::Number(param) => write!(f, ", {factor} number {param}")?,
            }
        }
        f.write_char('\n')?;
    }
    f.write_str("}\n")
}

impl fmt::Display for Func {
    /// The function alone: calls name their callees by number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { func: self, module: None, out: f, indent: 0 }.func(&format!("@{}", word(&self.name)))
    }
}

impl Func {
    /// The text of a statement of this function, nested regions included, without a line break at the end.
    pub fn show_stmt(&self, stmt: &Stmt) -> String {
        let mut text = String::new();
        let mut printer = Printer { func: self, module: None, out: &mut text, indent: 0 };
        printer.stmt(stmt).expect("writing to a string does not fail");
        text.truncate(text.trim_end().len());
        text
    }

    /// The text of a type with the names of this function's symbols.
    pub fn show_type(&self, ty: &Type) -> String {
        if ty.dims.is_empty() {
            return ty.class.name().to_owned();
        }
        format!("{}[{}]", ty.class.name(), self.show_sizes(&ty.dims))
    }

    /// The text of a size with the names of this function's symbols.
    pub fn show_size(&self, size: &Size) -> String {
        size.display_with(&|sym| match self.symbols.iter().nth(sym.index()) {
            Some((_, data)) => word(&data.name),
            None => sym.to_string(),
        })
    }

    fn show_sizes(&self, sizes: &[Size]) -> String {
        join(sizes.iter().map(|size| self.show_size(size)))
    }
}

/// A text in quotes with escapes, as the textual IR writes it.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name, in quotes unless it is one word.
fn word(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { quote(name) }
}

pub(super) fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

pub(super) fn list(values: &[Value]) -> String {
    join(values.iter().map(Value::to_string))
}

/// `@name`; with the number where several functions have the name or the module is not at hand.
pub(super) fn func_ref(module: Option<&Module>, id: FuncId) -> String {
    let number = id.index();
    match module.and_then(|m| Some((m, m.funcs.get(number)?))) {
        None => format!("@#{number}"),
        Some((module, func)) if module.funcs.iter().filter(|f| f.name == func.name).count() > 1 => {
            format!("@{}#{number}", word(&func.name))
        }
        Some((_, func)) => format!("@{}", word(&func.name)),
    }
}

/// A float that parses back to the same bits.
pub(super) fn float(value: f64) -> String {
    if !value.is_nan() {
        format!("{value:?}")
    } else if value.to_bits() == f64::NAN.to_bits() {
        "nan".to_owned()
    } else {
        format!("nan({:#x})", value.to_bits())
    }
}

/// What is written, and where to.
pub(super) struct Printer<'a> {
    pub func: &'a Func,
    pub module: Option<&'a Module>,
    out: &'a mut dyn Write,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) -> fmt::Result {
        writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent)
    }

    fn func(&mut self, name: &str) -> fmt::Result {
        let func = self.func;
        let params = join(func.params.iter().map(|p| self.param(p)));
        let results = join(func.results.iter().enumerate().map(|(i, ty)| {
            let ty = func.show_type(ty);
            match func.result_names.get(i) {
                Some(name) if !name.is_empty() => format!("{}: {ty}", word(name)),
                _ => ty,
            }
        }));
        let mut head = format!("func {name}({params}) -> ({results})");
        if !func.body.params.iter().eq(func.params.iter().map(|p| &p.value)) {
            write!(head, " |{}|", self.defs(&func.body.params))?;
        }
        self.line(&format!("{head} {{"))?;
        self.indent += 1;
        for (_, data) in func.symbols.iter() {
            self.line(&self.symbol(data))?;
        }
        self.statements(&func.body)?;
        self.unused()?;
        self.indent -= 1;
        self.line("}")
    }

    fn param(&self, param: &Param) -> String {
        let mut text = self.def(param.value);
        if param.name != self.default_param_name(param.value) {
            text += &format!(" named {}", quote(&param.name));
        }
        let facts = param.facts;
        let facts: Vec<String> = [
            facts.integer.then(|| "integer".to_owned()),
            facts.at_least.map(|low| format!(">= {low}")),
            facts.at_most.map(|high| format!("<= {high}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !facts.is_empty() {
            text += &format!(" ({})", facts.join(", "));
        }
        text
    }

    fn default_param_name(&self, value: Value) -> String {
        let name = self.func.names.get(value.index()).cloned().flatten();
        name.unwrap_or_else(|| value.index().to_string())
    }

    fn symbol(&self, data: &SymData) -> String {
        let size = |s| self.func.show_size(s);
        let def = match &data.def {
            SymDef::Dim(param, axis) => format!("dim {param} {axis}"),
            SymDef::Value(value) => format!("value {value}"),
            SymDef::Max(a, b) => format!("max({}, {})", size(a), size(b)),
            SymDef::Min(a, b) => format!("min({}, {})", size(a), size(b)),
            SymDef::FloorDiv(a, b) => format!("floordiv({}, {})", size(a), size(b)),
        };
        let low = data.at_least.iter().map(|s| format!(", >= {}", size(s)));
        let high = data.at_most.iter().map(|s| format!(", <= {}", size(s)));
        let bounds: String = low.chain(high).collect();
        format!("sym {} = {def}{bounds}", word(&data.name))
    }

    /// A definition: number, source name, type.
    fn def(&self, value: Value) -> String {
        let name = match self.func.names.get(value.index()) {
            Some(Some(name)) => format!(":{}", word(name)),
            _ => String::new(),
        };
        let ty = self.func.types.get(value.index()).map_or("?".to_owned(), |ty| self.func.show_type(ty));
        format!("{value}{name}: {ty}")
    }

    fn defs(&self, values: &[Value]) -> String {
        join(values.iter().map(|v| self.def(*v)))
    }

    /// Values of the table that nothing defines (passes leave them), so that the numbers of the others stay.
    fn unused(&mut self) -> fmt::Result {
        let mut defined = vec![false; self.func.types.len()];
        for param in &self.func.params {
            mark(&mut defined, param.value);
        }
        self.func.body.walk_regions(&mut |region| {
            let results = region.stmts.iter().flat_map(|stmt| &stmt.results);
            region.params.iter().chain(results).for_each(|v| mark(&mut defined, *v));
        });
        let unused: Vec<Value> = (0..defined.len()).filter(|i| !defined[*i]).map(Value::new).collect();
        if unused.is_empty() { Ok(()) } else { self.line(&format!("unused {}", self.defs(&unused))) }
    }

    fn statements(&mut self, region: &Region) -> fmt::Result {
        for stmt in &region.stmts {
            self.stmt(stmt)?;
        }
        self.line(&terminator(&region.term))
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        let mut head = self.defs(&stmt.results);
        if !head.is_empty() {
            head += " = ";
        }
        let loc = if stmt.loc == Loc::NONE { String::new() } else { format!(" {}", stmt.loc) };
        match &stmt.op {
            Op::If { cond, then, els } => {
                self.region(&format!("{head}if {cond}{}{loc}", self.bars(then)), then)?;
                if !is_empty(els) {
                    self.region(&format!("}} else{}", self.bars(els)), els)?;
                }
            }
            Op::For { trip, init, body } => {
                let pipelined = self.pipelined(body);
                self.region(&format!("{head}for {trip}{}{}{pipelined}{loc}", with(init), self.bars(body)), body)?;
            }
            Op::While { init, cond, body } => {
                self.region(&format!("{head}while{}{}{loc}", with(init), self.bars(cond)), cond)?;
                self.region(&format!("}} do{}", self.bars(body)), body)?;
            }
            Op::Kernel(kernel) => {
                self.region(&format!("{head}{}{loc}", self.kernel(kernel)), &kernel.body)?;
            }
            op => return self.line(&format!("{head}{}{loc}", self.op(op))),
        }
        self.line("}")
    }

    /// The line that opens a region, and what is in it.
    fn region(&mut self, head: &str, region: &Region) -> fmt::Result {
        self.line(&format!("{head} {{"))?;
        self.indent += 1;
        self.statements(region)?;
        self.indent -= 1;
        Ok(())
    }

    /// How iterations of a loop may overlap, if they may.
    fn pipelined(&self, body: &Region) -> String {
        let pipelined = body.params.first().and_then(|counter| self.func.pipelined.get(counter));
        let Some(Pipelined { starts, work }) = pipelined else { return String::new() };
        format!(" pipelined [{}] work [{}]", self.func.show_sizes(starts), self.func.show_sizes(work))
    }

    fn bars(&self, region: &Region) -> String {
        if region.params.is_empty() { String::new() } else { format!(" |{}|", self.defs(&region.params)) }
    }

    fn kernel(&self, kernel: &Kernel) -> String {
        let outs = join(kernel.outs.iter().map(|out| match out {
            Out::Fresh => "fresh".to_owned(),
            Out::Update(value) => format!("update {value}"),
            Out::Reduce(op, axes) => format!("reduce {} along {axes:?}", op.name()),
        }));
        let domain = self.func.show_sizes(&kernel.domain);
        format!("kernel {} over [{domain}] into ({outs}){}", kernel.id, self.bars(&kernel.body))
    }
}

fn mark(defined: &mut [bool], value: Value) {
    if let Some(entry) = defined.get_mut(value.index()) {
        *entry = true;
    }
}

/// Whether a region does nothing and yields nothing: an `else` that need not be written.
fn is_empty(region: &Region) -> bool {
    region.params.is_empty() && region.stmts.is_empty() && region.term == Terminator::Yield(Vec::new())
}

fn with(init: &[Value]) -> String {
    if init.is_empty() { String::new() } else { format!(" with {}", list(init)) }
}

pub(super) fn spaced(word: &str, values: &[Value]) -> String {
    if values.is_empty() { word.to_owned() } else { format!("{word} {}", list(values)) }
}

fn terminator(term: &Terminator) -> String {
    let leave = |word: &str, depth: u32, values: &[Value]| match depth {
        0 => spaced(word, values),
        _ => spaced(&format!("{word} #{depth}"), values),
    };
    match term {
        Terminator::Yield(values) => spaced("yield", values),
        Terminator::Break(depth, values) => leave("break", *depth, values),
        Terminator::Continue(depth, values) => leave("continue", *depth, values),
        Terminator::Return(values) => spaced("return", values),
        Terminator::Unreachable => "unreachable".to_owned(),
    }
}
