//! Loop nests and their normal form.
//!
//! A nest is a counted loop whose body computes scalars and touches single elements of arrays (`contents`), from MATLAB or
//! Rust. Before loops become kernels each maximal nest is brought to a normal form: loops are parted as far as
//! dependences allow (`distribute`), then the loops of each perfect nest are ordered so that those which can run in
//! parallel come first (`permute`). So the many ways to write a nest become one, and what follows needs few recipes
//! (L. Trümper et al., "A Priori Loop Nest Normalization: Automatic Loop Scheduling in Complex Applications", 2023); composition
//! fuses again what shares data.
//!
//! Neither step changes the order of the operations on any one element, so results keep their bits. Tests of bounds that can
//! be made before the nest are made there.

pub(crate) mod checks;
pub(crate) mod contents;
mod copy;
pub(crate) mod dependence;
mod distribute;
mod emit;
mod permute;
pub(crate) mod settled;
mod tree;

use crate::affine::AccessKind;
use crate::hash::HashMap;
use crate::ir::{Func, Op, Region, Size, Stmt, Sym, Terminator, Value};
use crate::kernels::accesses::Definitions;
use checks::Plan;
use emit::Emit;
use tree::{Frame, Loop};

/// A loop that was copied.
pub struct Copied {
    /// The new value of each old one, counters of loops among them.
    pub values: HashMap<Value, Value>,
    /// What the symbols of old values have become.
    pub symbols: HashMap<Sym, Size>,
}

/// Brings the nests of a function to their normal form; gives the copies of loops, in order.
pub fn run(func: &mut Func) -> Vec<Copied> {
    let defs = Definitions::of(func);
    let nothing = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, nothing);
    let mut pass = Pass { func, defs, copies: Vec::new() };
    pass.region(&mut body);
    let copies = pass.copies;
    func.body = body;
    copies
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
    copies: Vec<Copied>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            match self.normalise(&stmt) {
                Some(new) => stmts.extend(new),
                None => {
                    if !matches!(stmt.op, Op::Kernel(_)) {
                        stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
                    }
                    stmts.push(stmt);
                }
            }
        }
        region.stmts = stmts;
    }

    /// The statements that take the place of a nest; `None` if it is none, or in its normal form already.
    fn normalise(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let Op::For { init, body, .. } = &stmt.op else { return None };
        if !has_loops(body) && body.stmts.iter().filter(|s| matches!(s.op, Op::Store { .. })).count() < 2 {
            return None;
        }
        let contents = contents::contents(self.func, stmt).ok()?;
        let is_stored = |array| contents.sites.iter().any(|s| s.array == array && s.kind == AccessKind::Write);
        if !(0..init.len()).all(is_stored) {
            return None;
        }
        let scope = self.defs.scope_of(body.params[0])?;
        let plan = checks::plan(self.func, &self.defs, scope, &contents);
        let mut tested = stmt.clone();
        without_checks(&mut tested, &plan);
        let frame = Frame::new(self.func, &self.defs, scope, &contents);
        let parts = distribute::run(&frame, frame.tree(&tested)?, &[]);
        let is_parted = parts.len() > 1 || parts.iter().any(has_copies);
        let mut is_moved = false;
        let parts: Vec<Loop> = parts.into_iter().map(|part| permute::run(&frame, part, &[], &mut is_moved)).collect();
        if !is_parted && !is_moved {
            return None;
        }
        let mut out = checks::hoisted(self.func, &plan.hoisted);
        let (current, copies, sizes) = (init.clone(), Vec::new(), Vec::new());
        let mut emit = Emit { func: self.func, contents: &contents, current, sizes, copies };
        parts.iter().for_each(|part| emit.nest(part, &mut out));
        let states = std::mem::take(&mut emit.current);
        self.copies.append(&mut emit.copies);
        let renamed: Vec<(Value, Value)> = states.into_iter().zip(stmt.results.iter().copied()).collect();
        out.iter_mut().for_each(|stmt| rename(stmt, &renamed));
        Some(out)
    }
}

fn has_loops(region: &Region) -> bool {
    region.stmts.iter().any(|s| matches!(s.op, Op::For { .. }) || s.op.regions().into_iter().any(has_loops))
}

fn has_copies(part: &Loop) -> bool {
    part.copied || part.body.iter().any(|node| matches!(node, tree::Node::Loop(inner) if has_copies(inner)))
}

/// Marks the accesses as tested that the plan proves or tests before the nest.
fn without_checks(stmt: &mut Stmt, plan: &Plan) {
    let in_place = stmt.results.first().is_some_and(|key| plan.in_place.contains_key(key));
    if let Op::Index { checked, .. } | Op::Store { checked, .. } = &mut stmt.op {
        *checked = *checked && in_place;
    }
    for region in stmt.op.regions_mut() {
        region.stmts.iter_mut().for_each(|s| without_checks(s, plan));
    }
}

/// Gives states of arrays the names by which what follows knows them.
fn rename(stmt: &mut Stmt, renamed: &[(Value, Value)]) {
    let of = |value: &mut Value| {
        if let Some((_, known)) = renamed.iter().find(|(state, _)| state == value) {
            *value = *known;
        }
    };
    stmt.results.iter_mut().for_each(of);
    stmt.op.for_each_operand_mut(&mut |v| of(v));
    for region in stmt.op.regions_mut() {
        region.stmts.iter_mut().for_each(|s| rename(s, renamed));
        region.term.values_mut().iter_mut().for_each(of);
    }
}
