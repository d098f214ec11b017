//! A kernel whose rows share what its sequential loop reads: register tiles over packed panels ([`crate::schedule::panels`]).
//!
//! ```text
//! for each panel of points: pack what all rows read there
//!   for each few rows: begin their sums; for each iteration: a row of the panel, to which each row's sums are added; end
//! ```
//! The loop's body is written once more, with registers full of neighbouring points in place of numbers (`rt::Wide`). What stands around
//! the loop is loops over points as elsewhere. Rows that are left over, and panels of few points, run as a tile does.

use super::places::texts;
use super::tiles::region_of;
use super::{Around, Checks, Writer};
use crate::cpu::body::Body;
use crate::cpu::expr::{Binds, Context, Expr, rust_type, scalar};
use crate::cpu::groups::Group;
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Func, Op, Region, Stmt, Terminator, Value};
use crate::schedule::panels::{Packed, Panels, ROWS};

/// The names of the functions: columns first, rows first.
const NAMES: [&str; 2] = ["columns", "rows"];

/// A value in a register tile.
#[derive(Clone)]
enum Text {
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

fn registers(class: Class) -> &'static str {
    if class == Class::Single { "I::Singles" } else { "I::Doubles" }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The code of a chunk: panels where the schedule for the layout has them.
    pub(super) fn in_panels(&mut self) {
        let panels = self.nest.loops.panels.clone();
        self.run.open("match L::ORDER {");
        for (layout, order) in ["ColMajor", "RowMajor"].into_iter().enumerate() {
            self.run.open(format!("rt::Order::{order} => {{"));
            match &panels[layout] {
                Some(panels) => {
                    self.run.line(format!("self.{}::<{}>(chunk);", NAMES[layout], registers(panels.class)));
                }
                None => self.tiles_of_rows(),
            }
            self.run.close("}");
        }
        self.run.close("}");
    }

    /// The functions for panels and for register tiles.
    pub(super) fn panel_functions(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
    ) {
        for layout in [0, 1] {
            let Some(panels) = self.nest.loops.panels[layout].clone() else { continue };
            let names: Vec<String> = panels.packed.iter().map(|packed| self.panel_name(body, packed)).collect();
            self.run.line("\n");
            self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
            self.panels(body, layout, &panels, &names);
            self.register_tile(checks, body, groups, (layout, &panels, &names));
            self.run.close("}");
        }
    }

    fn panel_name(&self, body: &mut Body<'f>, packed: &Packed) -> String {
        let array = self.nest.array(packed.mem).map_or("packed", |array| &array.name);
        body.names.fresh(&format!("{array}_panel"))
    }

    /// The loop over the panels of a chunk.
    fn panels(&mut self, body: &Body<'f>, layout: usize, panels: &Panels, names: &[String]) {
        let (name, class) = (NAMES[layout], rust_type(panels.class));
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn {name}<V: rt::Wide<{class}>>(&self, chunk: &rt::Chunk) {{"));
        self.scalars();
        let steps = self.steps_of(body, panels);
        for name in names {
            self.run.line(format!("let mut {name} = rt::Panel::<{class}>::new(rt::extent({steps}));"));
        }
        let bounded = self.nest.is_bounded();
        let cut = if bounded { ".map(|row| self.within(row)).filter(|row| row.len > 0)" } else { "" };
        self.run.open(format!("for row in chunk.beside_panels(self.extents, {ROWS}, V::LEN){cut} {{"));
        let tile = if self.bands() { "self.tile::<1>(row.at, row.len);" } else { "self.tile(row.at, row.len);" };
        self.run.line(tile);
        self.run.close("}");
        self.run.open("for part in chunk.panels(V::LEN) {");
        self.run.line("let mut packed = None;");
        self.run.open(format!("for band in part.bands(self.extents, {ROWS}).filter(|band| band.rows == {ROWS}) {{"));
        if bounded {
            self.run.open("if !band.each().all(|row| self.within(row).len == row.len) {");
            self.run.open(format!("for row in band.each(){cut} {{"));
            self.run.line(tile);
            self.run.close("}");
            self.run.line("continue;");
            self.run.close("}");
        }
        self.run.line("let row = band.first;");
        let order = &self.nest.loops.orders[layout];
        let outer = |axis: &usize| panels.packed.iter().any(|packed| packed.outer.contains(axis));
        let key: Vec<String> =
            (0..order.len()).filter(|at| outer(&order[*at])).map(|at| format!("row.at[{at}]")).collect();
        self.run.open(format!("if packed != Some([{}] as [usize; {}]) {{", key.join(", "), key.len()));
        let line = self.iteration("row.at");
        self.run.line(line);
        for (packed, name) in panels.packed.iter().zip(names) {
            self.pack(body, panels, packed, name);
        }
        self.run.line(format!("packed = Some([{}]);", key.join(", ")));
        self.run.close("}");
        let args: Vec<String> = names.iter().map(|name| format!(", &{name}")).collect();
        self.run.line(format!("self.{name}_tile::<V>(row.at, row.len{});", args.concat()));
        self.run.close("}");
        self.run.close("}");
        self.run.close("}");
    }

    fn steps_of(&self, body: &Body<'f>, panels: &Panels) -> String {
        let trip = region_with(self.nest.maps.inside(self.nest.kernel), panels.counter).map(|(trip, _)| trip);
        trip.map_or_else(|| "0".into(), |trip| self.nest.uniform(body, trip).typed(Class::Index).text())
    }

    fn pack(&mut self, body: &Body<'f>, panels: &Panels, packed: &Packed, name: &str) {
        let access = self.nest.accesses.iter().find(|a| packed.ops.contains(&std::ptr::from_ref(a.op)));
        let Some((access, array)) = access.and_then(|a| Some((a, self.nest.array(a.mem)?))) else { return };
        let Some(at) = self.subscripts(body, access) else { return };
        let element = format!("unsafe {{ self.{}.at([{}]) }}", array.name, texts(&at));
        self.run.open(format!("{name}.pack::<V>(row.len, {}, |l_step, l| {{", packed.turned));
        self.run.line(format!("let {} = l_step as i64;", body.text(panels.counter)));
        let axes = self.nest.loops.walks.map(|walk| Some(walk.axis));
        let lines: Vec<String> = self.outside.iter().filter_map(|o| o.advanced(axes, "l")).collect();
        lines.into_iter().for_each(|line| self.run.line(line));
        self.run.line(element);
        self.run.close("});");
    }

    /// The function for a few rows of a panel.
    fn register_tile(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (layout, panels, names): (usize, &Panels, &[String]),
    ) {
        let (class, loops) = (rust_type(panels.class), self.nest.loops.orders[0].len());
        let params: Vec<String> = names.iter().map(|name| format!(", {name}: &rt::Panel<{class}>")).collect();
        self.run.line("\n");
        self.run.line("#[inline(always)]");
        self.run.open(format!(
            "fn {}_tile<V: rt::Wide<{class}>>(&self, at: [usize; {loops}], len: usize{}) {{",
            NAMES[layout],
            params.concat()
        ));
        self.run.line(format!("const ROWS: usize = {ROWS};"));
        self.scalars();
        for (name, class) in self.lanes.clone() {
            self.run.line(format!("let mut {name} = [rt::Short::<{}>::CLEAR; ROWS];", rust_type(class)));
        }
        let line = self.iteration("at");
        self.run.line(line);
        (self.around, self.panels) = (Around::Tile, Some((layout, names.to_vec())));
        self.groups(checks, body, groups);
        (self.around, self.panels) = (Around::Chunk, None);
        self.run.close("}");
    }

    /// The loop of a register tile, between its beginning and its end.
    pub(super) fn in_registers(&mut self, body: &mut Body<'f>, layout: usize, names: &[String]) {
        let Some(panels) = self.nest.loops.panels[layout].clone() else { return };
        let nest = self.nest;
        let Some((trip, region)) = region_with(nest.maps.inside(nest.kernel), panels.counter) else { return };
        let kept = self.kept_here(region);
        let lane = match region.params[..] {
            [_, sum] => match body.variable(sum) {
                Expr::Element(name) => Some(name),
                _ => None,
            },
            _ => kept.clone(),
        };
        let Some(lane) = lane else { return };
        let (sum, counter) = (body.names.fresh(&format!("{lane}_sums")), body.text(panels.counter));
        self.run.line(format!("let mut {sum}: [V; ROWS] = {lane}.each_ref().map(|lane| unsafe {{ lane.wide() }});"));
        let trip = self.nest.uniform(body, trip).typed(Class::Index).within(Binds::Or);
        self.run.open(format!("for {counter} in 0..{trip} {{"));
        let mut values: HashMap<Value, Text> = HashMap::default();
        for (packed, name) in panels.packed.iter().zip(names) {
            let row = body.names.fresh(&format!("{name}_row"));
            self.run.line(format!("let {row}: V = unsafe {{ {name}.at({counter}) }};"));
            let loads = region.stmts.iter().filter(|s| packed.ops.contains(&std::ptr::from_ref(&s.op)));
            values.extend(loads.flat_map(|s| &s.results).map(|result| (*result, Text::Wide(row.clone()))));
        }
        self.run.open("for l_row in 0..ROWS {");
        self.advance_rows();
        self.run.line(format!("let mut sums = {sum}[l_row];"));
        values.extend(region.params.get(1).map(|value| (*value, Text::Wide("sums".into()))));
        for stmt in &region.stmts {
            self.in_register(body, stmt, &mut values);
        }
        if let Terminator::Yield(yielded) = &region.term
            && let Some(value) = yielded.first()
        {
            let next = self.wide(body, &values, *value, panels.class);
            self.run.line(format!("sums = {next};"));
        }
        self.run.line(format!("{sum}[l_row] = sums;"));
        self.run.close("}");
        self.run.close("}");
        self.run.open(format!("for (lane, sums) in {lane}.iter_mut().zip({sum}) {{"));
        self.run.line("unsafe { lane.set(sums) };");
        self.run.close("}");
    }

    /// The lane of the element that the loop keeps.
    fn kept_here(&self, region: &Region) -> Option<String> {
        region.stmts.iter().find_map(|stmt| self.kept.get(&std::ptr::from_ref(&stmt.op)).cloned())
    }

    /// A statement of an iteration for the points of a row.
    fn in_register(&mut self, body: &mut Body<'f>, stmt: &Stmt, values: &mut HashMap<Value, Text>) {
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
                self.run.line(format!("let {name} = unsafe {{ self.{}.at([{}]) }};", array.name, texts(&at)));
                Text::Number(Expr::name(name))
            }
            Op::Binary(op, a, b) if is_wide(a) || is_wide(b) => {
                let Some(method) = method(*op) else { return };
                let [a, b] = [a, b].map(|value| self.wide(body, values, *value, class));
                let name = body.fresh_name(result);
                self.run.line(format!("let {name} = unsafe {{ V::{method}({a}, {b}) }};"));
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
    fn wide(&self, body: &Body<'f>, values: &HashMap<Value, Text>, value: Value, class: Class) -> String {
        match values.get(&value) {
            Some(Text::Wide(name)) => name.clone(),
            _ => {
                let number = Numbers { writer: self, body, values }.operand(value).typed(class).text();
                format!("V::all({number})")
            }
        }
    }
}

/// The number of iterations and the body of the loop with this counter.
fn region_with(region: &Region, counter: Value) -> Option<(Value, &Region)> {
    let body = region_of(region, counter)?;
    region.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::For { trip, body: own, .. } if std::ptr::eq(&**own, body) => Some((*trip, body)),
        _ => None,
    })
}
