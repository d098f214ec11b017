//! The library as Rust source: the files of `megha_base::math`, one for each file of definitions.
//!
//! A function of the IR becomes a function marked `#[inline(always)]`, a function without parameters a constant; several results
//! are a tuple. A value that is used once, says no more than a few words and has no comment of its own is written where it is used;
//! any other gets a `let` with its own name. Neither changes what is computed: Rust rounds every operation as the IR does.

use crate::hash::HashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::{File, Operation, definition, library};
use crate::cpu::expr::{Context, Expr, constant, rust_type, scalar};
use crate::cpu::source::Code;
use crate::ir::{Binary, Class, Const, Func, FuncId, Module, Op, Stmt, Terminator, Unary, Value};

/// The longest expression that is written in place of a name, in characters.
const IN_PLACE: usize = 32;
/// The width of a line of names.
const WIDTH: usize = 110;
/// Constants that the run-time system's users see.
const PUBLIC_CONSTANTS: [&str; 2] = ["moderate_limit", "moderate_limit_single"];

/// Comments of a file of definitions.
#[derive(Default)]
struct Notes<'t> {
    file: Vec<&'t str>,
    funcs: HashMap<&'t str, Vec<&'t str>>,
    /// By function and first value that the statement defines; the values of a `return` have no name of their own.
    steps: HashMap<(&'t str, &'t str), Vec<&'t str>>,
    /// The functions in order.
    order: Vec<&'t str>,
}

impl<'t> Notes<'t> {
    fn of(text: &'t str) -> Self {
        let mut notes = Self::default();
        let mut pending = Vec::new();
        for line in text.lines().map(str::trim) {
            let word =
                |from: &'t str| from.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or(from);
            if let Some(comment) = line.strip_prefix(";!") {
                notes.file.push(comment);
            } else if let Some(comment) = line.strip_prefix(";;").or(line.strip_prefix(';')) {
                pending.push(comment);
            } else if let Some(head) = line.strip_prefix("func @") {
                notes.order.push(word(head));
                notes.funcs.insert(word(head), std::mem::take(&mut pending));
            } else if let (Some(statement), Some(func)) = (line.strip_prefix('%'), notes.order.last()) {
                notes.steps.insert((func, word(statement)), std::mem::take(&mut pending));
            }
        }
        notes
    }
}

/// Where each function is defined, and who calls it.
struct Links {
    file_of: HashMap<String, &'static str>,
    callers: HashMap<FuncId, BTreeSet<&'static str>>,
    public: BTreeSet<FuncId>,
}

impl Links {
    fn of(module: &Module, files: &[File]) -> Self {
        let mut file_of = HashMap::default();
        for file in files {
            file_of.extend(Notes::of(file.text).order.into_iter().map(|name| (name.to_owned(), file.name)));
        }
        let mut callers: HashMap<FuncId, BTreeSet<_>> = HashMap::default();
        for func in &module.funcs {
            for callee in callees(func) {
                callers.entry(callee).or_default().insert(file_of[&func.name]);
            }
        }
        let unary = Unary::NAMES.iter().map(|(op, _)| Operation::Unary(*op));
        let operations = unary.chain(Binary::NAMES.iter().map(|(op, _)| Operation::Binary(*op)));
        let of = |op| [Class::Double, Class::Single].into_iter().filter_map(move |class| definition(op, class));
        let operations: BTreeSet<&str> = operations.flat_map(of).map(|d| d.func().name.as_str()).collect();
        let is_operation = |id: &FuncId| operations.contains(module.funcs[id.index()].name.as_str());
        let mut public: BTreeSet<FuncId> = (0..module.funcs.len()).map(FuncId::new).filter(is_operation).collect();
        let all = (0..module.funcs.len()).map(FuncId::new);
        let named = |id: FuncId| PUBLIC_CONSTANTS.contains(&module.funcs[id.index()].name.as_str());
        public.extend(all.filter(|id| !callers.contains_key(id) || named(*id)));
        Self { file_of, callers, public }
    }

    /// `pub`, `pub(super)` or nothing, with a blank.
    fn visibility(&self, id: FuncId, file: &str) -> &'static str {
        match self.callers.get(&id) {
            _ if self.public.contains(&id) => "pub ",
            Some(callers) if callers.iter().any(|caller| *caller != file) => "pub(super) ",
            _ => "",
        }
    }
}

fn callees(func: &Func) -> impl Iterator<Item = FuncId> {
    func.body.stmts.iter().filter_map(|stmt| if let Op::Call(id, _) = stmt.op { Some(id) } else { None })
}

/// The Rust files: names without ending, and texts.
pub fn files() -> Vec<(&'static str, String)> {
    let module = library();
    let links = Links::of(module, &super::FILES);
    super::FILES.iter().map(|file| (file.name, self::file(module, &links, file))).collect()
}

fn file(module: &Module, links: &Links, file: &File) -> String {
    let notes = Notes::of(file.text);
    let mut code = Code::default();
    notes.file.iter().for_each(|line| code.line(format!("//!{line}")));
    code.line("//!");
    code.line(format!("//! Generated from `megha-core/src/math/{}.mir`, where changes belong.", file.name));
    code.line("#![cfg_attr(rustfmt, rustfmt_skip)]");
    code.line("\n");
    let own = module.funcs.iter().enumerate().filter(|(_, f)| links.file_of[&f.name] == file.name);
    let own: Vec<(FuncId, &Func)> = own.map(|(index, func)| (FuncId::new(index), func)).collect();
    imports(&mut code, module, links, file, own.iter().flat_map(|(_, func)| callees(func)));
    for (id, func) in own {
        notes.funcs[func.name.as_str()].iter().for_each(|line| code.line(format!("///{line}")));
        let visibility = links.visibility(id, file.name);
        match constant_value(func) {
            Some(value) => {
                let class = func.results[0].class;
                let (name, text) = (func.name.to_uppercase(), literal(value, class).text());
                code.line(format!("{visibility}const {name}: {} = {text};", rust_type(class)));
            }
            None => Body { module, func, notes: &notes, known: HashMap::default(), comments: Vec::new() }
                .write(&mut code, visibility),
        }
        code.line("\n");
    }
    let mut text = code.finish();
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// `use` declarations for what other files define.
fn imports(code: &mut Code, module: &Module, links: &Links, file: &File, callees: impl Iterator<Item = FuncId>) {
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for func in callees.map(|id| &module.funcs[id.index()]) {
        let from = links.file_of[&func.name];
        if from != file.name {
            found.entry(from).or_default().insert(name_of(func));
        }
    }
    for (from, names) in &found {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let line = format!("use super::{from}::{{{}}};", names.join(", "));
        match names[..] {
            [name] => code.line(format!("use super::{from}::{name};")),
            _ if line.len() <= WIDTH => code.line(line),
            _ => {
                code.open(format!("use super::{from}::{{"));
                wrapped(code, &names);
                code.close("};");
            }
        }
    }
    if !found.is_empty() {
        code.line("\n");
    }
}

/// Names with commas, as many to a line as fit.
fn wrapped(code: &mut Code, names: &[&str]) {
    let mut line = String::new();
    for name in names {
        if line.len() + name.len() > WIDTH {
            code.line(line.trim_end());
            line.clear();
        }
        line += &format!("{name}, ");
    }
    code.line(line.trim_end());
}

/// The name in Rust.
fn name_of(func: &Func) -> String {
    if constant_value(func).is_some() { func.name.to_uppercase() } else { func.name.clone() }
}

/// The value, if the function is a named constant.
fn constant_value(func: &Func) -> Option<&Const> {
    match (&func.params[..], &func.body.stmts[..]) {
        ([], [Stmt { op: Op::Const(value), .. }]) => Some(value),
        _ => None,
    }
}

/// A number; bit patterns in hexadecimal digits.
fn literal(value: &Const, class: Class) -> Expr {
    let plain = constant(value, class);
    let Const::Int(i) = *value else { return plain };
    if class != Class::Index || i.unsigned_abs() <= 1 << 16 {
        return plain;
    }
    let digits = format!("{i:x}");
    let groups: Vec<&str> = digits.as_bytes().rchunks(4).rev().filter_map(|c| std::str::from_utf8(c).ok()).collect();
    let text = format!("0x{}", groups.join("_"));
    if i < 0 {
        return Expr::Number(text, Some(Class::UInt64)).cast("i64");
    }
    Expr::Number(text, None)
}

/// A function while it is written.
struct Body<'m> {
    module: &'m Module,
    func: &'m Func,
    notes: &'m Notes<'m>,
    /// The expressions of values that have no `let`.
    known: HashMap<Value, Expr>,
    /// Comments of such values, for the next line.
    comments: Vec<&'m str>,
}

impl Context for Body<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn operand(&self, value: Value) -> Expr {
        self.known.get(&value).cloned().unwrap_or_else(|| Expr::name(self.func.name_of(value)))
    }

    fn is_bounded(&self, _: Value) -> bool {
        false
    }
}

impl<'m> Body<'m> {
    fn write(mut self, code: &mut Code, visibility: &str) {
        self.head(code, visibility);
        let Terminator::Return(results) = &self.func.body.term else { unreachable!("the library returns") };
        let uses = self.uses();
        let (last, before) = self.func.body.stmts.split_last().expect("only constants have no statements");
        for stmt in before {
            self.statement(code, stmt, &uses);
        }
        if last.results == *results {
            let value = self.expression(last);
            self.comment(code, last);
            code.line(value.text());
        } else {
            self.statement(code, last, &uses);
            let values: Vec<String> = results.iter().map(|v| self.operand(*v).text()).collect();
            code.line(if let [value] = &values[..] { value.clone() } else { format!("({})", values.join(", ")) });
        }
        code.close("}");
    }

    fn head(&self, code: &mut Code, visibility: &str) {
        let types: Vec<&str> = self.func.results.iter().map(|ty| rust_type(ty.class)).collect();
        let result = if let [one] = types[..] { one.to_owned() } else { format!("({})", types.join(", ")) };
        let param = |p: &crate::ir::Param| format!("{}: {}", p.name, rust_type(self.func.ty(p.value).class));
        let params: Vec<String> = self.func.params.iter().map(param).collect();
        code.line("#[inline(always)]");
        code.open(format!("{visibility}fn {}({}) -> {result} {{", self.func.name, params.join(", ")));
    }

    /// How often each value is used.
    fn uses(&self) -> HashMap<Value, usize> {
        let mut uses = HashMap::default();
        let mut count = |value: Value| *uses.entry(value).or_insert(0) += 1;
        self.func.body.stmts.iter().for_each(|stmt| stmt.op.for_each_operand(&mut count));
        self.func.body.term.values().iter().copied().for_each(count);
        uses
    }

    fn steps(&self, stmt: &Stmt) -> &'m [&'m str] {
        let first = stmt.results.first().and_then(|v| self.func.names[v.index()].as_deref());
        let steps = first.and_then(|value| self.notes.steps.get(&(self.func.name.as_str(), value)));
        steps.map_or(&[], Vec::as_slice)
    }

    fn comment(&mut self, code: &mut Code, stmt: &Stmt) {
        self.comments.extend(self.steps(stmt));
        self.comments.drain(..).for_each(|line| code.line(format!("//{line}")));
    }

    /// Writes a `let`, or keeps the expression for where it is used.
    fn statement(&mut self, code: &mut Code, stmt: &Stmt, uses: &HashMap<Value, usize>) {
        let value = self.expression(stmt);
        let used = |v: &Value| uses.get(v).copied().unwrap_or(0);
        if let [result] = stmt.results[..] {
            let short = used(&result) == 1 && self.steps(stmt).is_empty() && value.text().len() <= IN_PLACE;
            if self.is_constant(&stmt.op) || (short && !matches!(stmt.op, Op::Select(..))) {
                self.known.insert(result, value);
                self.comments.extend(self.steps(stmt));
                return;
            }
        }
        let name = |v: &Value| if used(v) == 0 { "_".to_owned() } else { self.func.name_of(*v) };
        let names: Vec<String> = stmt.results.iter().map(name).collect();
        let pattern = if let [one] = &names[..] { one.clone() } else { format!("({})", names.join(", ")) };
        self.comment(code, stmt);
        code.line(format!("let {pattern} = {value};"));
    }

    fn is_constant(&self, op: &Op) -> bool {
        match op {
            Op::Const(_) => true,
            Op::Call(id, _) => constant_value(&self.module.funcs[id.index()]).is_some(),
            _ => false,
        }
    }

    fn expression(&self, stmt: &Stmt) -> Expr {
        match &stmt.op {
            Op::Const(value) => literal(value, self.func.ty(stmt.results[0]).class),
            Op::Call(id, _) if self.is_constant(&stmt.op) => Expr::name(name_of(&self.module.funcs[id.index()])),
            Op::Call(id, args) => {
                let args = args.iter().map(|v| self.operand(*v)).collect();
                Expr::call(self.module.funcs[id.index()].name.clone(), args)
            }
            op => scalar(self, op, self.func.ty(stmt.results[0]).class).expect("the library's operations are scalar"),
        }
    }
}
