//! DOALL loops: `for` loops whose iterations are proven independent become kernels (MEGHA thesis, section 3.2.1.1).
//!
//! Outermost loops first. A loop is DOALL if its body computes scalars only, apart from arrays that it carries and updates
//! element by element (`walk`), and if no two iterations touch the same element of such an array, one of them storing
//! it; [`crate::affine`] decides this exactly. A perfect nest of DOALL loops is one kernel, over the box around its iterations (`domain`);
//! scalar statements between the loops of an otherwise perfect nest are repeated in the innermost one. Whatever else is
//! in the body, sequential loops and `if`s, stays in the kernel's body, working on memory instead of array values.
//!
//! On the way: a loop variable's last value is computed behind the loop (`last_value`); bounds that are still to be
//! tested are proven, tested once before the kernel, or tested in each iteration (`checks`); an array all of whose
//! elements the nest stores is made by the kernel instead of updated by it (`fresh`).

mod convert;
mod domain;
pub(crate) mod fresh;
mod last_value;
mod nest;
mod report;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use nest::{extent, is_not_negative, not_negative};
pub use report::{LoopReport, Outcome, Reason, Unknown};
pub(crate) use report::{note_expanded, note_jammed, together};

use super::accesses::{Counted, Definitions, Extent, Scope};
use super::{dead, scalar_replacement};
use crate::affine::{Certainty, Explanation};
use crate::ir::{Func, Kernel, Loc, Op, Out, Region, Size, Stmt, Value};
use crate::nests::contents::{self, Contents};
use crate::nests::dependence::conflict;
use crate::nests::{self, checks};
use domain::Shape;
use report::Variables;

/// Turns the DOALL loops of a function into kernels, and reports on each `for` loop, outer loops first. Carried values
/// and statements that nothing needs are removed from the whole function.
pub fn run(func: &mut Func) -> Vec<LoopReport> {
    let mut variables = Variables::of(func);
    prepare(func);
    nests::run(func).iter().for_each(|copied| variables.copy(copied));
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let next_kernel = body.free_kernel_id();
    let mut pass = Pass { func, defs, variables, reports: Vec::new(), next_kernel };
    pass.region(&mut body);
    let reports = pass.reports;
    func.body = body;
    dead::run(func);
    reports
}

/// Brings a function to the form in which its nests are looked at: nothing in it is dead, and loop variables hand on nothing.
pub fn prepare(func: &mut Func) {
    dead::run(func);
    nests::settled::run(func);
    last_value::run(func);
    dead::run(func);
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
    variables: Variables,
    reports: Vec<LoopReport>,
    next_kernel: u32,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            if let Op::For { body, .. } = &stmt.op {
                let counter = body.params[0];
                match self.parallelise(&stmt) {
                    Ok(new) => {
                        stmts.extend(new);
                        continue;
                    }
                    Err(reason) => self.report(counter, stmt.loc, Outcome::Sequential(reason)),
                }
            }
            if !matches!(stmt.op, Op::Kernel(_)) {
                for nested in stmt.op.regions_mut() {
                    self.region(nested);
                }
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    }

    fn report(&mut self, counter: Value, loc: Loc, outcome: Outcome) {
        if !self.variables.is_made(counter) {
            let variable = self.variables.name(counter);
            self.reports.push(LoopReport { variable, loc, outcome });
        }
    }

    /// The statements that replace a loop.
    fn parallelise(&mut self, stmt: &Stmt) -> Result<Vec<Stmt>, Reason> {
        let contents = contents::contents(self.func, stmt).map_err(Reason::Construct)?;
        let Op::For { init, body, .. } = &stmt.op else {
            return Err(Reason::Construct("it is no counted loop".into()));
        };
        let Some(scope) = self.defs.scope_of(body.params[0]) else {
            return Err(Reason::Construct("it is new".into()));
        };
        if let Some(reason) = self.dependence(stmt, &contents, 0) {
            return Err(reason);
        }
        let plan = checks::plan(self.func, &self.defs, scope, &contents);
        let mut nest = nest::Nest::of(stmt);
        let mut shape = Shape::default();
        while let Some(inner) = nest.next(&plan, &contents)
            && self.dependence(stmt, &contents, nest.depth()).is_none()
            && (self.is_rectangular(&inner, scope) || shape.admit(self.func, &self.defs, scope, &nest, &inner))
        {
            nest.enter();
        }
        let id = self.next_kernel;
        self.next_kernel += 1;
        self.report_nest(&nest, id);
        let mut body = nest.body(&contents);
        let mut new = checks::hoisted(self.func, &plan.hoisted);
        convert::to_memory(self.func, &contents, &plan, &mut body);
        let outs = init.iter().map(|array| Out::Update(*array)).collect();
        while shape.unwrap(self.func, &self.defs, scope, &mut body) {}
        shape.look_at(self.func, &self.defs, scope, &body);
        let extents = self.extents(&nest, scope);
        let hull = shape.hull(self.func, &self.defs, extents, &body.params);
        let mut kernel = Kernel { id, domain: hull.extents.clone(), outs, body };
        scalar_replacement::run(self.func, &self.defs, &mut kernel);
        if shape.is_box() {
            fresh::run(self.func, &self.defs, &mut kernel, &stmt.results);
        } else {
            hull.settle(self.func, &mut kernel, stmt.loc);
        }
        new.push(Stmt { results: stmt.results.clone(), op: Op::Kernel(Box::new(kernel)), loc: stmt.loc });
        Ok(new)
    }

    /// The extents of the loops whose numbers of iterations are known before the nest; zero for the others.
    fn extents(&mut self, nest: &nest::Nest<'_>, scope: Scope) -> Vec<Size> {
        let loops = nest.loops();
        let known: Vec<bool> = loops.iter().enumerate().map(|(k, l)| k == 0 || self.is_rectangular(l, scope)).collect();
        let extent = |(counted, known): (&Counted, bool)| match known {
            true => extent(self.func, &self.defs, counted),
            false => Size::default(),
        };
        loops.iter().zip(known).map(extent).collect()
    }

    /// Whether the number of iterations of an inner loop is known before the nest.
    fn is_rectangular(&self, inner: &Counted, scope: Scope) -> bool {
        let Extent::Trip(trip) = &inner.extent else { return false };
        match self.defs.trip_size(*trip) {
            Some(size) => !self.defs.size_is_inside(&size, &self.func.symbols, scope),
            None => !self.defs.is_inside(*trip, scope),
        }
    }

    /// Reports on the loops of a nest that becomes a kernel, and on the loops inside its body.
    fn report_nest(&mut self, nest: &nest::Nest<'_>, kernel: u32) {
        for (axis, (counter, loc)) in nest.heads().into_iter().enumerate() {
            self.report(counter, loc, Outcome::Parallel { kernel, axis });
        }
        self.report_inside(nest.innermost(), kernel);
    }

    fn report_inside(&mut self, region: &Region, kernel: u32) {
        region.walk(&mut |stmt| {
            if let Op::For { body, .. } = &stmt.op {
                let reason = match contents::contents(self.func, stmt) {
                    Err(text) => Reason::Construct(text),
                    Ok(contents) => self.dependence(stmt, &contents, 0).unwrap_or_else(|| {
                        Reason::Construct(
                            "it is not perfectly nested in the loop around it, with bounds that are known before"
                                .into(),
                        )
                    }),
                };
                self.report(body.params[0], stmt.loc, Outcome::InKernel { kernel, reason });
            }
        });
    }

    /// A dependence that the loop so many levels inside a nest carries.
    fn dependence(&self, stmt: &Stmt, contents: &Contents, level: usize) -> Option<Reason> {
        let Op::For { body, .. } = &stmt.op else { return None };
        let conflict = conflict(self.func, &self.defs, body.params[0], contents, level)?;
        let array = self.func.variable(body.params[conflict.array + 1]).unwrap_or("array").to_owned();
        let explanation: Explanation =
            report::explain(self.func, &self.defs, &self.variables, &conflict, level, &array);
        let is_assumed = explanation.dependence.certainty == Certainty::Unanalysable;
        let unknown = if is_assumed { report::unknown(self.func, &self.defs, &conflict, &array) } else { None };
        let sites = [conflict.first.loc, conflict.second.loc];
        Some(Reason::Dependence { array, explanation: Box::new(explanation), unknown, sites })
    }
}
