//! A kernel with sequential loops: tiles of a row of points, through which its loops go.
//!
//! What such a loop carries, and the elements of arrays that it updates again and again, are kept in one element per point of the tile. The
//! loop then runs in the form that the schedule says: whole for a few points at a time, in a function of its own that is
//! called with a constant number of points, so that what they carry is in registers; or a few iterations at a time for the whole tile, and
//! for the tiles of neighbouring rows at the same time where they share what they load. Each point goes through the iterations in
//! order.

use super::places::texts;
use super::{Around, Checks, Kind, Outside, Writer};
use crate::cpu::body::{Body, Place};
use crate::cpu::expr::{Binds, rust_type};
use crate::cpu::groups::{Group, region_of};
use crate::cpu::scheduled::Sweep;
use crate::cpu::source::Code;
use crate::cpu::storage::Item;
use crate::ir::{Class, Mem, Op, Region, Value};
use crate::schedule::cost::{Form, REGISTERS};
use crate::schedule::sweep::kept;

impl<'n, 'f> Writer<'n, 'f> {
    /// Whether several rows run at a time in one of the layouts.
    pub(super) fn bands(&self) -> bool {
        self.panels.is_some() || self.nest.loops.rows != [1, 1]
    }

    /// The loops over rows of which several iterations run at a time: columns first, rows first.
    pub(super) fn row_axes(&self) -> [Option<usize>; 2] {
        [0, 1].map(|layout| {
            let order = &self.nest.loops.orders[layout];
            let together = match &self.panels {
                Some((own, _)) => *own == layout,
                None => self.nest.loops.rows[layout] > 1,
            };
            together.then(|| order[order.len() - 2])
        })
    }

    /// A lane's tile of one row.
    pub(super) fn of_row(&self) -> &'static str {
        if self.bands() { "[l_row]" } else { "" }
    }

    /// Names the lanes of elements that loops keep, and finds what moves where several iterations run at a time.
    pub(super) fn keep(&mut self, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        for group in groups {
            let Group::Loop(counter, ..) = group else { continue };
            let (Some(sweep), Some(region)) =
                (self.nest.loops.sweep(*counter), region_of(self.nest.maps.inside(self.nest.kernel), *counter))
            else {
                continue;
            };
            let elements = self.elements(*counter);
            let mut touching = Vec::new();
            let mut counters = vec![*counter];
            touched(region, &mut touching, &mut counters);
            for mem in &elements {
                let Some(array) = self.nest.array(*mem) else { continue };
                let (wanted, class) = (format!("{}_kept", array.name), array.ty.class);
                let name = body.names.fresh(&wanted);
                self.outside.push(Outside::given(name.clone(), Kind::Lane(class)));
                self.lanes.push((name.clone(), class));
                let of_array = self.nest.accesses.iter().filter(|a| a.mem == *mem && !a.unwritten);
                let inside = of_array.map(|a| std::ptr::from_ref(a.op)).filter(|op| touching.contains(op));
                self.kept.extend(inside.map(|op| (op, name.clone())));
            }
            if sweep.forms.iter().any(|form| matches!(form, Form::Steps(_))) {
                // What is loaded before the loop may be written in it, where each row has its own.
                let before = if self.bands() { self.direct_loads() } else { Vec::new() };
                self.stepped.extend(touching.into_iter().chain(before).map(|op| (op, counters.clone())));
            }
        }
    }

    /// The loads that stand in no loop and no branch.
    fn direct_loads(&self) -> Vec<*const Op> {
        let stmts = self.nest.maps.inside(self.nest.kernel).stmts.iter();
        stmts.filter(|stmt| matches!(stmt.op, Op::Load(..))).map(|stmt| std::ptr::from_ref(&stmt.op)).collect()
    }

    /// The arrays of which a loop keeps one element for each point.
    fn elements(&self, counter: Value) -> Vec<Mem> {
        let region = region_of(self.nest.maps.inside(self.nest.kernel), counter);
        region.map(|region| kept(&self.nest.maps, &self.nest.accesses, region)).unwrap_or_default()
    }

    /// The lane that keeps the element of a load or store.
    pub(super) fn kept_place(&self, op: &Op) -> Option<Place> {
        self.kept.get(&std::ptr::from_ref(op)).cloned().map(Place::Row)
    }

    /// A few points whose elements lie apart are best loaded one by one, where LLVM would gather them with AVX-512: that takes nearly
    /// three times as long.
    pub(super) fn highest_set(&mut self) {
        let few = |layout: usize| {
            let rest = self.nest.loops.panels[layout].is_none();
            let mut forms = self.nest.loops.sweeps.iter().map(|sweep| sweep.forms[layout]);
            rest && forms.any(|form| matches!(form, Form::Points(points) if points < REGISTERS))
        };
        let most = [0, 1].map(|layout| format!("rt::Level::{}", if few(layout) { "Avx2" } else { "Avx512" }));
        if few(0) || few(1) {
            self.run.line(format!("const MOST: rt::Level = {};", by_layout(most)));
        }
    }

    /// The loop over the tiles of a chunk.
    pub(super) fn tiles_of_rows(&mut self) {
        if !self.bands() {
            let rows = self.rows_within();
            self.run.open(format!("for row in rt::in_tiles({rows}, 1) {{"));
            self.run.line("self.tile(row.at, row.len);");
            self.run.close("}");
            return;
        }
        let most = by_layout(self.nest.loops.rows.map(|rows| rows.to_string()));
        let together = self.nest.loops.rows.into_iter().max().unwrap_or(1);
        self.run.open(format!("for band in chunk.bands(self.extents, {most}) {{"));
        self.run.open("for row in band.first.tiles() {");
        self.run.open("match band.rows {");
        self.run.line(format!("{together} => self.tile::<{together}>(row.at, row.len),"));
        self.run.line("_ => self.tile::<1>(row.at, row.len),");
        self.run.close("}");
        self.run.close("}");
        self.run.close("}");
    }

    /// The function for one tile.
    pub(super) fn tile(&mut self, checks: &mut Checks<'_, 'n, 'f>, body: &mut Body<'f>, groups: &[Group<'_, 'f>]) {
        let (generic, loops) = (if self.bands() { "<const ROWS: usize>" } else { "" }, self.nest.loops.orders[0].len());
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn tile{generic}(&self, at: [usize; {loops}], len: usize) {{"));
        self.scalars();
        for (name, class) in self.lanes.clone() {
            let tile = format!("rt::Tile::<{}>::CLEAR", rust_type(class));
            let tiles = if self.bands() { format!("[{tile}; ROWS]") } else { tile };
            self.run.line(format!("let mut {name} = {tiles};"));
        }
        let line = self.iteration("at");
        self.run.line(line);
        self.around = Around::Tile;
        self.groups(checks, body, groups);
        self.around = Around::Chunk;
        self.run.close("}");
        let sweeps = std::mem::take(&mut self.sweeps);
        self.run.append(sweeps);
        self.run.close("}");
    }

    /// Code for each of the rows that run together.
    pub(super) fn each_row(&mut self, write: impl FnOnce(&mut Self)) {
        if !(self.bands() && self.around == Around::Tile) {
            return write(self);
        }
        let rows = if self.panels.is_some() { "l_rows" } else { "ROWS" };
        self.run.open(format!("for l_row in 0..{rows} {{"));
        self.advance_rows();
        write(self);
        self.run.close("}");
    }

    pub(super) fn advance_rows(&mut self) {
        let axes = self.row_axes();
        let lines: Vec<String> = self.outside.iter().filter_map(|o| o.advanced(axes, "l_row")).collect();
        lines.into_iter().for_each(|line| self.run.line(line));
    }

    /// A sequential loop of a tile.
    pub(super) fn sweep(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        (counter, trip, inner): (Value, Value, &[Group<'_, 'f>]),
    ) {
        let Some(Sweep { forms, .. }) = self.nest.loops.sweep(counter).cloned() else {
            // A loop inside one of which several iterations run at a time.
            return self.steps(checks, body, self.steps_inside, (counter, trip, inner));
        };
        let kept = self.elements(counter);
        self.run.open("{");
        // What rows alike have, or each one of a register tile by itself.
        let some = (!kept.is_empty())
            .then(|| format!("if {} > 0 {{", self.nest.uniform(body, trip).typed(Class::Index).within(Binds::Compare)));
        let (of_all, of_each) = if self.is_ragged() { (None, some) } else { (some, None) };
        if let Some(of_all) = &of_all {
            self.run.open(of_all);
        }
        if !kept.is_empty() {
            self.at_an_end("begins", |this| this.keeps(body, (counter, &kept), of_each.as_deref(), false));
        }
        match forms {
            _ if self.panels.is_some() => {
                let panels = self.panels.clone();
                panels.into_iter().for_each(|(layout, names)| match &self.nest.loops.windows[layout] {
                    Some(windows) => self.in_windows(body, windows),
                    None => self.in_registers(body, layout, &names),
                });
            }
            [one, other] if one == other => self.form(checks, body, one, (counter, trip, inner)),
            forms => self.in_each_order(|this, order| this.form(checks, body, forms[order], (counter, trip, inner))),
        }
        if !kept.is_empty() {
            self.at_an_end("ends", |this| this.keeps(body, (counter, &kept), of_each.as_deref(), true));
        }
        if of_all.is_some() {
            self.run.close("}");
        }
        self.run.close("}");
    }

    /// Whether this is a register tile whose rows have iterations of their own.
    fn is_ragged(&self) -> bool {
        let layout = self.panels.as_ref().map(|(layout, _)| *layout);
        layout.and_then(|layout| self.nest.loops.panels[layout].as_ref()).is_some_and(|panels| panels.span.is_some())
    }

    /// Code for the beginning or the end of a loop, of which a register tile may do a part.
    fn at_an_end(&mut self, end: &str, write: impl FnOnce(&mut Self)) {
        if self.panels.is_none() {
            return write(self);
        }
        self.run.open(format!("if l_steps.{end} {{"));
        write(self);
        self.run.close("}");
    }

    fn form(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        form: Form,
        parts: (Value, Value, &[Group<'_, 'f>]),
    ) {
        match form {
            Form::Points(points) => self.few_points(checks, body, points, parts),
            Form::Steps(steps) => self.steps(checks, body, steps, parts),
        }
    }

    /// Reads the elements that a loop keeps into their lanes, or writes them back. Another loop may keep those of the same array, in lanes of its own.
    fn keeps(&mut self, body: &Body<'f>, (counter, elements): (Value, &[Mem]), condition: Option<&str>, back: bool) {
        let (mut touching, mut counters) = (Vec::new(), Vec::new());
        let region = region_of(self.nest.maps.inside(self.nest.kernel), counter);
        region.into_iter().for_each(|region| touched(region, &mut touching, &mut counters));
        touching.retain(|op| self.kept.contains_key(op));
        for mem in elements {
            let mut of_array = self.nest.accesses.iter().filter(|a| a.mem == *mem);
            let Some(access) = of_array.find(|a| touching.contains(&std::ptr::from_ref(a.op))) else { continue };
            let (Some(array), Some(at)) = (self.nest.array(*mem), self.subscripts(body, access)) else { continue };
            let lane = format!("{}{}[l]", self.kept[&std::ptr::from_ref(access.op)], self.of_row());
            let (name, at) = (array.name.clone(), texts(&at));
            self.each_row(|this| {
                if let Some(condition) = condition {
                    this.run.open(condition);
                }
                this.run.open("for l in 0..len {");
                let axes = this.nest.loops.walks.map(|walk| Some(walk.axis));
                let lines: Vec<String> = this.outside.iter().filter_map(|o| o.advanced(axes, "l")).collect();
                lines.into_iter().for_each(|line| this.run.line(line));
                this.run.line(match back {
                    true => format!("unsafe {{ self.{name}.put([{at}], {lane}) }};"),
                    false => format!("{lane} = unsafe {{ self.{name}.at([{at}]) }};"),
                });
                this.run.close("}");
                if condition.is_some() {
                    this.run.close("}");
                }
            });
        }
    }

    /// The loop for a few points after the other.
    fn few_points(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        points: usize,
        (counter, trip, inner): (Value, Value, &[Group<'_, 'f>]),
    ) {
        let name = format!("sweep{}", self.calls);
        let lanes = self.sweep_function(checks, body, &name, (counter, trip, inner));
        let last = self.nest.loops.orders[0].len() - 1;
        let row = if self.bands() { "[0]" } else { "" };
        self.run.open(format!("for l_piece in (rt::Row {{ at, len }}).pieces({points}) {{"));
        self.run.line(format!("let done = l_piece.at[{last}] - at[{last}];"));
        self.run.open(format!("if l_piece.len == {points} {{"));
        let mut held = Vec::new();
        for (lane, class) in &lanes {
            let name = body.names.fresh(&format!("{lane}_held"));
            let class = rust_type(*class);
            // `std::array::from_fn` would be a call, which without the instruction set copies one by one.
            self.run.line(format!("let mut {name}: [{class}; {points}] = [Default::default(); {points}];"));
            self.run.line(format!("{name}.copy_from_slice(&{lane}{row}[done..done + {points}]);"));
            held.push(name);
        }
        let call = |args: Vec<String>, len: &str| {
            let args: Vec<String> = ["l_piece.at".to_owned(), len.to_owned()].into_iter().chain(args).collect();
            format!("self.{name}({});", args.join(", "))
        };
        self.run.line(call(held.iter().map(|name| format!("&mut {name}")).collect(), &points.to_string()));
        for ((lane, _), name) in lanes.iter().zip(&held) {
            self.run.line(format!("{lane}{row}[done..done + {points}].copy_from_slice(&{name});"));
        }
        self.run.reopen("} else {");
        let rest = |from: &str, len: &str| -> Vec<String> {
            lanes.iter().map(|(lane, _)| format!("&mut {lane}{row}[{from}..{from} + {len}]")).collect()
        };
        if points < REGISTERS {
            // One by one, so that what a point carries is in registers too.
            self.run.open("for l_piece in l_piece.pieces(1) {");
            self.run.line(format!("let done = l_piece.at[{last}] - at[{last}];"));
            self.run.line(call(rest("done", "1"), "1"));
            self.run.close("}");
        } else {
            self.run.line(call(rest("done", "l_piece.len"), "l_piece.len"));
        }
        self.run.close("}");
        self.run.close("}");
    }

    /// The function for a whole loop over a few points; gives the lanes that it takes.
    fn sweep_function(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        name: &str,
        (counter, trip, inner): (Value, Value, &[Group<'_, 'f>]),
    ) -> Vec<(String, Class)> {
        let outer = std::mem::take(&mut self.run);
        let touched = std::mem::take(&mut self.touched);
        let around = std::mem::replace(&mut self.around, Around::Sweep);
        self.groups(checks, body, std::slice::from_ref(&Group::Loop(counter, trip, inner.iter().map(again).collect())));
        self.around = around;
        let used = std::mem::replace(&mut self.touched, touched);
        let code = std::mem::take(&mut self.run);
        let lanes: Vec<(String, Class)> = self.lanes.iter().filter(|(n, _)| used.contains(n)).cloned().collect();
        let params: Vec<String> =
            lanes.iter().map(|(lane, class)| format!(", {lane}: &mut [{}]", rust_type(*class))).collect();
        self.run.line("\n");
        self.run.line("#[inline(always)]");
        let loops = self.nest.loops.orders[0].len();
        self.run.open(format!("fn {name}(&self, at: [usize; {loops}], len: usize{}) {{", params.concat()));
        self.scalars();
        let line = self.iteration("at");
        self.run.line(line);
        self.run.append(code);
        self.run.close("}");
        let function = std::mem::replace(&mut self.run, outer);
        self.sweeps.append(function);
        lanes
    }

    /// A few iterations at a time where the loop's body is one loop over points; else the loops inside are so.
    fn steps(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        steps: usize,
        (counter, trip, inner): (Value, Value, &[Group<'_, 'f>]),
    ) {
        let trip = self.nest.uniform(body, trip).typed(Class::Index);
        let name = body.text(counter);
        let [Group::Points(items)] = inner else {
            self.run.open(format!("for {name} in 0..{} {{", trip.within(Binds::Or)));
            let outer = std::mem::replace(&mut self.steps_inside, steps);
            self.groups(checks, body, inner);
            self.steps_inside = outer;
            return self.run.close("}");
        };
        let (function, params) = self.step_function(checks, body, counter, items);
        let rows = if self.bands() { "ROWS, " } else { "" };
        let pass = |o: &Outside| match &o.kind {
            Kind::Lane(_) => format!("&mut {}", o.name),
            _ => o.pass.clone().unwrap_or_else(|| o.name.clone()),
        };
        let args: Vec<String> = std::iter::once("len".to_owned()).chain(params.iter().map(pass)).collect();
        self.run.line(format!("let (mut {name}, l_steps) = (0, {trip});"));
        for number in if steps > 1 { vec![steps, 1] } else { vec![1] } {
            let last = if number > 1 { format!("{name} + {}", number - 1) } else { name.clone() };
            self.run.open(format!("while {last} < l_steps {{"));
            self.fetch(&params);
            self.run.line(format!("{function}::<L, {rows}{number}>({});", args.join(", ")));
            self.run.line(format!("{name} += {number};"));
            self.run.close("}");
        }
    }

    /// The function for a few iterations over a tile.
    fn step_function(
        &mut self,
        checks: &mut Checks<'_, 'n, 'f>,
        body: &mut Body<'f>,
        counter: Value,
        items: &[&Item<'f>],
    ) -> (String, Vec<Outside>) {
        let mut places = body.places.clone();
        places.extend(self.step_places.clone());
        let usual = std::mem::replace(&mut body.places, places);
        let (params, code) = self.loop_over_points(checks, body, items);
        body.places = usual;
        let name = format!("{}_loop{}", self.stem, self.calls);
        self.calls += 1;
        let rows = if self.bands() { "const ROWS: usize, " } else { "" };
        let declare = |o: &Outside| match &o.kind {
            Kind::Lane(class) => {
                let tile = format!("rt::Tile<{}>", rust_type(*class));
                format!("{}: &mut {}", o.name, if self.bands() { format!("[{tile}; ROWS]") } else { tile })
            }
            kind => format!("{}: {}", o.name, kind.ty()),
        };
        let list: Vec<String> = std::iter::once("len: usize".to_owned()).chain(params.iter().map(declare)).collect();
        let mut text = Code::default();
        text.line("#[inline(always)]");
        text.open(format!("fn {name}<L: rt::Layout, {rows}const STEPS: usize>({}) {{", list.join(", ")));
        text.line("let len = len.min(rt::TILE);");
        for o in params.iter().filter(|o| matches!(o.kind, Kind::RowIn(_))) {
            text.line(format!("let {0} = &{0}[..len];", o.name));
        }
        text.open("for l in 0..len {");
        let axes = self.nest.loops.walks.map(|walk| Some(walk.axis));
        params.iter().filter_map(|o| o.advanced(axes, "l")).for_each(|line| text.line(line));
        if self.bands() {
            text.open("for l_row in 0..ROWS {");
            params.iter().filter_map(|o| o.advanced(self.row_axes(), "l_row")).for_each(|line| text.line(line));
            for o in params.iter().filter(|o| matches!(o.kind, Kind::Lane(_))) {
                text.line(format!("let {0} = &mut {0}[l_row];", o.name));
            }
        }
        text.open("for l_step in 0..STEPS {");
        let number = body.text(counter);
        if params.iter().any(|o| o.name == number) {
            text.line(format!("let {number} = {number} + l_step as i64;"));
        }
        text.append(code);
        text.close("}");
        if self.bands() {
            text.close("}");
        }
        text.close("}");
        text.close("}");
        text.line("\n");
        self.functions.append(text);
        (name, params)
    }
}

/// A text that depends on the layout: columns first, rows first.
fn by_layout([columns, rows]: [String; 2]) -> String {
    if columns == rows {
        return columns;
    }
    format!("match L::ORDER {{ rt::Order::ColMajor => {columns}, rt::Order::RowMajor => {rows} }}")
}

/// The same group once more.
fn again<'a, 'f>(group: &Group<'a, 'f>) -> Group<'a, 'f> {
    match group {
        Group::Points(items) => Group::Points(items.clone()),
        Group::Loop(counter, trip, inner) => Group::Loop(*counter, *trip, inner.iter().map(again).collect()),
    }
}

/// The loads and stores in a region, and the counters of the loops in it.
fn touched(region: &Region, found: &mut Vec<*const Op>, counters: &mut Vec<Value>) {
    for stmt in &region.stmts {
        match &stmt.op {
            op @ (Op::Load(..) | Op::Put(..)) => found.push(std::ptr::from_ref(op)),
            op => {
                if let Op::For { body, .. } = op {
                    counters.push(body.params[0]);
                }
                op.regions().into_iter().for_each(|nested| touched(nested, found, counters));
            }
        }
    }
}
