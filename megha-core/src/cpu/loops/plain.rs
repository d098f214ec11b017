//! The plain form of a short kernel: its points one after the other, as a loop in Rust would have them, inlined into the host's code.
//!
//! Where a sequential loop launches a kernel for a few points each time, to get to the kernel costs more than what it does. Such launches have both
//! forms, and choose by their work (`rt::is_little`). Each point is computed by the same operations in the same order, so the form changes no
//! bit of a result. What is long, checks or reduces has no plain form: there it would be much code for little.
//!
//! A reduction of many lines along memory to a number each has a form of its own for lines whose elements are combined in the plain order
//! (`megha_base::tree`): a block, a tile and lanes for each would take longer than the line does.

use super::checks::Checks;
use super::{Nest, Writer, contribution, is_linear, pattern};
use crate::cpu::body::{Body, Place};
use crate::cpu::expr::rust_type;
use crate::cpu::host::reducer;
use crate::cpu::inline::Inlined;
use crate::cpu::liveness::free_values;
use crate::cpu::source::{Code, Names};
use crate::cpu::storage::assign_region;
use crate::ir::{Op, Region};
use crate::schedule::latency::is_costly;

/// Most operations of a kernel that has a plain form.
const MOST: usize = 40;
/// Most operations of a reduction that has one for short lines.
const FEW: usize = 16;

/// How many operations a region holds.
fn operations(region: &Region) -> usize {
    let nested = |op: &Op| op.regions().into_iter().map(operations).sum::<usize>();
    region.stmts.iter().map(|stmt| 1 + nested(&stmt.op)).sum()
}

impl<'f> Nest<'f> {
    /// Whether the kernel has a plain form, if so many loops of the host are around its launch.
    pub fn has_plain(&self, loops: usize) -> bool {
        loops > 0 && !self.checks && self.reduced().is_none() && operations(&self.kernel.body) <= MOST
    }

    /// Whether the kernel reduces lines that lie along memory in one of the layouts, of which there may be many.
    pub fn has_short(&self) -> bool {
        let along = self.loops.walks.iter().any(|walk| !walk.neighbours);
        // They are compiled once, for any processor: that is slow where an instruction is missing.
        let needs_more = |op: &Op| matches!(op, Op::Fma(..)) || is_costly(op);
        self.reduced().is_some()
            && along
            && !self.lines().is_empty()
            && !self.checks
            && operations(&self.kernel.body) <= FEW
            && !self.kernel.body.any(needs_more)
    }

    /// The loops that count the lines of a reduction.
    fn lines(&self) -> Vec<usize> {
        self.kept().into_iter().filter(|axis| !self.kernel.domain[*axis].is_one()).collect()
    }

    /// The kernel's body once more, for the plain form: loads and variables are not those of vectors. `body` has the names of what is captured.
    pub fn plain_body(&self, outer: &Body<'f>, body: &Body<'f>) -> Body<'f> {
        let func = outer.func;
        let mut inlined = Inlined::of(func, &self.kernel.body);
        let mut free = Vec::new();
        free_values(&self.kernel.body, &mut free);
        for value in free {
            if let Some(op @ (Op::Const(_) | Op::Size(_))) = outer.inlined.get(value) {
                inlined.insert(value, op);
            }
        }
        let storage = assign_region(func, &inlined, &self.kernel.body, &[]);
        let mut plain = Body::new(func, inlined, storage, Names::default());
        plain.names = body.names.clone();
        plain.out_types.clone_from(&body.out_types);
        plain.vars.clone_from(&body.vars);
        plain.symbols.clone_from(&body.symbols);
        plain.bounded.clone_from(&body.bounded);
        for access in &self.accesses {
            if let Some(array) = self.array(access.mem) {
                let place = Place::General(format!("self.{}", array.name), is_linear(self, access));
                plain.places.insert(std::ptr::from_ref(access.op), place);
            }
        }
        plain
    }
}

impl<'n, 'f> Writer<'n, 'f> {
    /// The function of the plain form.
    pub(super) fn plain(&mut self, checks: &mut Checks<'_, 'n, 'f>, mut body: Body<'f>) {
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open("fn plain(&self) {");
        self.scalars();
        let items = std::mem::take(&mut body.storage.items);
        body.items(checks, &items);
        let code = std::mem::take(&mut body.code);
        self.points_in_order(&mut body, code);
        self.run.close("}");
        self.run.close("}");
    }

    fn points_in_order(&mut self, body: &mut Body<'f>, code: Code) {
        let numbers: Vec<String> = self.nest.loops.orders[0].iter().map(|_| body.names.fresh("l")).collect();
        for (at, number) in numbers.iter().enumerate() {
            self.run.open(format!("for {number} in 0..self.extents[{at}] {{"));
        }
        let line = self.iteration(&format!("[{}]", numbers.join(", ")));
        self.run.line(line);
        self.run.append(code);
        numbers.iter().for_each(|_| self.run.close("}"));
    }

    /// The function for lines of a chunk that combine in the plain order.
    pub(super) fn short(&mut self, checks: &mut Checks<'_, 'n, 'f>, axes: &[usize], mut body: Body<'f>) {
        let nest = self.nest;
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", nest.name));
        self.run.line("/// Lines of few elements.");
        self.run.line("#[inline(never)]");
        self.run.open("fn short(&self, chunk: &rt::Chunk) {");
        self.scalars();
        let items = std::mem::take(&mut body.storage.items);
        body.items(checks, &items);
        let code = std::mem::take(&mut body.code);
        let lines = nest.lines();
        let names: Vec<&str> = lines.iter().map(|axis| pattern(&nest.numbers[*axis])).collect();
        let extents: Vec<String> = lines.iter().map(|axis| body.extent(&nest.kernel.domain[*axis])).collect();
        let (names, extents) = (names.join(", "), extents.join(", "));
        self.run
            .open(format!("for (l_line, [{names}]) in self.space.lines::<L, {}>([{extents}], chunk) {{", lines.len()));
        self.elements_in_order(&body, axes, code);
        self.run.close("}");
        self.run.close("}");
        self.run.close("}");
    }

    /// The elements of a line: the first of the reduced axes is fastest.
    fn elements_in_order(&mut self, body: &Body<'f>, axes: &[usize], code: Code) {
        let nest = self.nest;
        let outs: Vec<usize> = (0..nest.kernel.outs.len()).filter(|out| nest.reducer(*out).is_some()).collect();
        for out in &outs {
            self.run.line(format!("let mut {} = {}::IDENTITY;", contribution(nest, *out), operation(nest, *out)));
        }
        let long: Vec<usize> = axes.iter().copied().filter(|axis| nest.numbers[*axis] != "0").collect();
        for axis in long.iter().rev() {
            let extent = body.extent(&nest.kernel.domain[*axis]);
            self.run.open(format!("for {} in 0..{extent} as i64 {{", nest.numbers[*axis]));
        }
        self.run.append(code);
        long.iter().for_each(|_| self.run.close("}"));
        for out in outs {
            let (name, sum) = (&nest.arrays[out].name, contribution(nest, out));
            self.run.line(format!("unsafe {{ self.{name}.set(l_line, {sum}) }};"));
        }
    }
}

/// The operation that combines the elements of an out-variable.
pub(super) fn operation(nest: &Nest<'_>, out: usize) -> String {
    let op = nest.reducer(out).map_or("undefined", reducer);
    format!("<rt::reduce::{op} as rt::reduce::Op<{}>>", rust_type(nest.out_types[out].class))
}
