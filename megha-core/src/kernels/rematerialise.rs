//! Rematerialisation (P. Briggs, K. D. Cooper, L. Torczon, "Rematerialization", 1992), of arrays: what costs next to nothing is computed again where it is
//! used, not stored.
//!
//! In `d = a - mean(a, 2); y = d ./ sqrt(mean(d .* d, 2))` the kernel of the second mean has `d` at hand and stores it for the last kernel, which could as
//! well subtract again: it reads one array, `a` in place of `d`, either way. So a kernel's array goes if the kernel has other results to compute, if each
//! element is a few light operations on one element of one array of its size and on elements of smaller ones, and if all that use it are kernels over the
//! same points that read their own element.
//!
//! The arrays that are read live longer by this. Those of the function's caller do anyway; of others only what is read later as well, or is smaller, is accepted.

use super::reuse::uses;
use crate::hash::HashSet;
use crate::ir::{Func, Kernel, Mem, Op, Out, Region, Size, Stmt, Value};
use crate::nests::copy::Copy;
use crate::schedule::weight;

/// The weight of operations that are repeated for an element.
const LIGHT: u32 = 3;

/// Computes elements where they are loaded; tells whether there were any. The arrays are dead then.
pub fn run(func: &mut Func) -> bool {
    let mut body = std::mem::take(&mut func.body);
    let changed = region(func, &mut body, true);
    func.body = body;
    changed
}

fn region(func: &mut Func, region_: &mut Region, outermost: bool) -> bool {
    let mut changed = false;
    let callers: HashSet<Value> = if outermost { region_.params.iter().copied().collect() } else { HashSet::default() };
    let mut at = 0;
    while at < region_.stmts.len() {
        while let Some(found) = candidate(func, region_, at, &callers) {
            replace(func, region_, at, &found);
            changed = true;
        }
        let nested = region_.stmts[at].op.regions_mut();
        for inner in nested {
            changed |= region(func, inner, false);
        }
        at += 1;
    }
    changed
}

/// An array that a kernel need not store.
struct Candidate {
    array: Value,
    element: Element,
    /// The statements that use it.
    users: Vec<usize>,
}

fn candidate(func: &Func, region: &Region, at: usize, callers: &HashSet<Value>) -> Option<Candidate> {
    let stmt = &region.stmts[at];
    let Op::Kernel(kernel) = &stmt.op else { return None };
    if kernel.outs.len() < 2 {
        return None;
    }
    (0..kernel.outs.len()).filter(|out| kernel.outs[*out] == Out::Fresh).find_map(|out| {
        let array = stmt.results[out];
        let element = Element::of(kernel, out)?;
        let others = stmt.results.iter().any(|result| *result != array && is_used(region, at, *result));
        let users = users(func, region, at, array)?;
        let last = *users.last()?;
        let stays = |v: &Value| callers.contains(v) || is_used(region, last, *v) || uses(&region.stmts[last], *v);
        let large = |v: &Value| func.ty(*v).numel() == func.ty(array).numel();
        let (same, smaller): (Vec<Value>, Vec<Value>) = element.read.iter().copied().partition(large);
        let changes = |v: &Value| region.stmts[at..].iter().any(|s| updates(s, *v));
        let fits = others && same.len() <= 1 && same.iter().all(stays) && !element.read.iter().any(changes);
        (fits && smaller.iter().all(|v| func.ty(*v).dims.iter().filter(|d| !d.is_one()).count() < kernel.domain.len()))
            .then_some(Candidate { array, element, users })
    })
}

/// How an element of a kernel's array is computed.
struct Element {
    /// The arrays that it is computed from.
    read: Vec<Value>,
    /// The statements of the kernel's body, in order.
    stmts: Vec<usize>,
    /// What they give in the end.
    value: Value,
    /// The loop that each of the element's subscripts is the number of, if it is one.
    params: Vec<Option<Value>>,
}

impl Element {
    /// `None` if it takes more than light operations on elements, or does not belong to the point that stores it.
    fn of(kernel: &Kernel, out: usize) -> Option<Self> {
        let own =
            |subs: &[Value]| subs.iter().filter(|v| kernel.body.params.contains(v)).count() == kernel.domain.len();
        let touches = |op: &Op| matches!(op, Op::Put(o, ..) | Op::Load(Mem::Out(o), _) if *o == out);
        let mut touching =
            kernel.body.stmts.iter().filter(|s| touches(&s.op) || s.op.regions().iter().any(|r| r.any(touches)));
        let Some(Op::Put(_, subs, value)) = touching.next().map(|s| &s.op) else { return None };
        if touching.next().is_some() || !own(subs) {
            return None;
        }
        let (mut read, mut stmts, mut cost, mut wanted) = (Vec::new(), Vec::new(), 0, vec![*value]);
        let mut seen = HashSet::default();
        while let Some(value) = wanted.pop() {
            if kernel.body.params.contains(&value) || !seen.insert(value) {
                continue;
            }
            // What is defined outside of the kernel is a number that all points share.
            let Some(number) = kernel.body.stmts.iter().position(|s| s.results.contains(&value)) else { continue };
            let stmt = &kernel.body.stmts[number];
            stmts.push(number);
            match &stmt.op {
                Op::Load(Mem::In(array), subs) => {
                    if !read.contains(array) {
                        read.push(*array);
                    }
                    wanted.extend(subs);
                }
                Op::Const(_) | Op::Size(_) | Op::Unary(..) | Op::Binary(..) => {
                    cost += weight(&stmt.op);
                    stmt.op.for_each_operand(&mut |v| wanted.push(v));
                }
                _ => return None,
            }
        }
        stmts.sort_unstable();
        let params = subs.iter().map(|sub| kernel.body.params.contains(sub).then_some(*sub)).collect();
        (cost <= LIGHT && !read.is_empty()).then_some(Self { read, stmts, value: *value, params })
    }
}

/// The statements that use an array, if all are kernels over the points of the kernel at `at` that read their own element.
fn users(func: &Func, region: &Region, at: usize, array: Value) -> Option<Vec<usize>> {
    if region.term.values().contains(&array) {
        return None;
    }
    let using = (at + 1..region.stmts.len()).filter(|later| uses(&region.stmts[*later], array));
    let users: Vec<usize> = using.collect();
    users.iter().all(|user| reads_own(&region.stmts[*user], array, &func.ty(array).dims)).then_some(users)
}

fn reads_own(stmt: &Stmt, array: Value, dims: &[Size]) -> bool {
    let Op::Kernel(kernel) = &stmt.op else { return false };
    let loop_of = |v: &Value| kernel.body.params.iter().position(|param| param == v);
    let (mut reads, mut all) = (0, 0);
    kernel.body.walk(&mut |inner| {
        if let Op::Load(Mem::In(from), subs) = &inner.op
            && *from == array
        {
            let own = subs.iter().zip(dims).all(|(sub, dim)| match loop_of(sub) {
                Some(axis) => kernel.domain[axis] == *dim,
                None => dim.is_one(),
            });
            reads += u32::from(own && subs.iter().filter_map(loop_of).count() == kernel.domain.len());
        }
    });
    kernel.body.for_each_use(&mut |v| all += u32::from(v == array));
    reads == all && !kernel.outs.iter().any(|out| out.updated() == Some(array))
}

/// Whether something behind a statement uses the value.
fn is_used(region: &Region, at: usize, value: Value) -> bool {
    region.term.values().contains(&value) || region.stmts[at + 1..].iter().any(|stmt| uses(stmt, value))
}

/// Whether a statement makes a new state of an array, perhaps in its place.
fn updates(stmt: &Stmt, array: Value) -> bool {
    match &stmt.op {
        Op::Kernel(kernel) => kernel.outs.iter().any(|out| out.updated() == Some(array)),
        op => uses(stmt, array) && !matches!(op, Op::Load(..) | Op::Reduce(..)),
    }
}

/// Puts the statements that compute an element in the place of each load of it. That nothing loads the array any more, dead code will find.
fn replace(func: &mut Func, region: &mut Region, at: usize, found: &Candidate) {
    let Op::Kernel(kernel) = &region.stmts[at].op else { return };
    let Element { stmts, params, value, .. } = &found.element;
    let statements: Vec<Stmt> = stmts.iter().map(|number| kernel.body.stmts[*number].clone()).collect();
    for user in &found.users {
        let Op::Kernel(kernel) = &mut region.stmts[*user].op else { continue };
        kernel.body.rewrite(&mut |stmt, out| {
            let subs = match &stmt.op {
                Op::Load(Mem::In(array), subs) if *array == found.array => subs.clone(),
                _ => return out.push(stmt),
            };
            let mut copy = Copy::new(func);
            copy.values.extend(params.iter().zip(&subs).filter_map(|(param, sub)| Some(((*param)?, *sub))));
            for original in &statements {
                let mut again = copy.stmt(original);
                if original.results.contains(value) {
                    again.results.clone_from(&stmt.results);
                }
                out.push(again);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    fn changed(text: &str) -> Option<String> {
        let mut func = parse_func(text).unwrap();
        super::run(&mut func).then(|| func.to_string())
    }

    const CENTRED: &str = "func @f(%a: f64[n, m], %t: f64[n, 1]) -> (s: f64[n, 1], y: f64[n, m]) {
      sym n = dim 0 0, >= 0
      sym m = dim 0 1, >= 0
      %d: f64[n, m], %s: f64[n, 1] = kernel 0 over [n, m] into (fresh, reduce sum along [1]) |%i: index, %j: index| {
        %c = const 0
        %x = load %a[%i, %j]
        %z = load %t[%i, %c]
        %e = sub %x, %z
        put out0[%i, %j] = %e
        %q = mul %e, %e
        accumulate out1, %q
      }
      %y: f64[n, m] = kernel 1 over [n, m] into (fresh) |%i2: index, %j2: index| {
        %c2 = const 0
        %x2 = load %d[%i2, READ]
        %z2 = load %s[%i2, %c2]
        %e2 = div %x2, %z2
        put out0[%i2, %j2] = %e2
      }
      return %s, RESULT
    }";

    #[test]
    fn an_array_that_kernels_could_compute_is_not_stored() {
        let text = CENTRED.replace("READ", "%j2").replace("RESULT", "%y");
        let text = changed(&text).expect("d goes");
        assert!(!text.contains("load %2") && text.matches("sub ").count() == 2, "{text}");
    }

    #[test]
    fn one_that_somebody_else_needs_is() {
        assert_eq!(changed(&CENTRED.replace("READ", "%j2").replace("RESULT", "%d")), None, "a result");
        assert_eq!(changed(&CENTRED.replace("READ", "%c2").replace("RESULT", "%y")), None, "another element");
        let costly = CENTRED.replace("sub %x, %z", "div %x, %z").replace("READ", "%j2").replace("RESULT", "%y");
        assert_eq!(changed(&costly), None, "a division");
    }
}
