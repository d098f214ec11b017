//! Sequential loops for vectors of points, whose elements are transposed a few iterations at a time ([`crate::schedule::transposed`]).
//!
//! ```text
//! for each vector of points of a tile, the last of which may be short:
//!   take what the points carry into registers
//!   for each few iterations: transpose what they load into blocks; run them, with registers in place of numbers; transpose back what they stored
//!   keep what the points carry
//! ```

use super::Writer;
use super::places::texts;
use super::registers::Text;
use super::tiles::region_of;
use crate::cpu::body::Body;
use crate::cpu::expr::{Binds, Expr, rust_type};
use crate::hash::HashMap;
use crate::ir::{Class, Op, Region, Stmt, Terminator, Value};
use crate::schedule::transposed::{Transposed, Way};

/// What a loop's code is written from.
struct Parts<'p> {
    transposed: &'p Transposed,
    /// The names of its blocks.
    names: Vec<String>,
    /// The loop's body, its counter and how often it runs.
    region: &'p Region,
    trip: String,
}

impl<'n, 'f> Writer<'n, 'f> {
    /// Whether a loop runs for vectors of points in some order of memory.
    pub(super) fn is_transposed(&self) -> bool {
        self.nest.loops.sweeps.iter().any(|sweep| sweep.transposed.iter().any(Option::is_some))
    }

    /// The loop for a vector of points after the other.
    pub(super) fn in_vectors(
        &mut self,
        body: &mut Body<'f>,
        (order, steps): (usize, usize),
        (counter, trip): (Value, Value),
    ) {
        let nest = self.nest;
        let Some(transposed) = nest.loops.sweep(counter).and_then(|sweep| sweep.transposed[order].as_ref()) else {
            return;
        };
        let Some(region) = region_of(nest.maps.inside(nest.kernel), counter) else { return };
        let arrays = transposed.blocks.iter().map(|block| nest.array(block.mem).map_or("block", |array| &array.name));
        let names = arrays.map(|name| body.names.fresh(&format!("{name}_block"))).collect();
        let trip = nest.uniform(body, trip).typed(Class::Index).within(Binds::Compare);
        let parts = Parts { transposed, names, region, trip };
        let name = format!("{}_vector{}", self.stem, self.calls);
        self.calls += 1;
        let lanes = self.vector_function(body, &name, steps, &parts);
        let last = nest.loops.orders[0].len() - 1;
        let registers = if transposed.class == Class::Single { "I::Singles" } else { "I::Doubles" };
        let width = format!("<{registers} as rt::Wide<{}>>::LEN", rust_type(transposed.class));
        self.run.open(format!("for l_piece in (rt::Row {{ at, len }}).pieces({width}) {{"));
        self.run.line(format!("let done = l_piece.at[{last}] - at[{last}];"));
        let lanes = lanes.iter().map(|lane| format!(", &mut {lane}[done..done + l_piece.len]"));
        self.run.line(format!("self.{name}::<{registers}>(l_piece.at, l_piece.len{});", lanes.collect::<String>()));
        self.run.close("}");
    }

    /// The function for a vector of points; gives the lanes that it takes.
    fn vector_function(&mut self, body: &mut Body<'f>, name: &str, steps: usize, parts: &Parts<'_>) -> Vec<String> {
        let (class, loops) = (rust_type(parts.transposed.class), self.nest.loops.orders[0].len());
        let lanes = self.carried(body, parts);
        let params: String = lanes.iter().map(|(_, lane)| format!(", {lane}: &mut [{class}]")).collect();
        let outer = std::mem::take(&mut self.run);
        self.run.line("\n");
        self.run.line("#[inline(always)]");
        self.run.open(format!("fn {name}<V: rt::Wide<{class}>>(&self, at: [usize; {loops}], len: usize{params}) {{"));
        self.scalars();
        let line = self.iteration("at");
        self.run.line(line);
        for (block, name) in parts.transposed.blocks.iter().zip(&parts.names) {
            let elements = steps + block.reach;
            self.run.line(format!("let mut {name} = unsafe {{ rt::transposed::Block::<V, {elements}>::clear() }};"));
        }
        let mut values: HashMap<Value, Text> = HashMap::default();
        for (value, lane) in &lanes {
            let name = body.fresh_name(*value);
            self.run.line(format!("let mut {name}: V = unsafe {{ rt::transposed::first({lane}) }};"));
            values.insert(*value, Text::Wide(name));
        }
        self.run.line(format!("let (mut l_first, l_trip) = (0, {});", parts.trip));
        self.run.open("while l_first < l_trip {");
        self.run.line(format!("let l_steps = rt::extent(l_trip - l_first).min({steps});"));
        self.transpose(body, steps, parts);
        self.run.open("for l_step in 0..l_steps {");
        self.counted(body, parts);
        self.vector_iteration(body, parts, &mut values);
        self.run.close("}");
        self.transpose_back(body, steps, parts);
        self.run.line(format!("l_first += {steps};"));
        self.run.close("}");
        for (value, lane) in &lanes {
            let kept = self.wide(body, &values, *value, parts.transposed.class);
            self.run.line(format!("unsafe {{ rt::transposed::keep({kept}, {lane}) }};"));
        }
        self.run.close("}");
        let function = std::mem::replace(&mut self.run, outer);
        self.sweeps.append(function);
        lanes.into_iter().map(|(_, lane)| lane).collect()
    }

    /// The values that the points carry, with their lanes.
    fn carried(&self, body: &Body<'f>, parts: &Parts<'_>) -> Vec<(Value, String)> {
        let lane = |value: Value| match body.variable(value) {
            Expr::Element(name) => name,
            other => other.text(),
        };
        parts.region.params[1..].iter().map(|value| (*value, lane(*value))).collect()
    }

    /// The loop's counter in iteration `l_step` of some.
    fn counted(&mut self, body: &Body<'f>, parts: &Parts<'_>) {
        self.run.line(format!("let {} = l_first + l_step as i64;", body.text(parts.region.params[0])));
    }

    /// The element of an access in iteration `l_step` for point `l`, as the arguments that say where it is.
    fn element(&mut self, body: &Body<'f>, parts: &Parts<'_>, op: *const Op) -> Option<(String, String)> {
        let access = self.nest.accesses.iter().find(|access| std::ptr::eq(access.op, op))?;
        let array = self.nest.array(access.mem)?;
        let at = texts(&self.subscripts(body, access)?);
        self.counted(body, parts);
        self.advance_points();
        Some((array.name.clone(), at))
    }

    /// Fills the blocks for some iterations.
    fn transpose(&mut self, body: &Body<'f>, all: usize, parts: &Parts<'_>) {
        for (block, name) in parts.transposed.blocks.iter().zip(&parts.names) {
            for load in &block.loads {
                let steps = load.first.map_or("l_steps".to_owned(), |first| format!("l_steps.min({first})"));
                self.run.open(format!("unsafe {{ {name}.fill::<_, {all}>({}, {steps}, len, |l_step, l| {{", load.at));
                if let Some((array, at)) = self.element(body, parts, load.op) {
                    self.run.line(format!("self.{array}.at([{at}])"));
                }
                self.run.close("}) };");
            }
        }
    }

    /// Stores what some iterations have put into the blocks.
    fn transpose_back(&mut self, body: &Body<'f>, steps: usize, parts: &Parts<'_>) {
        for (block, name) in parts.transposed.blocks.iter().zip(&parts.names) {
            let Some((op, first)) = block.store else { continue };
            self.run
                .open(format!("unsafe {{ {name}.each::<_, {steps}>({first}, l_steps, len, |l_step, l, l_value| {{"));
            if let Some((array, at)) = self.element(body, parts, op) {
                self.run.line(format!("self.{array}.put([{at}], l_value);"));
            }
            self.run.close("}) };");
        }
    }

    /// An iteration for the points of a vector.
    fn vector_iteration(&mut self, body: &mut Body<'f>, parts: &Parts<'_>, values: &mut HashMap<Value, Text>) {
        let mut own = values.clone();
        parts.region.stmts.iter().for_each(|stmt| self.in_vector(body, parts, stmt, &mut own));
        let Terminator::Yield(yielded) = &parts.region.term else { return };
        let class = parts.transposed.class;
        let next: Vec<String> = yielded.iter().map(|value| self.wide(body, &own, *value, class)).collect();
        let carried: Vec<String> =
            parts.region.params[1..].iter().map(|param| self.wide(body, values, *param, class)).collect();
        if !carried.is_empty() {
            self.run.line(format!("unsafe {{ ({},) = ({},) }};", carried.join(", "), next.join(", ")));
        }
    }

    fn in_vector(&mut self, body: &mut Body<'f>, parts: &Parts<'_>, stmt: &Stmt, values: &mut HashMap<Value, Text>) {
        let way = parts.transposed.way(&stmt.op);
        let access = self.nest.accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op));
        let place = access.and_then(|access| {
            let array = self.nest.array(access.mem)?;
            let method = if access.unwritten { "unwritten" } else { "along" };
            Some(format!("self.{}.{method}([{}], len)", array.name, texts(&self.subscripts(body, access)?)))
        });
        match (&stmt.op, way) {
            (Op::Put(_, _, value), Some(way)) => {
                let value = self.wide(body, values, *value, parts.transposed.class);
                self.run.line(match (way, place) {
                    (Way::Block(number, at), _) => {
                        format!("unsafe {{ {}.put(l_step + {at}, {value}) }};", parts.names[number])
                    }
                    (_, place) => format!("unsafe {{ rt::transposed::keep({value}, {}) }};", place.unwrap_or_default()),
                });
            }
            (op @ Op::Load(..), Some(way)) => {
                let [result] = stmt.results[..] else { return };
                let text = match (way, place) {
                    (Way::Same, _) => return self.number(body, (op, result), values),
                    (Way::Block(number, at), _) => format!("{}.at(l_step + {at})", parts.names[number]),
                    (Way::Along, place) => format!("rt::transposed::first({})", place.unwrap_or_default()),
                };
                let name = body.fresh_name(result);
                self.run.line(format!("let {name}: V = unsafe {{ {text} }};"));
                values.insert(result, Text::Wide(name));
            }
            (op, _) => {
                let [result] = stmt.results[..] else { return };
                if body.func.ty(result).class != Class::Index {
                    self.computed(body, (op, result), values);
                }
            }
        }
    }
}
