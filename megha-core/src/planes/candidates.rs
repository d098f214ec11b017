//! Which arrays can be parted: those of which every use names its plane when compiling.

use super::axis_of;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Func, Op, Region, Stmt, Sub, Terminator, Value, typing};

/// The arrays that are parted, if some loop carries one. A loop's carried array is one if the parameter of its body is; the loop's result need not
/// be where no loop is around it: it is put together behind the loop.
pub(super) fn find(func: &Func, known: &HashMap<Value, i64>) -> HashSet<Value> {
    let mut search = Search { func, known, parted: HashSet::default(), changed: true };
    search.made(&func.body);
    if search.parted.is_empty() {
        return search.parted;
    }
    while std::mem::take(&mut search.changed) {
        search.region(&func.body, &[], &mut Vec::new());
    }
    search.parted
}

/// The plane that subscripts name of an array.
pub(super) fn plane_of(func: &Func, known: &HashMap<Value, i64>, array: Value, subs: &[Sub]) -> Option<usize> {
    let ty = func.ty(array);
    let (axis, count) = axis_of(ty)?;
    let Sub::At(number) = subs.get(axis).filter(|_| subs.len() == ty.dims.len())? else { return None };
    usize::try_from(*known.get(number)?).ok().filter(|plane| *plane < count)
}

/// Whether planes can be combined one by one.
pub(super) fn combines(func: &Func, op: &Op) -> bool {
    let Op::Reduce(how, array, axes) = op else { return false };
    let ty = func.ty(*array);
    axis_of(ty).is_some_and(|(axis, _)| axes[..] == [axis]) && typing::reduced_class(*how, ty.class) == ty.class
}

struct Search<'f> {
    func: &'f Func,
    known: &'f HashMap<Value, i64>,
    parted: HashSet<Value>,
    changed: bool,
}

impl<'f> Search<'f> {
    /// Starts with what loops and branches pass on, stores of planes, and arrays of one number.
    fn made(&mut self, region: &Region) {
        region.walk(&mut |stmt| {
            let made = match &stmt.op {
                Op::If { .. } | Op::For { .. } | Op::While { .. } => true,
                Op::Store { array, subs, .. } => plane_of(self.func, self.known, *array, subs).is_some(),
                Op::Fill(a) => self.func.ty(*a).is_scalar(),
                _ => false,
            };
            let inside = stmt.op.regions().into_iter().flat_map(|r| r.params.iter());
            let all = stmt.results.iter().filter(|_| made).chain(inside);
            self.parted.extend(all.filter(|v| axis_of(self.func.ty(**v)).is_some()));
        });
    }

    /// Withdraws the arrays that a region uses whole. `results` are those of an `If` or a condition around it; `loops` has the
    /// parameters of the bodies around it, innermost last.
    fn region(&mut self, region: &'f Region, results: &[Value], loops: &mut Vec<&'f [Value]>) {
        for stmt in &region.stmts {
            self.stmt(stmt, loops);
        }
        let depth = |d: u32| loops.len().checked_sub(1 + d as usize).map(|at| loops[at]);
        let to: &[Value] = match &region.term {
            Terminator::Yield(_) => results,
            Terminator::Break(d, _) | Terminator::Continue(d, _) => depth(*d).unwrap_or(&[]),
            Terminator::Return(_) | Terminator::Unreachable => &[],
        };
        let to = to.to_vec();
        for (at, value) in region.term.values().iter().enumerate() {
            match to.get(at) {
                Some(to) => self.alike(*value, *to),
                None => self.keep_if(*value, false),
            }
        }
    }

    fn stmt(&mut self, stmt: &'f Stmt, loops: &mut Vec<&'f [Value]>) {
        match &stmt.op {
            Op::If { then, els, .. } => {
                self.region(then, &stmt.results, loops);
                self.region(els, &stmt.results, loops);
            }
            Op::For { init, body, .. } => self.carried(stmt, init, None, body, &body.params[1..], loops),
            Op::While { init, cond, body } => self.carried(stmt, init, Some(cond), body, &body.params, loops),
            op => {
                let mut operands = Vec::new();
                op.for_each_operand(&mut |v| operands.push(v));
                for value in operands {
                    let kept = self.allows(stmt, value);
                    self.keep_if(value, kept);
                }
                if let (Op::Store { array, .. }, [result]) = (op, &stmt.results[..]) {
                    self.keep_if(*result, self.parted.contains(array));
                }
                for body in op.regions() {
                    body.walk(&mut |stmt| stmt.op.for_each_operand(&mut |v| self.keep_if(v, false)));
                }
            }
        }
    }

    fn carried(
        &mut self,
        stmt: &Stmt,
        init: &[Value],
        cond: Option<&'f Region>,
        body: &'f Region,
        params: &'f [Value],
        loops: &mut Vec<&'f [Value]>,
    ) {
        if let Some(cond) = cond {
            cond.params.iter().zip(params).for_each(|(a, b)| self.alike(*a, *b));
            self.region(cond, &[], &mut Vec::new());
        }
        let outermost = loops.is_empty();
        for ((value, param), result) in init.iter().zip(params).zip(&stmt.results) {
            let same = |v: &Value| axis_of(self.func.ty(*v)) == axis_of(self.func.ty(*param));
            let fits = same(value) && same(result);
            self.keep_if(*param, fits);
            self.keep_if(*value, self.parted.contains(param));
            self.keep_if(*result, self.parted.contains(param));
            // Inside of a loop nothing is taken apart or put together.
            let both = self.parted.contains(value) && self.parted.contains(result);
            self.keep_if(*param, outermost || both);
        }
        loops.push(params);
        self.region(body, params, loops);
        loops.pop();
    }

    /// Whether a statement without regions can use this array plane by plane.
    fn allows(&self, stmt: &Stmt, value: Value) -> bool {
        match &stmt.op {
            Op::Index { array, subs, .. } => *array == value && plane_of(self.func, self.known, value, subs).is_some(),
            Op::Store { array, value: stored, .. } => {
                *array == value && *stored != value && self.parted.contains(&stmt.results[0])
            }
            op => combines(self.func, op),
        }
    }

    /// Of two values of which the one passes on the other, both are parted or none.
    fn alike(&mut self, a: Value, b: Value) {
        let same = axis_of(self.func.ty(a)) == axis_of(self.func.ty(b));
        let both = same && self.parted.contains(&a) && self.parted.contains(&b);
        self.keep_if(a, both);
        self.keep_if(b, both);
    }

    fn keep_if(&mut self, value: Value, keep: bool) {
        if !keep && self.parted.remove(&value) {
            self.changed = true;
        }
    }
}
