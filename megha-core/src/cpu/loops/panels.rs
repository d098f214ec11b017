//! A kernel whose rows share what its sequential loop reads: register tiles over packed panels ([`crate::schedule::panels`]).
//!
//! ```text
//! for some points, for some iterations, for rows in the same iteration of the loops outside, for some of them:
//!   for each panel of points, for each few rows:
//!     pack what all rows read at the panel's points, and what each row reads for all of them, where it is not packed yet
//!     begin sums, or take those of the iterations before; for each iteration: a row of the panel, to which each row's sums are added; keep sums, or end
//! ```
//! The loop's body is written once more, with registers full of neighbouring points in place of numbers (`rt::Wide`); what it computes of the
//! shared elements alone, or of a row's own numbers alone, is packed in their place. What stands around the loop is loops over points as elsewhere. Very few rows, and the last points of rows,
//! run as a tile does. Where rows have not the same iterations (`rt::panels::Span`), a tile goes through those that all of its rows have as usual, and asks each row
//! in those before and behind them. If more than the sums lives from what stands before the loop to what stands behind it, all iterations are one block.

mod registers;

pub(super) use self::registers::Text;
use super::{Checks, Writer};
use crate::cpu::body::Body;
use crate::cpu::expr::rust_type;
use crate::cpu::groups::{Group, region_of};
use crate::hash::HashMap;
use crate::ir::{Class, Op, Region, Stmt, Terminator, Value};
use crate::schedule::panels::{Panels, ROWS, Span};

/// The names of the functions: columns first, rows first.
pub(super) const NAMES: [&str; 2] = ["columns", "rows"];

/// The statements of an iteration by what they need.
#[derive(Default)]
struct Parts<'r> {
    /// A row's own numbers alone,
    own: Vec<&'r Stmt>,
    /// elements that rows share alone,
    shared: Vec<&'r Stmt>,
    /// both, or sums.
    both: Vec<&'r Stmt>,
    /// What of a row's own numbers is packed, for the last of these need it,
    numbers: Vec<Value>,
    /// and what of the shared elements.
    panels: Vec<Value>,
}

fn registers(class: Class) -> &'static str {
    if class == Class::Single { "I::Singles" } else { "I::Doubles" }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The code of a chunk: register tiles over panels or windows where the schedule for the layout has them.
    pub(super) fn in_panels(&mut self) {
        let loops = &self.nest.loops;
        let classes = [0, 1].map(|layout| {
            let panels = loops.panels[layout].as_ref().map(|panels| panels.class);
            panels.or(loops.windows[layout].as_ref().map(|windows| windows.class))
        });
        self.in_each_order(|this, layout| match classes[layout] {
            Some(class) => this.run.line(format!("self.{}::<{}>(chunk);", NAMES[layout], registers(class))),
            None => this.tiles_of_rows(),
        });
    }

    /// The functions for panels and for register tiles.
    pub(super) fn panel_functions(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
    ) {
        self.iterations(body);
        for layout in [0, 1] {
            if let Some(windows) = &self.nest.loops.windows[layout] {
                self.window_functions(checks, body, groups, (layout, windows));
            }
            let Some(panels) = self.nest.loops.panels[layout].clone() else { continue };
            let names = self.panel_names(body, &panels);
            self.run.line("\n");
            self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
            self.panels(body, layout, &panels, &names);
            self.register_tile(checks, body, groups, (layout, &panels, &names));
            self.run.close("}");
        }
    }

    /// How many iterations the loop has for a row, where not all rows have the same ones: what launches are divided by.
    fn iterations(&mut self, body: &Body<'f>) {
        let trip = |panels: &Panels| Some(region_with(self.nest.maps.inside(self.nest.kernel), panels.counter)?.0);
        let panels = self.nest.loops.panels.iter().flatten().find(|panels| panels.span.is_some());
        let Some(trip) = panels.and_then(trip).and_then(|trip| self.nest.maps.affine(trip)) else { return };
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn iterations(&self, at: [usize; {}]) -> i64 {{", self.nest.loops.orders[0].len()));
        self.scalars();
        let line = self.iteration("at");
        self.run.line(line);
        let text = self.nest.affine(body, &trip).typed(Class::Index).text();
        self.run.line(text);
        self.run.close("}");
        self.run.close("}");
    }

    /// A name for each panel.
    fn panel_names(&self, body: &mut Body<'f>, panels: &Panels) -> Vec<String> {
        let region = region_of(self.nest.maps.inside(self.nest.kernel), panels.counter);
        let count = region.map_or(0, |region| self.parts(region, panels).panels.len());
        let arrays: Vec<&str> = panels.packed.iter().filter_map(|p| Some(&*self.nest.array(p.mem)?.name)).collect();
        let array = |number: usize| arrays.get(number).or(arrays.last()).copied().unwrap_or("packed");
        (0..count).map(|number| body.names.fresh(&format!("{}_panel", array(number)))).collect()
    }

    /// The loops over blocks, panels and rows of a chunk.
    fn panels(&mut self, body: &mut Body<'f>, layout: usize, panels: &Panels, names: &[String]) {
        let Some((trip, region)) = region_with(self.nest.maps.inside(self.nest.kernel), panels.counter) else { return };
        let (name, class, last) = (NAMES[layout], rust_type(panels.class), self.nest.loops.orders[0].len() - 1);
        let parts = self.parts(region, panels);
        let numbers = &parts.numbers;
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn {name}<V: rt::Wide<{class}>>(&self, chunk: &rt::Chunk) {{"));
        self.scalars();
        let trip = match &panels.span {
            Some(span) => self.span(body, span),
            None => format!("rt::extent({})", self.nest.uniform(body, trip).typed(Class::Index).text()),
        };
        let parted = self.lanes.len() == 1;
        self.run.line(format!("let l_blocks = rt::panels::Blocks::of::<{class}, V>({trip}, {ROWS}, {parted});"));
        self.rows_alone("chunk.beside_panels(self.extents, V::LEN)");
        for name in names {
            self.run.line(format!("let mut {name} = rt::panels::Panels::<{class}>::new();"));
        }
        if !numbers.is_empty() {
            let count = numbers.len();
            self.run.line(format!("let mut l_numbers = rt::panels::Numbers::<{class}, {count}, {ROWS}>::new();"));
        }
        self.run.open("for part in chunk.parts(V::LEN, l_blocks.points) {");
        self.run.line(format!("let mut l_sums = rt::panels::Sums::<V, {ROWS}>::new(&part, self.extents, l_blocks);"));
        self.run.open("for l_steps in l_blocks.steps() {");
        self.run.line("let mut packed = None;");
        self.run.line("l_sums.rewind();");
        self.run.open("for slab in part.slabs(self.extents) {");
        self.run.open("if slab.is_little() {");
        self.run.open("if l_steps.begins {");
        self.rows_alone("rt::in_tiles(slab.each(), 1)");
        self.run.close("}");
        self.run.line("continue;");
        self.run.close("}");
        self.begin_panels(layout, panels, names);
        self.run.open("for slab in slab.pieces(l_blocks.rows) {");
        if !numbers.is_empty() {
            self.run.line("l_numbers.begin(slab.rows, l_steps.len);");
        }
        self.run.open("for (l_panel, points) in part.panels(V::LEN) {");
        self.run.open(format!("for (l_band, rows) in slab.at(&points).pieces({ROWS}).enumerate() {{"));
        if self.nest.is_bounded() {
            self.run.open("if !rows.each().all(|row| self.within(row).len == row.len) {");
            self.run.open("if l_steps.begins {");
            self.rows_alone("rows.each()");
            self.run.close("}");
            self.run.line("continue;");
            self.run.close("}");
        }
        for (value, name) in parts.panels.iter().zip(names) {
            self.pack(body, (panels, &parts), *value, (name, last));
        }
        if panels.span.is_some() {
            self.run.line("let l_few = l_span.few(rows, l_steps);");
        }
        self.pack_numbers(body, (panels, layout), &parts);
        let operands = names.iter().map(|name| format!(", {name}.of(l_panel)"));
        let own = (!numbers.is_empty()).then(|| ", l_numbers.of(l_band)".to_owned());
        let few = panels.span.is_some().then(|| ", l_few".to_owned());
        let operands: String = operands.chain(own).chain(few).collect();
        self.run.line(format!(
            "self.{name}_tile::<V>(rows.first.at, rows.first.len, rows.rows, l_steps, &mut l_sums{operands});"
        ));
        (0..7).for_each(|_| self.run.close("}"));
    }

    /// The iterations of the rows of a chunk, as `l_span`; how many the longest has.
    fn span(&mut self, body: &Body<'f>, Span { trip, more, begins }: &Span) -> String {
        let trip = self.nest.affine(body, trip).typed(Class::Index).text();
        self.run.line(format!("let l_span = rt::panels::Span::of(({trip}, {more}), {begins}, chunk, self.extents);"));
        "l_span.all".into()
    }

    /// The loop's counter in iteration `l_step` of a block, for a row.
    fn counter(&mut self, body: &Body<'f>, panels: &Panels, row: &str) {
        let number = "l_steps.first + l_step";
        let text = match panels.span {
            Some(_) => format!("l_span.counter({number}, {row})"),
            None => format!("({number}) as i64"),
        };
        self.run.line(format!("let {} = {text};", body.text(panels.counter)));
    }

    /// The loop over rows that run as a tile does.
    pub(super) fn rows_alone(&mut self, rows: &str) {
        let cut = if self.nest.is_bounded() { ".map(|row| self.within(row)).filter(|row| row.len > 0)" } else { "" };
        self.run.open(format!("for row in {rows}{cut} {{"));
        self.run.line(if self.bands() { "self.tile::<1>(row.at, row.len);" } else { "self.tile(row.at, row.len);" });
        self.run.close("}");
    }

    /// Begins the panels anew where the loops outside of the rows have moved on to others.
    fn begin_panels(&mut self, layout: usize, panels: &Panels, names: &[String]) {
        let order = &self.nest.loops.orders[layout];
        let outer = |axis: &usize| panels.packed.iter().any(|packed| packed.outer.contains(axis));
        let key: Vec<String> =
            (0..order.len()).filter(|at| outer(&order[*at])).map(|at| format!("slab.first.at[{at}]")).collect();
        let key = key.join(", ");
        self.run.open(format!("if packed != Some([{key}] as [usize; {}]) {{", key.split_terminator(", ").count()));
        for name in names {
            self.run.line(format!("{name}.begin::<V>(part.inner.len(), l_steps.len);"));
        }
        self.run.line(format!("packed = Some([{key}]);"));
        self.run.close("}");
    }

    /// Packs a panel, and those that lie beside it, unless it is packed.
    fn pack(
        &mut self,
        body: &mut Body<'f>,
        (panels, parts): (&Panels, &Parts<'_>),
        value: Value,
        (name, last): (&str, usize),
    ) {
        let all = !self.nest.is_bounded();
        self.run.open(format!("if let Some(l_points) = {name}.wanted::<V>(l_panel, {all}) {{"));
        self.run.line("let mut at = rows.first.at;");
        self.run.line(format!("at[{last}] = part.inner.start + l_points.start;"));
        let line = self.iteration("at");
        self.run.line(line);
        let turned = panels.packed.iter().any(|packed| packed.turned);
        self.run.open(format!("{name}.pack::<V>(l_points, {turned}, |l_step, l| {{"));
        self.counter(body, panels, &format!("at[{}]", last - 1));
        self.advance_points();
        let mut values: HashMap<Value, Text> = HashMap::default();
        parts.shared.iter().for_each(|stmt| self.in_register(body, stmt, &mut values));
        let element = match values.get(&value) {
            Some(Text::Number(expr)) => expr.text(),
            Some(Text::Wide(name)) => name.clone(),
            None => return,
        };
        self.run.line(element);
        self.run.close("});");
        self.run.close("}");
    }

    fn advance_points(&mut self) {
        let axes = self.nest.loops.walks.map(|walk| Some(walk.axis));
        let lines: Vec<String> = self.outside.iter().filter_map(|o| o.advanced(axes, "l")).collect();
        lines.into_iter().for_each(|line| self.run.line(line));
    }

    /// The statements of an iteration by what they need: constants everywhere.
    fn parts<'r>(&self, region: &'r Region, panels: &Panels) -> Parts<'r> {
        let mut parts = Parts::default();
        let (mut own, mut shared, mut both) = (Vec::new(), Vec::new(), region.params[1..].to_vec());
        for stmt in &region.stmts {
            let op = std::ptr::from_ref(&stmt.op);
            let (mut of_row, mut of_all) = (false, panels.packed.iter().any(|packed| packed.ops.contains(&op)));
            let mut of_both = self.kept.contains_key(&op);
            stmt.op.for_each_operand(&mut |value| {
                of_row |= own.contains(&value);
                of_all |= shared.contains(&value);
                of_both |= both.contains(&value);
            });
            let is_const = matches!(stmt.op, Op::Const(_));
            let is_own = !is_const && !of_both && !of_all && self.is_of_class(stmt, panels);
            let (list, values) = match () {
                () if of_both || of_row && of_all => (&mut parts.both, Some(&mut both)),
                () if of_all => (&mut parts.shared, Some(&mut shared)),
                () => (&mut parts.own, is_own.then_some(&mut own)),
            };
            list.push(stmt);
            values.into_iter().for_each(|values| values.extend(&stmt.results));
            if is_const {
                parts.shared.push(stmt);
                parts.both.push(stmt);
            }
        }
        let mut met = Vec::new();
        parts.both.iter().for_each(|stmt| stmt.op.for_each_operand(&mut |value| met.push(value)));
        if let Terminator::Yield(yielded) = &region.term {
            met.extend(yielded);
        }
        own.retain(|value| met.contains(value));
        shared.retain(|value| met.contains(value));
        (parts.numbers, parts.panels) = (own, shared);
        parts
    }

    fn is_of_class(&self, stmt: &Stmt, panels: &Panels) -> bool {
        stmt.results.iter().all(|result| self.nest.maps.class(*result) == panels.class)
    }

    /// Packs the numbers of a few rows, unless they are packed.
    fn pack_numbers(&mut self, body: &mut Body<'f>, (panels, layout): (&Panels, usize), parts: &Parts<'_>) {
        if parts.numbers.is_empty() {
            return;
        }
        self.run.open("if l_numbers.lacks(l_band) {");
        let line = self.iteration("rows.first.at");
        self.run.line(line);
        let turned = panels.turned;
        self.run.open(match panels.span {
            Some(_) => format!("l_numbers.pack_some(l_band, l_few, {turned}, |l_step, l_row| {{"),
            None => format!("l_numbers.pack(l_band, rows.rows, {turned}, |l_step, l_row| {{"),
        });
        let last = self.nest.loops.orders[0].len() - 1;
        self.counter(body, panels, &format!("rows.first.at[{}] + l_row", last - 1));
        self.panels = Some((layout, Vec::new()));
        self.advance_rows();
        self.panels = None;
        let mut values: HashMap<Value, Text> = HashMap::default();
        parts.own.iter().for_each(|stmt| self.in_register(body, stmt, &mut values));
        let list = parts.numbers.iter().filter_map(|value| match values.get(value)? {
            Text::Number(expr) => Some(expr.text()),
            Text::Wide(name) => Some(name.clone()),
        });
        let list: Vec<String> = list.collect();
        self.run.line(format!("[{}]", list.join(", ")));
        self.run.close("});");
        self.run.close("}");
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
