//! A kernel whose rows share windows of what its sequential loops read ([`crate::schedule::windows`]).
//!
//! ```text
//! for some rows, for a few points of them:
//!   begin the sums of all rows
//!   for each iteration of the loops, where that which moves with the rows, if one does, has more iterations, by one for each row but the first:
//!     load what the rows share; for each row, of which it is an earlier iteration by the number of the row: if the row has it, add to its sum
//!   end the sums
//! ```
//! The loops' body is written once more, with registers full of neighbouring points in place of numbers (`rt::Wide`), of fewer registers, and these under a mask, for the last points
//! of rows. Fewer rows run as a tile does where each is an iteration later than the one before it; else what is one of them is computed again.

use super::panels::{NAMES, Text};
use super::places::texts;
use super::{Around, Checks, Writer};
use crate::cpu::body::Body;
use crate::cpu::expr::{Expr, rust_type};
use crate::cpu::groups::{Group, region_of};
use crate::hash::HashMap;
use crate::ir::{Class, Region, Terminator, Value};
use crate::schedule::windows::{TOGETHER, Windows};

/// Rows that go through the loop together where they read the same and each has one register of points.
const IN_ONE: u32 = 8;

impl<'n, 'f> Writer<'n, 'f> {
    /// The functions for the rows of a chunk, and for a few points of some of them.
    pub(super) fn window_functions(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        groups: &[Group<'_, 'f>],
        (layout, windows): (usize, &Windows),
    ) {
        let (name, class, loops) = (NAMES[layout], rust_type(windows.class), self.nest.loops.orders[0].len());
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn {name}<V: rt::Wide<{class}>>(&self, chunk: &rt::Chunk) {{"));
        match windows.moving {
            Some(_) => self.rows_in_turn(layout, class),
            None => self.rows_alike(layout, class),
        }
        self.run.close("}");
        self.run.line("\n");
        self.run.line("#[inline(always)]");
        self.run.open(format!(
            "fn {name}_tile<V: rt::Wide<{class}>, const ROWS: usize>(&self, at: [usize; {loops}], len: usize, l_rows: usize) {{"
        ));
        self.scalars();
        for (name, own) in self.lanes.clone() {
            self.run.line(match own == windows.class {
                true => format!("let mut {name} = [unsafe {{ rt::WideLane::<V, {class}>::clear() }}; ROWS];"),
                false => format!("let mut {name} = [rt::Short::<{}>::CLEAR; ROWS];", rust_type(own)),
            });
        }
        let line = self.iteration("at");
        self.run.line(line);
        (self.around, self.panels) = (Around::Tile, Some((layout, Vec::new())));
        self.groups(checks, body, groups);
        (self.around, self.panels) = (Around::Chunk, None);
        self.run.close("}");
        self.run.close("}");
    }

    /// The rows of a chunk, each an iteration later than the one before it: those that are fewer run as a tile does.
    fn rows_in_turn(&mut self, layout: usize, class: &str) {
        self.run.open(format!("for band in chunk.bands(self.extents, {TOGETHER}) {{"));
        self.run.open(format!("if band.rows < {TOGETHER} {{"));
        self.rows_alone("rt::in_tiles((rt::panels::Slab { first: band.first, rows: band.rows }).each(), 1)");
        self.run.line("continue;");
        self.run.close("}");
        self.pieces(layout, class, &TOGETHER.to_string());
        self.run.close("}");
    }

    /// The rows of a chunk side by side. More rows fit where each has one register only.
    fn rows_alike(&mut self, layout: usize, class: &str) {
        self.run.open(format!("for band in chunk.some_rows(self.extents, {TOGETHER}) {{"));
        self.run.open("for row in band.first.pieces(V::LEN).filter(|row| row.len == V::LEN) {");
        self.run.line(format!("self.{}_tile::<V, {TOGETHER}>(row.at, V::LEN, band.rows);", NAMES[layout]));
        self.run.close("}");
        self.run.close("}");
        self.run.open(format!("for band in chunk.some_rows(self.extents, {IN_ONE}) {{"));
        self.run.line("let row = band.first.behind_pieces(V::LEN);");
        self.fewer_registers(layout, class, (&IN_ONE.to_string(), "band.rows"));
        self.run.close("}");
    }

    /// A few points of some rows at a time.
    fn pieces(&mut self, layout: usize, class: &str, rows: &str) {
        self.run.open("for row in band.first.pieces(V::LEN) {");
        self.run.open("if row.len == V::LEN {");
        self.run.line(format!("self.{}_tile::<V, {rows}>(row.at, V::LEN, {rows});", NAMES[layout]));
        self.run.reopen("} else {");
        self.fewer_registers(layout, class, (rows, rows));
        self.run.close("}");
        self.run.close("}");
    }

    /// Fewer points of so many rows at most, in fewer registers.
    fn fewer_registers(&mut self, layout: usize, class: &str, (most, rows): (&str, &str)) {
        let name = NAMES[layout];
        let part = format!("<V::Part as rt::Wide<{class}>>::Part");
        self.run.open(format!("if row.len > <{part} as rt::Wide<{class}>>::LEN {{"));
        self.run.open(format!("for row in row.pieces(<V::Part as rt::Wide<{class}>>::LEN) {{"));
        self.run.line(format!("self.{name}_tile::<V::Part, {most}>(row.at, row.len, {rows});"));
        self.run.close("}");
        self.run.reopen("} else if row.len > 0 {");
        self.run.line(format!("self.{name}_tile::<{part}, {most}>(row.at, row.len, {rows});"));
        self.run.close("}");
    }

    /// The loops for a few points of some rows, between their beginning and their end.
    pub(super) fn in_windows(&mut self, body: &mut Body<'f>, windows: &Windows) {
        let inside = self.nest.maps.inside(self.nest.kernel);
        let regions: Option<Vec<&Region>> = windows.loops.iter().map(|(counter, _)| within(inside, *counter)).collect();
        let Some(([first, ..], innermost)) = regions.as_deref().map(|all| (all, all.last())) else { return };
        let (Some(sum), Some(innermost)) = (first.params.get(1), innermost) else { return };
        let Expr::Element(lane) = body.variable(*sum) else { return };
        let sums = body.names.fresh(&format!("{lane}_sums"));
        self.run.line(format!("let mut {sums}: [V; ROWS] = rt::WideLane::registers(&{lane});"));
        for (at, (counter, trip)) in windows.loops.iter().enumerate() {
            let (name, trip) = (body.text(*counter), self.nest.uniform(body, *trip).typed(Class::Index).text());
            if Some(at) == windows.moving {
                self.run.line(format!("let l_trip: i64 = {trip};"));
                self.run.open("for l_shared in 0..if l_trip > 0 { l_trip + (ROWS as i64 - 1) } else { 0 } {");
            } else {
                self.run.open(format!("for {name} in 0..({trip}) {{"));
            }
        }
        self.window(body, (innermost, windows), &sums);
        windows.loops.iter().for_each(|_| self.run.close("}"));
        self.run.line(format!("rt::WideLane::set(&mut {lane}, {sums});"));
    }

    /// An iteration for the points of all rows that have it.
    fn window(&mut self, body: &mut Body<'f>, (region, windows): (&Region, &Windows), sums: &str) {
        let mut values: HashMap<Value, Text> = HashMap::default();
        let moving = windows.moving.map(|at| body.text(windows.loops[at].0));
        moving.iter().for_each(|moving| self.run.line(format!("let {moving} = l_shared;")));
        for stmt in &region.stmts {
            let op = std::ptr::from_ref(&stmt.op);
            let access = self.nest.accesses.iter().find(|access| std::ptr::eq(access.op, op));
            let Some(access) = access.filter(|_| windows.shared.contains(&op)) else { continue };
            let (Some(array), Some(at)) = (self.nest.array(access.mem), self.subscripts(body, access)) else { return };
            let name = body.fresh_name(stmt.results[0]);
            self.run.line(format!(
                "let {name}: V = unsafe {{ V::load_row(self.{}.along([{}], len)) }};",
                array.name,
                texts(&at)
            ));
            values.insert(stmt.results[0], Text::Wide(name));
        }
        self.run.open("for l_sum in 0..ROWS {");
        match moving {
            Some(moving) => {
                self.run.line("let l_row = l_sum;");
                self.run.line(format!("let {moving} = l_shared - l_row as i64;"));
                self.run.open(format!("if {moving} as u64 >= l_trip as u64 {{"));
                self.run.line("continue;");
                self.run.close("}");
            }
            // Of fewer rows the last one is computed again, for nobody.
            None => self.run.line("let l_row = l_sum.min(l_rows - 1);"),
        }
        self.advance_rows();
        self.run.line(format!("let l_before = {sums}[l_sum];"));
        values.insert(region.params[1], Text::Wide("l_before".into()));
        region.stmts.iter().for_each(|stmt| self.in_register(body, stmt, &mut values));
        if let Terminator::Yield(yielded) = &region.term
            && let Some(value) = yielded.first()
        {
            let next = self.wide(body, &values, *value, windows.class);
            self.run.line(format!("{sums}[l_sum] = {next};"));
        }
        self.run.close("}");
    }
}

/// The body of the loop with this counter, however deep it stands.
fn within(region: &Region, counter: Value) -> Option<&Region> {
    let deeper = || region.stmts.iter().flat_map(|stmt| stmt.op.regions()).find_map(|inner| within(inner, counter));
    region_of(region, counter).or_else(deeper)
}
