//! Expansion: a loop around whole kernels becomes kernels over the loop as well, where its iterations are independent.
//!
//! A loop over the rows of a matrix that computes with whole rows (`e = exp(a(i,:) - max(a(i,:))); y(i,:) = e / sum(e)`) is no nest of
//! scalar statements, and would launch its kernels row by row. Here the arrays and scalars that an iteration makes for itself are
//! *expanded*: they get one more dimension, the loop's, as scalars do in scalar expansion and arrays in array expansion (P. Feautrier,
//! "Array Expansion", 1988). Then nothing but the arrays that it carries ties one iteration to another; where these are touched at
//! elements of their own (`legality`), the loop is distributed over its statements (`build`), each of which is then a kernel with one
//! more loop. Composition runs again over what has come of it.
//!
//! Combinations keep their bits: those of one iteration are numbered as before, along the axes that they were along.
//!
//! Memory decides whether it pays: what is expanded must be no larger than something that the loop touches in any case, or small.

mod build;
mod copies;
mod legality;
mod pieces;
mod whole;
mod work;

use super::accesses::Definitions;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Loc, Op, Region, Stmt, Value};
use pieces::Pieces;

/// Expands the loops of a function, innermost first; gives their places. A loop whose body has come to hold kernels only may be next.
pub fn run(func: &mut Func) -> Vec<Loc> {
    let mut expanded = Vec::new();
    for _ in 0..DEEPEST {
        let before = expanded.len();
        if func.body.any(is_candidate) {
            round(func, &mut expanded);
        }
        if expanded.len() == before {
            break;
        }
    }
    expanded
}

/// How many loops around each other are expanded.
const DEEPEST: usize = 3;

/// Whether an operation is a loop around kernels, perhaps with loops between.
fn is_candidate(op: &Op) -> bool {
    let Op::For { body, .. } = op else { return false };
    body.stmts.iter().any(|stmt| matches!(stmt.op, Op::Kernel(_)) || is_candidate(&stmt.op))
}

fn round(func: &mut Func, expanded: &mut Vec<Loc>) {
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    let mut used = HashSet::default();
    body.for_each_use(&mut |v| _ = used.insert(v));
    let mut pass = Pass { func, defs, used, renamed: HashMap::default(), made: Vec::new(), expanded };
    pass.region(&mut body);
    let (renamed, made) = (pass.renamed, pass.made);
    rename(&mut body, &renamed);
    func.body = body;
    if !made.is_empty() {
        let copies = whole::run(func, &made);
        rename(&mut func.body, &copies);
    }
}

struct Pass<'f> {
    func: &'f mut Func,
    defs: Definitions,
    /// What anything uses.
    used: HashSet<Value>,
    /// What stands for the results of the loops that are gone.
    renamed: HashMap<Value, Value>,
    /// What the kernels give that stand in their places.
    made: Vec<Value>,
    /// The places of the loops.
    expanded: &'f mut Vec<Loc>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut stmts = Vec::with_capacity(region.stmts.len());
        for mut stmt in std::mem::take(&mut region.stmts) {
            if is_candidate(&stmt.op)
                && let Some(new) = self.expanded(&stmt)
            {
                stmts.extend(new);
                continue;
            }
            if !matches!(stmt.op, Op::Kernel(_)) {
                stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            }
            stmts.push(stmt);
        }
        region.stmts = stmts;
    }

    /// The statements that take the place of a loop.
    fn expanded(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let mut pieces = Pieces::of(self.func, &self.defs, stmt)?;
        copies::run(self.func, &mut pieces);
        let axis = legality::axis(self.func, &self.defs, &mut pieces)?;
        let used = &self.used;
        let needed = |number: usize| used.contains(&stmt.results[number]);
        let (new, results) = build::run(self.func, &self.defs, &pieces, axis, &needed)?;
        self.expanded.extend(&pieces.locs);
        self.made.extend(new.iter().flat_map(|stmt| &stmt.results));
        self.renamed.extend(stmt.results.iter().copied().zip(results));
        Some(new)
    }
}

/// Puts what stands for them in the place of values.
fn rename(body: &mut Region, renamed: &HashMap<Value, Value>) {
    let newest = |value: &mut Value| {
        while let Some(new) = renamed.get(value) {
            *value = *new;
        }
    };
    if renamed.is_empty() {
        return;
    }
    body.map_regions(&mut |region| {
        region.stmts.iter_mut().for_each(|stmt| stmt.op.for_each_operand_mut(&mut |v| newest(v)));
        region.term.values_mut().iter_mut().for_each(newest);
    });
}
