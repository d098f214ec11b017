//! Reuse of memory: a kernel that makes an array from one that nobody needs afterwards writes over it.
//!
//! `h = h + c .* d` makes a new array in SSA form. If the old `h` is dead after the kernel, is read only at the element that
//! the same iteration stores, and before it is stored, then the kernel may update it in place: no new memory, and one
//! stream of memory traffic less. Arguments of the function belong to the caller and are never written over.

use super::body::Defs;
use super::index_form::Forms;
use crate::hash::HashSet;
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Stmt, Value};

/// Turns new arrays into updates of dead ones.
pub fn run(func: &mut Func) {
    let defs = Defs::of(func);
    let mut body = std::mem::take(&mut func.body);
    region(func, &defs, &mut body, true);
    func.body = body;
}

fn region(func: &Func, defs: &Defs, region_: &mut Region, outermost: bool) {
    // Values that this region owns: its parameters (the function's own are the caller's) and what its statements make.
    let mut owned: HashSet<Value> =
        if outermost { HashSet::default() } else { region_.params.iter().copied().collect() };
    for at in 0..region_.stmts.len() {
        let (done, rest) = region_.stmts.split_at_mut(at + 1);
        let stmt = &mut done[at];
        if let Op::Kernel(kernel) = &mut stmt.op {
            let live = |v: Value| region_.term.values().contains(&v) || rest.iter().any(|s| uses(s, v));
            for out in 0..kernel.outs.len() {
                reuse_for(func, defs, kernel, &stmt.results, out, &|v| owned.contains(&v) && !live(v));
            }
        }
        stmt.op.regions_mut().into_iter().for_each(|r| region(func, defs, r, false));
        // An array under another shape is the caller's memory if the array is.
        if !matches!(&stmt.op, Op::Reshape(array) if !owned.contains(array)) {
            owned.extend(stmt.results.iter().copied());
        }
    }
}

/// Whether a statement uses the value, inside its regions too.
pub(super) fn uses(stmt: &Stmt, value: Value) -> bool {
    let mut found = false;
    stmt.op.for_each_operand(&mut |v| found |= v == value);
    stmt.op.regions().into_iter().for_each(|region| region.for_each_use(&mut |v| found |= v == value));
    found
}

fn reuse_for(
    func: &Func,
    defs: &Defs,
    kernel: &mut Kernel,
    results: &[Value],
    out: usize,
    dead: &dyn Fn(Value) -> bool,
) {
    if kernel.outs[out] != Out::Fresh {
        return;
    }
    let outer = |v: Value| defs.get(v).cloned();
    let forms = Forms::of(&kernel.body.params, &outer, &kernel.body.stmts);
    let mut puts = kernel.body.stmts.iter().enumerate().filter(|(_, s)| matches!(&s.op, Op::Put(o, ..) if *o == out));
    let Some((put_at, Stmt { op: Op::Put(_, subs, _), .. })) = puts.next() else { return };
    if puts.next().is_some() {
        return;
    }
    let element = forms.all(subs, &outer);
    let ty = func.ty(results[out]);
    let taken: Vec<Value> = kernel.outs.iter().filter_map(Out::updated).collect();
    let mut candidates: Vec<Value> = Vec::new();
    loads(&kernel.body, &mut |array, _| candidates.push(array));
    candidates.dedup();
    let fits = |array: &Value| {
        let mut same = true;
        loads(&kernel.body, &mut |a, s| same &= a != *array || forms.all(s, &outer) == element);
        // The old element is read before it is overwritten.
        let late = kernel.body.stmts[put_at..].iter().any(|s| uses(s, *array));
        same && !late && func.ty(*array) == ty && dead(*array) && !taken.contains(array)
    };
    if let Some(array) = candidates.into_iter().find(|a| fits(a)) {
        kernel.outs[out] = Out::Update(array);
        kernel.body.walk_mut(&mut |stmt| {
            if let Op::Load(mem, _) = &mut stmt.op
                && *mem == Mem::In(array)
            {
                *mem = Mem::Out(out);
            }
        });
    }
}

/// Calls `f` on each load from an in-variable: the array and the subscripts.
fn loads(region: &Region, f: &mut impl FnMut(Value, &[Value])) {
    region.walk(&mut |stmt| {
        if let Op::Load(Mem::In(array), subs) = &stmt.op {
            f(*array, subs);
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    fn reused(text: &str) -> String {
        let mut func = parse_func(text).unwrap();
        super::run(&mut func);
        func.to_string()
    }

    const LOOP: &str = "func @f(%d: f64[n, 1], %t: index) -> (h: f64[n, 1]) {
      sym n = dim 0 0, >= 0
      %z = const 0.0
      %h0: f64[n, 1] = fill %z
      %h = for %t with %h0 |%k, %old| {
        %new: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
          %c = const 0
          %a = load %old[%i, %c]
          %b = load %d[%i, %c]
          %s = add %a, %b
          put out0[%i, %c] = %s
        }
        yield NEXT
      }
      return %h
    }";

    #[test]
    fn a_dead_array_is_updated_in_place() {
        assert!(reused(&LOOP.replace("NEXT", "%new")).contains("into (update"));
    }

    #[test]
    fn a_live_array_and_an_argument_are_not() {
        assert!(reused(&LOOP.replace("NEXT", "%old")).contains("into (fresh)"));
        let argument = LOOP.replace("load %old", "load %d").replace("NEXT", "%new");
        assert!(reused(&argument).contains("into (fresh)"));
    }

    #[test]
    fn a_neighbour_prevents_it() {
        let shifted = LOOP.replace(
            "%a = load %old[%i, %c]",
            "%j = sub %i, %c\n%k2 = const 1\n%m = sub %j, %k2\n%a = load %old[%m, %c]",
        );
        assert!(reused(&shifted.replace("NEXT", "%new")).contains("into (fresh)"));
    }
}
