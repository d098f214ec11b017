//! Carried values of a loop that are always equal are one.
//!
//! Value numbering goes through loops optimistically (Alpern, Wegman and Zadeck, 1988): carried values that begin alike are taken to be
//! congruent, and are parted where an iteration hands on different values, until nothing changes. A time loop that ends in `u = v` carries
//! the same array twice, and without this copied it in each step; with one array its states take turns in two places of memory.

use crate::hash::HashMap;
use crate::ir::{Func, Op, Region, Stmt, Terminator, Value};
use crate::kernels::dead::leaves;

/// Replaces carried values of a function's loops, and the loops' results, by the first that is congruent.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut same = HashMap::default();
    region(func, &body, &mut same);
    if !same.is_empty() {
        replace(&mut body, &same);
    }
    func.body = body;
}

/// The value that stands for this one.
fn first(same: &HashMap<Value, Value>, mut value: Value) -> Value {
    while let Some(by) = same.get(&value) {
        value = *by;
    }
    value
}

/// Inner loops first: what they leave is compared by the loops around them.
fn region(func: &Func, of: &Region, same: &mut HashMap<Value, Value>) {
    for stmt in &of.stmts {
        stmt.op.regions().into_iter().for_each(|nested| region(func, nested, same));
        if let Op::For { init, body, .. } = &stmt.op
            && !leaves(body, 0)
            && let Terminator::Yield(next) = &body.term
        {
            let class = classes(func, init, (&body.params[1..], next), same);
            note(func, stmt, (&body.params[1..], &class), same);
        }
    }
}

/// For each carried value the position of the first one that is congruent.
fn classes(
    func: &Func,
    init: &[Value],
    (params, next): (&[Value], &[Value]),
    same: &HashMap<Value, Value>,
) -> Vec<usize> {
    let mut class: Vec<usize> = vec![0; params.len()];
    loop {
        // A parameter that is handed on stands for all that are taken to be congruent with it.
        let handed = |value: Value| {
            let value = first(same, value);
            params.iter().position(|p| *p == value).map_or(value, |at| params[class[at]])
        };
        let key = |at: usize| (class[at], first(same, init[at]), handed(next[at]));
        let parted: Vec<usize> = (0..params.len())
            .map(|at| (0..at).find(|o| key(*o) == key(at) && func.ty(params[*o]) == func.ty(params[at])).unwrap_or(at))
            .collect();
        if parted == class {
            return class;
        }
        class = parted;
    }
}

/// Notes what stands for congruent values; a scalar that sizes are made of stays, since they would still depend on it.
fn note(func: &Func, stmt: &Stmt, (params, class): (&[Value], &[usize]), same: &mut HashMap<Value, Value>) {
    for (at, of) in class.iter().enumerate().filter(|(at, of)| at != *of) {
        let pairs = [(params[at], params[*of]), (stmt.results[at], stmt.results[*of])];
        let named = func.symbols.values().any(|v| pairs.iter().any(|(own, _)| *own == v));
        let alike = pairs.iter().all(|(own, by)| func.ty(*own) == func.ty(*by));
        if alike && !named {
            same.extend(pairs);
        }
    }
}

fn replace(region: &mut Region, same: &HashMap<Value, Value>) {
    for stmt in &mut region.stmts {
        stmt.op.for_each_operand_mut(&mut |v| *v = first(same, *v));
        stmt.op.regions_mut().into_iter().for_each(|nested| replace(nested, same));
    }
    region.term.values_mut().iter_mut().for_each(|v| *v = first(same, *v));
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// How many arrays the loop carries whose iterations begin with `init` and hand on `next`, all three used behind it.
    fn carried(init: &str, next: &str) -> usize {
        let text = format!(
            "func @f(%a: f64[n, 1], %b: f64[n, 1], %k: index) -> (x: f64[n, 1], y: f64[n, 1], z: f64[n, 1]) {{
               sym n = dim 0 0, >= 0
               %r: f64[n, 1], %s: f64[n, 1], %t: f64[n, 1] = for %k with {init}
                 |%i: index, %u: f64[n, 1], %v: f64[n, 1], %w: f64[n, 1]| {{
                 %e: f64[n, 1] = exp %u  %g: f64[n, 1] = add %v, %w  yield {next} }}
               return %r, %s, %t }}"
        );
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        crate::simplify::run(&mut func);
        let module = crate::ir::Module::of(vec![func]);
        crate::ir::verify::verify(&module).unwrap_or_else(|_| panic!("{module}"));
        let found = module.funcs[0].body.stmts.iter().find_map(|stmt| match &stmt.op {
            crate::ir::Op::For { init, .. } => Some(init.len()),
            _ => None,
        });
        found.unwrap_or(0)
    }

    #[test]
    fn what_begins_and_goes_on_alike_is_one() {
        assert_eq!(carried("%a, %a, %b", "%e, %e, %g"), 2);
        assert_eq!(carried("%a, %a, %a", "%e, %e, %e"), 1);
        // exchanged values are congruent as long as nothing else parts them
        assert_eq!(carried("%a, %a, %a", "%v, %w, %u"), 0, "none changes");
        assert_eq!(carried("%a, %a, %b", "%v, %u, %g"), 1, "one changes");
    }

    #[test]
    fn what_differs_stays_apart() {
        assert_eq!(carried("%a, %b, %b", "%e, %e, %g"), 3);
        assert_eq!(carried("%a, %a, %b", "%e, %g, %g"), 3);
        // the first two begin alike and would go on alike, were it not for the third
        assert_eq!(carried("%a, %a, %b", "%v, %w, %e"), 3);
    }
}
