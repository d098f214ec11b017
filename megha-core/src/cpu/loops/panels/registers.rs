//! The register tile of a few rows of a panel: its loop with registers in place of numbers.

use super::{NAMES, region_with};
use crate::cpu::body::Body;
use crate::cpu::expr::{Context, Expr, rust_type, scalar};
use crate::cpu::groups::Group;
use crate::cpu::loops::places::texts;
use crate::cpu::loops::{Around, Checks, Writer, is_linear};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Func, Op, Region, Stmt, Terminator, Unary, Value};
use crate::schedule::panels::{Panels, ROWS};

/// Iterations that are written out one after the other: without, counting takes a tenth of the instructions.
const UNROLLED: usize = 4;

/// A value in a register tile.
#[derive(Clone)]
pub(in crate::cpu::loops) enum Text {
    /// The same for all points of a row.
    Number(Expr),
    /// Registers.
    Wide(String),
}

/// The values of an iteration that are numbers, for expressions of them.
struct Numbers<'a, 'f, 'n> {
    writer: &'a Writer<'n, 'f>,
    body: &'a Body<'f>,
    values: &'a HashMap<Value, Text>,
}

impl Context for Numbers<'_, '_, '_> {
    fn func(&self) -> &Func {
        self.body.func
    }

    fn operand(&self, value: Value) -> Expr {
        match self.values.get(&value) {
            Some(Text::Number(expr)) => expr.clone(),
            Some(Text::Wide(name)) => Expr::name(name.clone()),
            None => self.writer.nest.uniform(self.body, value),
        }
    }

    fn is_bounded(&self, value: Value) -> bool {
        self.body.is_bounded(value)
    }
}

/// The method of `rt::Wide` for an operation.
fn method(op: Binary) -> Option<&'static str> {
    match op {
        Binary::Add => Some("plus"),
        Binary::Sub => Some("minus"),
        Binary::Mul => Some("times"),
        Binary::Div => Some("over"),
        _ => None,
    }
}

/// Which rows of a register tile take part in an iteration, and where their sums are.
enum Rows<'n> {
    /// All, in an array;
    All(&'n str),
    /// those that have it, in an array;
    Some(&'n str),
    /// all, each in a variable of its own.
    Apart(&'n [String]),
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The function for a few rows of a panel.
    pub(super) fn register_tile(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (layout, panels, names): (usize, &Panels, &[String]),
    ) {
        let Some((_, region)) = region_with(self.nest.maps.inside(self.nest.kernel), panels.counter) else { return };
        let (class, loops) = (rust_type(panels.class), self.nest.loops.orders[0].len());
        let count = self.parts(region, panels).numbers.len();
        let params = names.iter().map(|name| format!(", {name}: rt::panels::Panel<{class}>"));
        let own = (count > 0).then(|| format!(", l_numbers: rt::panels::OfBand<{class}, {count}, {ROWS}>"));
        let few = panels.span.is_some().then(|| ", l_few: rt::panels::Few".to_owned());
        let params: String = params.chain(own).chain(few).collect();
        self.run.line("\n");
        self.run.line("#[inline(always)]");
        self.run.open(format!(
            "fn {}_tile<V: rt::Wide<{class}>>(&self, at: [usize; {loops}], len: usize, l_rows: usize, l_steps: rt::panels::Steps, l_sums: &mut rt::panels::Sums<V, {ROWS}>{params}) {{",
            NAMES[layout],
        ));
        self.run.line(format!("const ROWS: usize = {ROWS};"));
        self.run.line("let l_tile = l_sums.tile();");
        self.scalars();
        for (name, own) in self.lanes.clone() {
            self.run.line(if own == panels.class {
                format!("let mut {name} = [unsafe {{ rt::WideLane::<V, {class}>::clear() }}; ROWS];")
            } else {
                format!("let mut {name} = [rt::Short::<{}>::CLEAR; ROWS];", rust_type(own))
            });
        }
        let line = self.iteration("at");
        self.run.line(line);
        (self.around, self.panels) = (Around::Tile, Some((layout, names.to_vec())));
        let mut when = "if l_steps.begins {";
        for group in groups {
            let own = std::slice::from_ref(group);
            if let Group::Loop(..) = group {
                self.groups(checks, body, own);
                when = "if l_steps.ends {";
            } else {
                self.run.open(when);
                self.groups(checks, body, own);
                self.run.close("}");
            }
        }
        (self.around, self.panels) = (Around::Chunk, None);
        self.run.close("}");
    }

    /// The loop of a register tile, between its beginning and its end.
    pub(in crate::cpu::loops) fn in_registers(&mut self, body: &mut Body<'f>, layout: usize, names: &[String]) {
        let Some(panels) = self.nest.loops.panels[layout].clone() else { return };
        let nest = self.nest;
        let Some((_, region)) = region_with(nest.maps.inside(nest.kernel), panels.counter) else { return };
        let kept = self.kept_here(region);
        let lane = match region.params[..] {
            [_, sum] => match body.variable(sum) {
                Expr::Element(name) => Some(name),
                _ => None,
            },
            _ => kept.clone(),
        };
        let Some(lane) = lane else { return };
        let sum = body.names.fresh(&format!("{lane}_sums"));
        self.run.open(format!("let mut {sum}: [V; ROWS] = if l_steps.begins {{"));
        self.run.line(format!("rt::WideLane::registers(&{lane})"));
        self.run.reopen("} else {");
        self.run.line("unsafe { l_sums.of(l_tile) }");
        self.run.close("};");
        let iteration = |writer: &mut Self, body: &mut Body<'f>, rows: &Rows| {
            let usual = std::mem::take(&mut writer.run);
            writer.iteration_in_registers(body, (region, &panels, names), rows);
            std::mem::replace(&mut writer.run, usual).finish()
        };
        // Where some loops pass over rows that do not have an iteration, LLVM leaves the array of the sums in memory for all of them. So those that pass over none have a variable for each row.
        let apart: Vec<String> = match panels.span {
            Some(_) => (0..ROWS).map(|row| body.names.fresh(&format!("{sum}{row}"))).collect(),
            None => Vec::new(),
        };
        let (of_all, of_some) = match panels.span {
            Some(_) => (iteration(self, body, &Rows::Apart(&apart)), iteration(self, body, &Rows::Some(&sum))),
            None => (iteration(self, body, &Rows::All(&sum)), String::new()),
        };
        let ends = if panels.span.is_some() {
            self.run.line("let (l_any, l_all) = (l_few.any(), l_few.all());");
            self.run.open("for l_step in l_any.start..l_all.start {");
            self.run.line(&of_some);
            self.run.close("}");
            ["l_all.start", "l_all.end", "l_any.end"]
        } else {
            ["0", "l_steps.len", "l_steps.len"]
        };
        self.run.line(format!("let mut l_step = {};", ends[0]));
        if !apart.is_empty() {
            self.run.line(format!("let [mut {}] = {sum};", apart.join(", mut ")));
        }
        self.run.open(format!("while l_step + {UNROLLED} <= {} {{", ends[1]));
        self.run.open(format!("for l_step in l_step..l_step + {UNROLLED} {{"));
        self.run.line(&of_all);
        self.run.close("}");
        self.run.line(format!("l_step += {UNROLLED};"));
        self.run.close("}");
        if !apart.is_empty() {
            self.run.line(format!("{sum} = [{}];", apart.join(", ")));
        }
        self.run.open(format!("for l_step in l_step..{} {{", ends[2]));
        self.run.line(if panels.span.is_some() { &of_some } else { &of_all });
        self.run.close("}");
        self.run.open("if l_steps.ends {");
        self.run.line(format!("rt::WideLane::set(&mut {lane}, {sum});"));
        self.run.reopen("} else {");
        self.run.line(format!("l_sums.put(l_tile, {sum});"));
        self.run.close("}");
    }

    /// An iteration for the points of rows of a register tile.
    fn iteration_in_registers(
        &mut self,
        body: &mut Body<'f>,
        (region, panels, names): (&Region, &Panels, &[String]),
        rows: &Rows,
    ) {
        let mut values: HashMap<Value, Text> = HashMap::default();
        for (value, name) in self.parts(region, panels).panels.iter().zip(names) {
            let row = body.names.fresh(&format!("{name}_row"));
            self.run.line(format!("let {row}: V = unsafe {{ {name}.at(l_step) }};"));
            values.insert(*value, Text::Wide(row));
        }
        let sum = match rows {
            Rows::All(sum) | Rows::Some(sum) => format!("{sum}[l_row]"),
            Rows::Apart(sums) => {
                for (row, sum) in sums.iter().enumerate() {
                    self.run.open("{");
                    self.row_in_registers(body, (region, panels), (sum, &row.to_string()), values.clone());
                    self.run.close("}");
                }
                return;
            }
        };
        self.run.open("for l_row in 0..ROWS {");
        if let Rows::Some(_) = rows {
            self.run.open("if !l_few.has(l_row, l_step) {");
            self.run.line("continue;");
            self.run.close("}");
        }
        self.row_in_registers(body, (region, panels), (&sum, "l_row"), values);
        self.run.close("}");
    }

    /// An iteration for the points of a row, by its number.
    fn row_in_registers(
        &mut self,
        body: &mut Body<'f>,
        (region, panels): (&Region, &Panels),
        (sum, row): (&str, &str),
        mut values: HashMap<Value, Text>,
    ) {
        let parts = self.parts(region, panels);
        self.run.line(format!("let mut sums = {sum};"));
        values.extend(region.params.get(1).map(|value| (*value, Text::Wide("sums".into()))));
        for (which, value) in parts.numbers.iter().copied().enumerate() {
            let name = body.fresh_name(value);
            self.run.line(format!("let {name} = unsafe {{ l_numbers.at(l_step, {which}, {row}) }};"));
            values.insert(value, Text::Number(Expr::name(name)));
        }
        parts.both.iter().for_each(|stmt| self.in_register(body, stmt, &mut values));
        if let Terminator::Yield(yielded) = &region.term
            && let Some(value) = yielded.first()
        {
            let next = self.wide(body, &values, *value, panels.class);
            self.run.line(format!("sums = {next};"));
        }
        self.run.line(format!("{sum} = sums;"));
    }

    /// The lane of the element that the loop keeps.
    fn kept_here(&self, region: &Region) -> Option<String> {
        region.stmts.iter().find_map(|stmt| self.kept.get(&std::ptr::from_ref(&stmt.op)).cloned())
    }

    /// A statement of an iteration for the points of a row.
    pub(in crate::cpu::loops) fn in_register(
        &mut self,
        body: &mut Body<'f>,
        stmt: &Stmt,
        values: &mut HashMap<Value, Text>,
    ) {
        if let Op::Put(_, _, value) = &stmt.op {
            let class = body.func.ty(*value).class;
            let next = self.wide(body, values, *value, class);
            return self.run.line(format!("sums = {next};"));
        }
        let [result] = stmt.results[..] else { return };
        let class = body.func.ty(result).class;
        if class == Class::Index || values.contains_key(&result) {
            return;
        }
        let is_wide = |value: &Value| matches!(values.get(value), Some(Text::Wide(_)));
        let text = match &stmt.op {
            op @ Op::Load(..) if self.kept.contains_key(&std::ptr::from_ref(op)) => {
                // What is stored later in the iteration is another value.
                let name = body.fresh_name(result);
                self.run.line(format!("let {name} = sums;"));
                Text::Wide(name)
            }
            op @ Op::Load(..) => {
                let access = self.nest.accesses.iter().find(|a| std::ptr::eq(a.op, op));
                let Some((access, array)) = access.and_then(|a| Some((a, self.nest.array(a.mem)?))) else { return };
                let Some(at) = self.subscripts(body, access) else { return };
                let name = body.fresh_name(result);
                let (array, at) = (&array.name, texts(&at));
                let element = match is_linear(self.nest, access) {
                    true => format!("self.{array}.at_linear({at})"),
                    false => format!("self.{array}.at([{at}])"),
                };
                self.run.line(format!("let {name} = unsafe {{ {element} }};"));
                Text::Number(Expr::name(name))
            }
            Op::Binary(op, a, b) if is_wide(a) || is_wide(b) => {
                let Some(method) = method(*op) else { return };
                let [a, b] = [a, b].map(|value| self.wide(body, values, *value, class));
                let name = body.fresh_name(result);
                self.run.line(format!("let {name} = unsafe {{ V::{method}({a}, {b}) }};"));
                Text::Wide(name)
            }
            Op::Fma(a, b, c) if [a, b, c].into_iter().any(is_wide) => {
                let [a, b, c] = [a, b, c].map(|value| self.wide(body, values, *value, class));
                let name = body.fresh_name(result);
                self.run.line(format!("let {name} = unsafe {{ V::fused({a}, {b}, {c}) }};"));
                Text::Wide(name)
            }
            Op::Unary(Unary::Neg, a) if is_wide(a) => {
                let a = self.wide(body, values, *a, class);
                let name = body.fresh_name(result);
                self.run.line(format!("let {name} = unsafe {{ V::minus(V::all(-0.0), {a}) }};"));
                Text::Wide(name)
            }
            op => {
                let Some(expr) = scalar(&Numbers { writer: self, body, values }, op, class) else { return };
                if matches!(op, Op::Const(_)) {
                    Text::Number(expr)
                } else {
                    let name = body.fresh_name(result);
                    self.run.line(format!("let {name} = {};", expr.typed(class).text()));
                    Text::Number(Expr::name(name))
                }
            }
        };
        values.insert(result, text);
    }

    /// A value as registers.
    pub(in crate::cpu::loops) fn wide(
        &self,
        body: &Body<'f>,
        values: &HashMap<Value, Text>,
        value: Value,
        class: Class,
    ) -> String {
        match values.get(&value) {
            Some(Text::Wide(name)) => name.clone(),
            _ => {
                let number = Numbers { writer: self, body, values }.operand(value).typed(class).text();
                format!("V::all({number})")
            }
        }
    }
}
