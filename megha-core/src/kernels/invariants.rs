//! Loop-invariant code motion, for reads of array elements.
//!
//! `A(i, k)` in the innermost of three loops over `i`, `k` and `j` is the same number for all `j`. The compiler of the generated code cannot know:
//! there the read is one of memory, and the loop may store to memory. Here arrays are values, so an element is the same as long as its
//! operands are. Only what can neither fail nor be noticed moves: the loop may have no iterations. Statements under an `if` stay.

use crate::hash::HashSet;

use super::accesses::Definitions;
use super::bounds::Prover;
use crate::ir::{Binary, Class, Func, Op, Region, Stmt, Sub, Value};

/// Moves reads that do not change in a loop before it, out of all loops around them in which they do not change either.
pub fn run(func: &mut Func) {
    let defs = Definitions::of(func);
    let mut body = std::mem::take(&mut func.body);
    Pass { prover: Prover::new(&func.symbols, &func.types, &defs) }.region(&mut body);
    func.body = body;
}

struct Pass<'f> {
    prover: Prover<'f>,
}

impl Pass<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            match &mut stmt.op {
                Op::For { body, .. } | Op::While { body, .. } => {
                    self.region(body);
                    region.stmts.append(&mut self.take_invariants(body));
                }
                Op::If { then, els, .. } => [then, els].into_iter().for_each(|arm| self.region(arm)),
                _ => {}
            }
            region.stmts.push(stmt);
        }
    }

    /// Takes the reads out of a loop's body that do not change in it, and what their subscripts are computed from.
    fn take_invariants(&mut self, body: &mut Region) -> Vec<Stmt> {
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let mut varying = inside.clone();
        // Whether each statement may move, and if it is a read.
        let mut movable = Vec::with_capacity(body.stmts.len());
        for stmt in &body.stmts {
            let fixed = !self.varies(stmt, &varying, &inside);
            let read = fixed && self.is_read(stmt);
            let moves = read || fixed && self.is_step(stmt);
            if moves {
                for result in &stmt.results {
                    varying.remove(result);
                }
            }
            movable.push((moves, read));
        }
        let mut needed: HashSet<Value> = HashSet::default();
        for (stmt, (moves, read)) in body.stmts.iter().zip(&mut movable).rev() {
            *moves &= *read || stmt.results.iter().any(|v| needed.contains(v));
            if *moves {
                stmt.op.for_each_operand(&mut |v| needed.extend([v]));
            }
        }
        let mut movable = movable.into_iter();
        body.stmts.extract_if(.., |_| movable.next().is_some_and(|(moves, _)| moves)).collect()
    }

    /// Whether a statement has an operand that varies, or a size made of a value that is defined inside the loop.
    fn varies(&self, stmt: &Stmt, varying: &HashSet<Value>, inside: &HashSet<Value>) -> bool {
        let mut varies = false;
        stmt.op.for_each_operand(&mut |v| varies |= varying.contains(&v));
        let known = |sym| self.prover.symbols.is_known(sym, &|v| !inside.contains(&v));
        stmt.op.for_each_size(&mut |size| varies |= !size.symbols().all(known));
        varies
    }

    /// Whether a statement reads an element that exists also where the loop has no iterations.
    fn is_read(&mut self, stmt: &Stmt) -> bool {
        let Op::Index { array, subs, checked: false } = &stmt.op else { return false };
        subs.iter().all(|sub| matches!(sub, Sub::At(_))) && self.prover.is_inside(*array, subs, &[])
    }

    /// Whether a statement is a step of the arithmetic of subscripts. Products stay, as they might overflow where the program does not compute them.
    fn is_step(&self, stmt: &Stmt) -> bool {
        match (&stmt.op, &stmt.results[..]) {
            (Op::Const(_) | Op::Size(_), [result]) => self.prover.types[result.index()].is_scalar(),
            (Op::Binary(Binary::Add | Binary::Sub, ..), [result]) => {
                self.prover.types[result.index()].class == Class::Index
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;
    use crate::ir::{Module, verify::verify};

    /// How deep in loops each `index` stands after the pass; `BODY` stands in a loop over `%j` in one over `%i` in one over `%h`.
    fn depths(body: &str) -> Vec<usize> {
        let text = "func @f(%a: f64[m, n], %w: f64[m, 1], %x: f64[n, 1]) -> (y: f64[n, 1]) {
          sym m = dim 0 0, >= 5
          sym n = dim 0 1, >= 0
          SYMBOL
          %m: index = size m
          %n: index = size n
          %0: index = const 0
          %1: index = const 1
          %y: f64[n, 1] = for %n with %x |%h, %first: f64[n, 1]| {
            %z: f64[n, 1] = for %m with %first |%i, %outer: f64[n, 1]| {
              %next: f64[n, 1] = for %n with %outer |%j, %acc: f64[n, 1]| {
                BODY
                %put: f64[n, 1] = store %acc[%j, %0] = %e
                yield %put
              }
              yield %next
            }
            yield %z
          }
          return %y
        }";
        let symbol = if body.contains("size s") { "sym s = value %k, >= 0, <= 4" } else { "" };
        let mut func =
            parse_func(&text.replace("BODY", body).replace("SYMBOL", symbol)).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let printed = func.to_string();
        assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
        let mut depth = 0;
        let mut found = Vec::new();
        for line in printed.lines() {
            depth -= usize::from(line.trim_start().starts_with('}'));
            if line.contains("= index ") {
                found.push(depth - 1);
            }
            depth += usize::from(line.ends_with('{'));
        }
        found
    }

    #[test]
    fn a_read_leaves_the_loops_in_which_it_does_not_change() {
        assert_eq!(depths("%e = index %w[%i, %0]"), [2], "the element of the middle loop, before the inner one");
        assert_eq!(depths("%e = index %a[%i, %j]"), [3]);
        assert_eq!(depths("%e = index %a[%i, %h]"), [2]);
        assert_eq!(depths("%b = index %a[%i, %h]\n %e = index %x[%h, %0]"), [1, 2]);
    }

    #[test]
    fn the_arithmetic_of_a_subscript_goes_with_it() {
        assert_eq!(depths("%k = sub %m, %1\n %l = sub %k, %i\n %e = index %w[%l, %0]"), [2]);
    }

    #[test]
    fn sizes_of_what_the_loop_computes_stay_in_it() {
        let computed = "%q: f64 = convert %h\n %k: index = to_index %q\n %l: index = size s\n %e = index %w[%l, %0]";
        assert_eq!(depths(computed), [3]);
    }

    #[test]
    fn what_may_not_exist_or_may_change_stays() {
        assert_eq!(depths("%e = index %x[%0, %0]"), [3], "`n` may be 0");
        assert_eq!(depths("%e = index %w[%0, %0]"), [0], "`m` may not");
        assert_eq!(depths("%e = index %w[%i, %0] checked"), [3], "fails only if the loop has iterations");
        assert_eq!(depths("%e = index %acc[%h, %0]"), [3], "an array that the loop changes");
    }
}
