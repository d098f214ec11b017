//! Simplification: common subexpressions, carried values that are equal (`congruent.rs`), constants, dead code.
//!
//! Values are numbered in dominance order: a pure statement that repeats one of this region or of a region around it is
//! replaced by the first (Briggs, Cooper and Simpson's scoped value numbering). Loads from in-variables of a kernel are
//! pure, loads from out-variables are not. Dead code goes (`kernels::dead`), and with it out-variables that nothing uses.

use crate::congruent;
use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Const, Func, Kernel, Kind, Mem, Op, Out, Region, Stmt, Type, Value, Walk};
use crate::kernels::dead;

/// Removes repeated and dead statements.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let sizes = func.symbols.values().collect();
    let mut numbering =
        Numbering { scopes: Vec::new(), renamed: HashMap::default(), integers: HashMap::default(), sizes, func };
    numbering.region(&mut body);
    func.body = body;
    congruent::run(func);
    dead::run(func);
    // An out-variable that goes may have been the last user of others.
    while drop_dead_outs(&mut func.body) {
        dead::run(func);
    }
}

/// An operation and the type of its result. They are compared as they are, floats by their bits: NaNs and zeros of other bits are others.
type Key = (Op, Type);

struct Numbering<'f> {
    scopes: Vec<HashMap<Key, Value>>,
    renamed: HashMap<Value, Value>,
    /// `Index` constants.
    integers: HashMap<Value, i64>,
    /// The scalars that sizes are made of: they keep their definitions.
    sizes: HashSet<Value>,
    func: &'f Func,
}

impl Numbering<'_> {
    fn region(&mut self, region: &mut Region) {
        self.scopes.push(HashMap::default());
        let stmts = std::mem::take(&mut region.stmts);
        for mut stmt in stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = *self.renamed.get(v).unwrap_or(v));
            if let Op::Load(Mem::Out(_), _) = stmt.op {
                region.stmts.push(stmt);
                continue;
            }
            self.fold(&mut stmt.op);
            if let (Some(factor), [result]) = (self.only_factor(&stmt.op), stmt.results.as_slice())
                && !self.sizes.contains(result)
            {
                self.renamed.insert(*result, factor);
                continue;
            }
            if let (Op::Const(Const::Int(c)), [result]) = (&stmt.op, stmt.results.as_slice())
                && self.func.ty(*result).class == Class::Index
            {
                self.integers.insert(*result, *c);
            }
            for nested in stmt.op.regions_mut() {
                self.region(nested);
            }
            if let Op::Kernel(kernel) = &stmt.op {
                self.equal_outs(kernel, &stmt.results);
            }
            if let ([result], Some(key)) = (stmt.results.as_slice(), self.key(&stmt)) {
                let same = self.scopes.iter().rev().find_map(|s| s.get(&key));
                if let Some(same) = same.filter(|_| !self.sizes.contains(result)) {
                    self.renamed.insert(*result, *same);
                    continue;
                }
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(key, *result);
                }
            }
            region.stmts.push(stmt);
        }
        for value in region.term.values_mut() {
            *value = *self.renamed.get(value).unwrap_or(value);
        }
        self.scopes.pop();
    }

    /// Out-variables of a kernel that are the same numbers, such as the sums of `sum(x)` and `mean(x)`: behind it the first stands for all of
    /// them, and those that nobody needs then go.
    fn equal_outs(&mut self, kernel: &Kernel, results: &[Value]) {
        // What each is given, where that is all that the body does with it.
        let (mut times, mut given) = (vec![0; results.len()], vec![None; results.len()]);
        kernel.body.walk(&mut |stmt| {
            if let Some(out) = touched(&stmt.op) {
                times[out] += 1;
            }
        });
        for stmt in &kernel.body.stmts {
            match &stmt.op {
                Op::Put(out, subs, value) => given[*out] = Some((&subs[..], *value)),
                Op::Accumulate(out, value) => given[*out] = Some((&[][..], *value)),
                _ => {}
            }
        }
        let given = |out: usize| {
            let alone = times[out] == 1 && !matches!(kernel.outs[out], Out::Update(_));
            given[out].filter(|_| alone).map(|given| (&kernel.outs[out], self.func.ty(results[out]), given))
        };
        for (out, second) in results.iter().enumerate().skip(1) {
            let Some(own) = given(out) else { continue };
            let same = (0..out).find(|o| given(*o).is_some_and(|other| other == own));
            if let Some(same) = same.filter(|_| !self.sizes.contains(second)) {
                self.renamed.insert(*second, results[same]);
            }
        }
    }

    /// Computes what is known: `Index` arithmetic on constants, and constant sizes.
    fn fold(&self, op: &mut Op) {
        let folded = match op {
            Op::Size(size) => size.as_constant(),
            Op::Binary(binary, a, b) => match (self.integers.get(a), self.integers.get(b)) {
                (Some(x), Some(y)) => match binary {
                    Binary::Add => Some(x.wrapping_add(*y)),
                    Binary::Sub => Some(x.wrapping_sub(*y)),
                    Binary::Mul => Some(x.wrapping_mul(*y)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = folded {
            *op = Op::Const(Const::Int(value));
        }
    }

    /// The other factor of a product with the `Index` constant one. A constant may stand outside of the kernel, where access maps do not look for it.
    fn only_factor(&self, op: &Op) -> Option<Value> {
        let Op::Binary(Binary::Mul, a, b) = op else { return None };
        let is_one = |value: &Value| self.integers.get(value) == Some(&1);
        if is_one(b) { Some(*a) } else { Some(*b).filter(|_| is_one(a)) }
    }

    /// What two statements share exactly if they compute the same scalar or index array. Arrays that take memory are
    /// left alone: each may be updated in place.
    fn key(&self, stmt: &Stmt) -> Option<Key> {
        let [result] = stmt.results[..] else { return None };
        let ty = self.func.ty(result);
        let same = match &stmt.op {
            Op::Range { .. } | Op::Linspace(..) => true,
            Op::Load(Mem::In(_), _) => ty.is_scalar(),
            op => match op.kind() {
                Kind::Scalar | Kind::Elementwise => !op.has_effect() && ty.is_scalar(),
                Kind::Whole | Kind::Access | Kind::Action | Kind::Control => false,
            },
        };
        same.then(|| (stmt.op.clone(), ty.clone()))
    }
}

/// The out-variable that an operation of a kernel stores, combines or reads.
fn touched(op: &Op) -> Option<usize> {
    match op {
        Op::Put(out, ..) | Op::Accumulate(out, _) | Op::Load(Mem::Out(out), _) => Some(*out),
        _ => None,
    }
}

/// Removes out-variables of kernels that nothing uses; tells whether there were any.
fn drop_dead_outs(body: &mut Region) -> bool {
    let mut used = HashSet::default();
    body.for_each_use(&mut |value| _ = used.insert(value));
    let mut changed = false;
    body.walk_mut(&mut |stmt| match &mut stmt.op {
        Op::Kernel(kernel) => {
            changed |= drop_outs(kernel, &mut stmt.results, &used);
            Walk::Skip
        }
        _ => Walk::Advance,
    });
    changed
}

/// Removes out-variables that nothing uses, inside or outside, unless they are all that the kernel gives.
pub(crate) fn drop_outs(kernel: &mut Kernel, results: &mut Vec<Value>, used: &HashSet<Value>) -> bool {
    let loaded =
        |kernel: &Kernel, out: usize| kernel.body.any(|op| matches!(op, Op::Load(Mem::Out(o), _) if *o == out));
    let dead: Vec<usize> = (0..results.len()).filter(|o| !used.contains(&results[*o]) && !loaded(kernel, *o)).collect();
    if dead.is_empty() || dead.len() == results.len() {
        return false;
    }
    let new_number = |o: usize| o - dead.iter().filter(|d| **d < o).count();
    kernel.body.map_regions(&mut |region| {
        region.stmts.retain(|s| !matches!(&s.op, Op::Put(o, ..) | Op::Accumulate(o, _) if dead.contains(o)));
        for stmt in &mut region.stmts {
            if let Op::Put(o, ..) | Op::Accumulate(o, _) | Op::Load(Mem::Out(o), _) = &mut stmt.op {
                *o = new_number(*o);
            }
        }
    });
    let keep = |o: &usize| !dead.contains(o);
    kernel.outs =
        kernel.outs.iter().enumerate().filter(|(o, _)| keep(o)).map(|(_, out): (usize, &Out)| out.clone()).collect();
    *results = results.iter().enumerate().filter(|(o, _)| keep(o)).map(|(_, v)| *v).collect();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    /// The function's text behind the pass.
    fn simplified(text: &str) -> String {
        let mut func = parse(text).unwrap().funcs.remove(0);
        run(&mut func);
        func.to_string()
    }

    #[test]
    fn constants_are_the_same_if_their_bits_are() {
        let text = simplified(
            "func @f() -> (f64, f64, f64, f64, f64, f64, f32, index, i64) {
               %a = const 0.0  %b = const -0.0  %c = const nan  %d = const nan(0xfff8000000000000)
               %e = const nan  %f = const 0.0  %g: f32 = const 0.0  %h = const 0  %i: i64 = const 0
               return %a, %b, %c, %d, %e, %f, %g, %h, %i }",
        );
        assert_eq!(text.matches("= const").count(), 7, "{text}");
        assert!(text.contains("return %0, %1, %2, %3, %2, %0, %6, %7, %8"), "{text}");
    }

    #[test]
    fn a_repeated_scalar_is_computed_once_where_the_first_dominates() {
        let text = simplified(
            "func @f(%x: f64, %c: bool) -> (f64, f64, f64) {
               %p, %q = if %c { %a = exp %x  %b = exp %x  yield %a, %b } else { %d = exp %x  yield %d, %d }
               %s = exp %x
               return %p, %q, %s }",
        );
        assert_eq!(text.matches("= exp").count(), 3, "{text}");
    }

    #[test]
    fn what_may_fail_and_arrays_in_memory_stay() {
        let text = simplified(
            "func @f(%x: f64, %v: f64[n, 1]) -> (index, index, f64[n, 1], f64[n, 1]) {
               sym n = dim 0 0
               %a = to_index %x  %b = to_index %x  %y = exp %v  %z = exp %v
               return %a, %b, %y, %z }",
        );
        assert_eq!((text.matches("to_index").count(), text.matches("= exp").count()), (2, 2), "{text}");
    }
}
