//! The plain form of a short kernel: its points one after the other, as a loop in Rust would have them, inlined into the host's code.
//!
//! Where a sequential loop launches a kernel for a few points each time, to get to the kernel costs more than what it does. Such launches have both
//! forms, and choose by their work (`rt::is_little`). Each point is computed by the same operations in the same order, so the form changes no
//! bit of a result. What is long, or checks, or reduces has no plain form: there it would be much code for little.

use super::checks::Checks;
use super::{Nest, Writer, is_linear};
use crate::cpu::body::{Body, Place};
use crate::cpu::inline::Inlined;
use crate::cpu::liveness::free_values;
use crate::cpu::source::Names;
use crate::cpu::storage::assign_region;
use crate::ir::{Op, Region};

/// Most operations of a kernel that has a plain form.
const MOST: usize = 40;

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
        let loops = self.nest.loops.orders[0].len();
        self.run.line("\n");
        self.run.open(format!("impl<L: rt::Layout> {}<'_, L> {{", self.nest.name));
        self.run.line("#[inline(always)]");
        self.run.open("fn plain(&self) {");
        self.scalars();
        let numbers: Vec<String> = (0..loops).map(|_| body.names.fresh("l")).collect();
        for (at, number) in numbers.iter().enumerate() {
            self.run.open(format!("for {number} in 0..self.extents[{at}] {{"));
        }
        let line = self.iteration(&format!("[{}]", numbers.join(", ")));
        self.run.line(line);
        let items = std::mem::take(&mut body.storage.items);
        body.items(checks, &items);
        self.run.append(body.code);
        (0..loops + 2).for_each(|_| self.run.close("}"));
    }
}
