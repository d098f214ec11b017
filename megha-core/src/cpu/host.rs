//! Host code: scalar control code and operations on whole arrays.

mod apart;
mod pipeline;
mod uses;
mod whole;

use crate::hash::{HashMap, HashSet};

use self::uses::Uses;
use super::bands::{Banded, Open};
use super::body::{Body, Dialect};
use super::expr::{Context, rust_type, scalar};
use super::factors::{Factor, Lent};
use super::kernel;
use super::loops::streamed::returned;
use super::shared::Shared;
use super::storage::{Item, Rounds, Slot};
use super::strips::{self, Stripped};
use super::transfer::How;
use crate::ir::{Check, Class, Const, Func, FuncId, Loc, Op, ReduceOp, Size, Stmt, Sub, Sym, SymDef, Value};

/// The dialect of a function's own statements.
pub struct Host<'s> {
    /// What the functions of a module share.
    pub shared: &'s mut Shared,
    /// Parameters that are arrays, and these in other sizes: views, not owned.
    pub views: HashSet<Value>,
    /// Which function it is.
    pub func: FuncId,
    /// Whether the function asks for arrays that a device may have.
    pub asks: bool,
    /// The loops whose launches run band by band, by their counters.
    pub bands: HashMap<Value, Banded>,
    /// The one of them that is being written.
    pub open: Option<Open>,
    /// The launches that run strip by strip.
    pub strips: Vec<Stripped>,
    /// Those of them that are being written.
    pub run: Option<strips::Open>,
    /// The first kernel of those that a loop launches in steps, while it is written, and the variable that takes them.
    pub steps: Option<(u32, String)>,
    /// The factors of products that kernels copy for devices, by these kernels,
    pub factors: HashMap<u32, Factor>,
    /// and those whose product has not been written yet, by the copies.
    pub lent: HashMap<Value, Lent>,
    /// The arrays that the function returns and does not use otherwise.
    pub returned: HashSet<Value>,
    /// The scalars that symbols stand for.
    sizes: HashSet<Value>,
    /// For each loop being written the arrays that it, but not the loop around it, reads and stores by elements only: the
    /// elements have the place of the variable there. With whether it stores any.
    cursors: Vec<Vec<(String, bool)>>,
    /// The loops whose iterations are steps of one whose iterations overlap, with the variable that each tells of its steps.
    steps_of: HashMap<Value, String>,
    /// The depth of the loop that is a function of its own, and what it hands back.
    apart: Option<(usize, String)>,
}

impl<'s> Host<'s> {
    /// The dialect for a function with this number, whose array parameters are `views`.
    pub fn new(shared: &'s mut Shared, number: FuncId, func: &Func, views: HashSet<Value>) -> Self {
        let sizes = func.symbols.values().collect();
        Self {
            shared,
            views,
            func: number,
            asks: false,
            bands: HashMap::default(),
            open: None,
            strips: Vec::new(),
            run: None,
            steps: None,
            factors: HashMap::default(),
            lent: HashMap::default(),
            returned: returned(func),
            sizes,
            cursors: Vec::new(),
            steps_of: HashMap::default(),
            apart: None,
        }
    }

    /// An array value for reading.
    pub fn view(&self, body: &Body<'_>, value: Value) -> String {
        let text = body.text(value);
        if self.views.contains(&value) { text } else { format!("{text}.view()") }
    }

    /// Defines the symbols that are known now: the value's own, and those derived from symbols in scope.
    pub fn define_symbols(&self, body: &mut Body<'_>, value: Option<Value>) {
        if body.symbols.is_settled() && !value.is_some_and(|value| self.sizes.contains(&value)) {
            return;
        }
        let before = body.symbols.enter();
        let symbols = &body.func.symbols;
        let known = |body: &Body<'_>, sizes: [&Size; 2]| {
            sizes.iter().all(|s| s.symbols().all(|sym| body.symbols.contains(sym)))
        };
        for (sym, data) in symbols.iter() {
            if body.symbols.contains(sym) {
                continue;
            }
            let text = match &data.def {
                SymDef::Value(v) if Some(*v) == value => body.text(*v),
                SymDef::Max(a, b) if known(body, [a, b]) => two(body, "max", a, b),
                SymDef::Min(a, b) if known(body, [a, b]) => two(body, "min", a, b),
                SymDef::FloorDiv(a, b) if known(body, [a, b]) => two(body, "div_euclid", a, b),
                _ => continue,
            };
            define_symbol(body, sym, &text);
        }
        if body.symbols.enter() == before {
            body.symbols.settle();
        }
    }

    fn element(&mut self, body: &Body<'_>, stmt: &Stmt, array: Value, subs: &[Sub], checked: bool) -> String {
        let (at, linear) = body.element_subscripts(array, subs);
        let (text, linear) = (body.text(array), if linear { "_linear" } else { "" });
        if checked {
            let site = self.shared.site(stmt.loc);
            return format!("{text}.try_at{linear}({at}, {site})?");
        }
        format!("unsafe {{ {text}.at{linear}({at}) }}")
    }

    fn store(&mut self, body: &mut Body<'_>, stmt: &Stmt, value: Value, subs: &[Sub], checked: bool) {
        let array = stmt.results[0];
        let (at, linear) = body.element_subscripts(array, subs);
        let (text, value) = (body.text(array), body.text(value));
        let linear = if linear { "_linear" } else { "" };
        let line = if checked {
            let site = self.shared.site(stmt.loc);
            format!("{text}.try_put{linear}({at}, {value}, {site})?;")
        } else {
            format!("unsafe {{ {text}.put{linear}({at}, {value}) }};")
        };
        body.code.line(line);
    }

    /// A number whose type cannot be mistaken.
    fn typed(&self, body: &Body<'_>, value: Value) -> String {
        let class = body.func.ty(value).class;
        let text = body.operand(value);
        if class == Class::Index { format!("{} as i64", text.within(super::expr::Binds::Cast)) } else { text.text() }
    }

    /// The array of the result's variable gets the result's sizes, and these blocks behind it along an axis.
    fn grow(&mut self, body: &mut Body<'_>, stmt: &Stmt, blocks: Option<(usize, &[Value])>) {
        let ty = body.func.ty(stmt.results[0]);
        let (shape, zero, rank) = (body.shape(&ty.dims), number(0.0, ty.class), ty.ndims());
        let (array, site) = (body.text(stmt.results[0]), self.shared.site(stmt.loc));
        let Some((axis, blocks)) = blocks else {
            return body.code.line(format!("{array}.resize({shape}, {zero}, {site})?;"));
        };
        // A number may be read from the array itself, so it is read before.
        let blocks: Vec<String> = blocks.iter().map(|b| self.part(body, *b, rank)).collect();
        let name = body.names.fresh("blocks");
        body.code.line(format!("let {name} = [{}];", blocks.join(", ")));
        body.code.line(format!("rt::whole::append(&mut {array}, {shape}, {axis}, {zero}, &{name}, {site})?;"));
    }

    /// A block of an array with this many dimensions.
    fn part(&self, body: &Body<'_>, value: Value, rank: usize) -> String {
        let ty = body.func.ty(value);
        if ty.is_scalar() {
            return format!("rt::whole::Part::Number({})", body.text(value));
        }
        let raised = if ty.ndims() < rank { format!(".raised::<{rank}>()") } else { String::new() };
        format!("rt::whole::Part::Array({}{raised})", self.view(body, value))
    }

    fn call(&mut self, body: &mut Body<'_>, stmt: &Stmt, callee: usize, args: &[Value]) {
        let list: Vec<String> = args
            .iter()
            .map(|a| if body.func.ty(*a).is_scalar() { body.text(*a) } else { self.view(body, *a) })
            .collect();
        let site = self.shared.site(stmt.loc);
        let function = self.shared.function(callee);
        let call = format!("rt::calls::nested({site}, || {function}::<L>({}))?", list.join(", "));
        let definitions: Vec<String> = stmt.results.iter().map(|r| body.define(*r).to_string()).collect();
        if let [definition] = &definitions[..] {
            return body.code.line(format!("{definition}{call};"));
        }
        if definitions.is_empty() {
            return body.code.line(format!("{call};"));
        }
        let names: Vec<String> = definitions.iter().map(|_| body.names.fresh("r")).collect();
        body.code.line(format!("let ({}) = {call};", names.join(", ")));
        for (definition, name) in definitions.iter().zip(&names) {
            body.code.line(format!("{definition}{name};"));
        }
    }

    fn effect(&mut self, body: &mut Body<'_>, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Assert(cond, Check { cause, text }) => {
                let cond = body.operand(*cond).within(super::expr::Binds::Prefix);
                let site = self.shared.site(stmt.loc);
                body.code.open(format!("if !{cond} {{"));
                let devices = self.shared.device.any();
                self.open.iter().for_each(|open| body.code.line(open.run(devices)));
                self.run.iter().for_each(|run| body.code.line(run.run()));
                body.code
                    .line(format!("return Err(rt::fault::failed(rt::fault::Cause::{cause:?}, {text:?}, {site}));"));
                body.code.close("}");
            }
            Op::SameSize(a, b, text) => {
                let (a, b) = (body.exact_size(a).text(), body.exact_size(b).text());
                let site = self.shared.site(stmt.loc);
                body.code.line(format!("rt::fault::same_size({a}, {b}, {text:?}, {site})?;"));
            }
            _ => match self.message(body, stmt) {
                Some(line) => body.code.line(line),
                None => return false,
            },
        }
        true
    }
}

/// Whether a value is a constant made of zero bytes.
fn is_zero(body: &Body<'_>, value: Value) -> bool {
    match body.inlined.get(value) {
        Some(Op::Const(Const::Float(x))) => x.to_bits() == 0,
        Some(Op::Const(Const::Int(n))) => *n == 0,
        Some(Op::Const(Const::Bool(b))) => !*b,
        _ => false,
    }
}

/// A literal of a class.
fn number(x: f64, class: Class) -> String {
    match class {
        Class::Logical => (x != 0.0).to_string(),
        class if class.is_float() => format!("{x:?}_{}", rust_type(class)),
        class => format!("{x}_{}", rust_type(class)),
    }
}

/// The run-time type of a reduction's operation.
pub fn reducer(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum => "Sum",
        ReduceOp::Prod => "Prod",
        ReduceOp::Min => "Min",
        ReduceOp::Max => "Max",
        ReduceOp::Any => "Any",
        ReduceOp::All => "All",
    }
}

fn two(body: &Body<'_>, method: &'static str, a: &Size, b: &Size) -> String {
    let [a, b] = [a, b].map(|size| body.exact_size(size));
    a.typed(Class::Index).method(method, vec![b]).text()
}

/// `let n = ..;` for a symbol.
pub fn define_symbol(body: &mut Body<'_>, sym: Sym, text: &str) {
    let wanted = body.func.symbols.get(sym).name.clone();
    let name = body.names.fresh(&wanted);
    body.code.line(format!("let {name} = {text};"));
    body.symbols.insert(sym, name);
}

fn is_element(subs: &[Sub]) -> bool {
    subs.iter().all(|s| matches!(s, Sub::At(_)))
}

impl<'f> Dialect<'f> for Host<'_> {
    fn stmt(&mut self, body: &mut Body<'f>, stmt: &'f Stmt) {
        match &stmt.op {
            op if op.has_effect() && self.effect(body, stmt) => {}
            Op::Kernel(kernel) => kernel::launch(self, body, stmt, kernel),
            Op::Resize(array) if body.storage.shares(*array, stmt.results[0]) => self.grow(body, stmt, None),
            Op::Reshape(_) if body.storage.reshapes_variable(stmt) => {
                let (shape, site) = (body.shape(&body.func.ty(stmt.results[0]).dims), self.shared.site(stmt.loc));
                let array = body.text(stmt.results[0]);
                body.code.line(format!("{array}.reshape({shape}, {site})?;"));
            }
            Op::Concat(axis, parts) if body.storage.shares(parts[0], stmt.results[0]) => {
                self.grow(body, stmt, Some((*axis, &parts[1..])));
            }
            Op::Call(callee, args) => self.call(body, stmt, callee.index(), args),
            Op::Store { subs, value, checked, .. } if is_element(subs) => {
                self.store(body, stmt, *value, subs, *checked)
            }
            Op::Store { array: _, subs, value, .. } => {
                let array = stmt.results[0];
                let picks = self.picks(body, subs, array);
                let text = body.text(array);
                let site = self.shared.site(stmt.loc);
                let source = if body.func.ty(*value).is_scalar() {
                    // It may be read from the array itself, so it is read before.
                    let number = body.names.fresh("number");
                    body.code.line(format!("let {number} = {};", body.text(*value)));
                    let class = rust_type(body.func.ty(array).class);
                    format!("rt::whole::Source::<L, {class}, 2>::Number({number})")
                } else {
                    format!("rt::whole::Source::Array({})", self.view(body, *value))
                };
                body.code.line(format!("rt::whole::scatter(&mut {text}, [{picks}], {source}, {site})?;"));
            }
            _ => self.value(body, stmt),
        }
        for result in &stmt.results {
            self.define_symbols(body, Some(*result));
        }
    }

    fn returns(&mut self, body: &mut Body<'f>, values: &[(Value, How)]) {
        let texts: Vec<String> = values
            .iter()
            .map(|(v, how)| {
                let array = !body.func.ty(*v).is_scalar();
                if array && *how == How::Copy { self.copied(body, *v) } else { body.text(*v) }
            })
            .collect();
        let tuple = if texts.len() == 1 { texts[0].clone() } else { format!("({})", texts.join(", ")) };
        let last = body.code.depth() == 1;
        body.code.line(if last { format!("Ok({tuple})") } else { format!("return Ok({tuple});") });
    }

    fn copied(&self, body: &Body<'f>, value: Value) -> String {
        if self.shared.device.any() {
            return format!("rt::device::duplicated({})?", self.view(body, value));
        }
        let text = body.text(value);
        if self.views.contains(&value) { format!("{text}.to_owned()") } else { format!("{text}.clone()") }
    }

    fn freed(&mut self, slot: Slot, name: &str) -> Option<String> {
        if let Some(run) = &mut self.run {
            run.defer(format!("drop({name});"));
            return None;
        }
        Some(match self.open.as_ref().and_then(|open| open.spare(Some(slot))) {
            Some(spare) => format!("{spare}.keep({name});"),
            None => format!("drop({name});"),
        })
    }

    fn copied_around(&self, body: &Body<'f>, value: Value, number: usize) -> String {
        let sides =
            |side: usize| body.storage.stored[number].iter().map(|of| body.extent(&of[side])).collect::<Vec<_>>();
        let (view, first, count) = (self.view(body, value), sides(0).join(", "), sides(1).join(", "));
        if let Some(spare) = self.open.as_ref().and_then(|open| open.spare(body.storage.slot(value))) {
            return format!("{spare}.around({view}, [{first}], [{count}])?");
        }
        match self.shared.device.any() {
            true => format!("rt::device::duplicated_around({view}, [{first}], [{count}])?"),
            false => format!("rt::copied_around({view}, [{first}], [{count}])"),
        }
    }

    fn fetch(&mut self, body: &mut Body<'f>, name: &str, loc: Loc) {
        let site = self.shared.site(loc);
        body.code.line(super::device::fetch(name, &site));
    }

    fn fetch_element(&mut self, body: &mut Body<'f>, element: &Op, loc: Loc) {
        let Op::Index { array, subs, .. } = element else { return };
        let (site, text) = (self.shared.site(loc), body.text(*array));
        let (at, linear) = body.element_subscripts(*array, subs);
        let linear = if linear { "_linear" } else { "" };
        body.code.line(format!("{text}.fetch_at{linear}({at}, {site})?;"));
    }

    fn plan(&mut self, body: &mut Body<'f>, number: usize, arrays: &[String], rounds: &Rounds) {
        let in_time = self.open.as_ref().map(|open| format!("{}.decide", open.steps()));
        let decides = in_time.as_deref().map_or(("rt::device::decide", ""), |decides| (decides, "?"));
        let decision = self.shared.device.decision((number, decides), body, arrays, rounds);
        body.code.open("if rt::device::active() {");
        body.code.line(decision);
        body.code.close("}");
    }

    fn sizes(&mut self, body: &mut Body<'f>, values: &[Value]) {
        values.iter().for_each(|value| self.define_symbols(body, Some(*value)));
    }

    fn counter(&mut self, body: &mut Body<'f>, counter: Value) {
        let derived = |sizes: [&Size; 2]| sizes.iter().flat_map(|s| s.symbols()).collect::<Vec<_>>();
        let own = body.func.symbols.iter().find(|(_, data)| data.def == SymDef::Value(counter));
        let Some((sym, _)) = own else { return };
        let used = body.func.symbols.iter().any(|(_, data)| match &data.def {
            SymDef::Max(a, b) | SymDef::Min(a, b) | SymDef::FloorDiv(a, b) => derived([a, b]).contains(&sym),
            SymDef::Dim(..) | SymDef::Value(_) => false,
        });
        body.symbols.insert(sym, body.text(counter));
        if used {
            self.define_symbols(body, None);
        }
    }

    fn before_loop(&mut self, body: &mut Body<'f>, counter: Value, trip: &str) {
        if let Some(banded) = self.bands.get(&counter) {
            self.open = Some(Open::begin(banded, body, trip));
        }
        if let Some(stripped) = self.strips.iter().find(|stripped| stripped.is_in_steps(counter)) {
            self.steps = Some((stripped.run.kernels[0], stripped.before_steps(body)));
        }
    }

    fn behind_loop(&mut self, body: &mut Body<'f>, counter: Value) {
        if self.bands.contains_key(&counter)
            && let Some(open) = self.open.take()
        {
            open.end(body, self.shared.device.any());
        }
        if self.strips.iter().any(|stripped| stripped.is_in_steps(counter))
            && let Some((_, strips)) = self.steps.take()
        {
            body.code.line(format!("{strips}.run();"));
        }
    }

    fn enter_loop(&mut self, body: &mut Body<'f>, head: Value, parts: &[&[Item<'f>]]) -> bool {
        let mut uses = Uses::default();
        uses.expression(body, head);
        parts.iter().for_each(|items| uses.items(body, items));
        let mut names: Vec<(String, bool)> = uses
            .elements
            .iter()
            .filter(|name| !uses.whole.contains(*name))
            .map(|name| (name.clone(), uses.stored.contains(name)))
            .collect();
        names.sort();
        names.retain(|(name, _)| {
            !self.is_view(body, name) && !self.cursors.iter().flatten().any(|(outer, _)| outer == name)
        });
        let may_be_apart = self.apart.is_none() && self.steps_of.is_empty();
        let apart = if may_be_apart { apart::assigned(body, head, parts) } else { None };
        if names.is_empty() && apart.is_none() {
            return false;
        }
        body.code.open("{");
        for (name, stored) in &names {
            let method = if *stored { "cells" } else { "view" };
            let mutable = if *stored { "mut " } else { "" };
            body.code.line(format!("let {mutable}{name} = {name}.{method}();"));
        }
        self.cursors.push(names);
        if let Some(assigned) = apart {
            self.set_apart(body, &uses, &assigned);
        }
        true
    }

    fn overlapping(&mut self, body: &mut Body<'f>, head: (Value, &str), items: &[Item<'f>]) -> bool {
        self.overlap(body, head, items)
    }

    fn end_iteration(&mut self, body: &mut Body<'f>, counter: Value) {
        if let Some(turn) = self.steps_of.remove(&counter) {
            body.code.line(format!("{turn}.next();"));
        }
    }

    fn leave_loop(&mut self, body: &mut Body<'f>) {
        if let Some((_, handed)) = self.apart.take_if(|(depth, _)| *depth == self.cursors.len()) {
            body.code.line(format!("Ok({handed})"));
            body.code.close("})?;");
        }
        self.cursors.pop();
        body.code.close("}");
    }
}

impl Host<'_> {
    /// Begins a loop that is a function of its own and assigns these scalars.
    fn set_apart(&mut self, body: &mut Body<'_>, uses: &Uses, assigned: &[String]) {
        // Views are copied; elements of what a loop outside stores are not.
        let is_copied = |name: &String| {
            self.is_view(body, name) || self.cursors.last().is_some_and(|n| n.iter().any(|(own, _)| own == name))
        };
        let mut read: Vec<&String> = uses.elements.iter().filter(|name| !is_copied(name)).collect();
        read.sort();
        read.iter().for_each(|name| body.code.line(format!("let {name} = &{name};")));
        let handed = match assigned {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        body.code.open(format!("{handed} = rt::apart(move || {{"));
        assigned.iter().for_each(|name| body.code.line(format!("let mut {name} = {name};")));
        self.apart = Some((self.cursors.len(), handed));
    }

    fn is_view(&self, body: &Body<'_>, name: &str) -> bool {
        self.views.iter().any(|v| body.text(*v) == name)
    }

    /// A statement that defines values by an expression.
    fn value(&mut self, body: &mut Body<'_>, stmt: &Stmt) {
        let result = stmt.results[0];
        let ty = body.func.ty(result).clone();
        let text = match &stmt.op {
            Op::Index { array, subs, checked } if is_element(subs) && ty.is_scalar() => {
                self.element(body, stmt, *array, subs, *checked)
            }
            Op::ToIndex(a) => {
                body.bounded.insert(result);
                let (a, site) = (body.operand(*a), self.shared.site(stmt.loc));
                format!("rt::subscript::whole({} as f64, {site})?", a.within(super::expr::Binds::Cast))
            }
            op => {
                let pure = if ty.is_scalar() { scalar(body, op, ty.class) } else { None };
                match pure {
                    Some(expr) => expr.typed(ty.class).text(),
                    None => match self.made(body, stmt).or_else(|| self.whole(body, stmt)) {
                        Some(text) => text,
                        None => return self.shared.unsupported(body.func, stmt),
                    },
                }
            }
        };
        let define = body.define(result);
        body.code.line(format!("{define}{text};"));
    }
}
