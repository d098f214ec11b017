//! Tests of sizes that depend on the arguments alone come first: a call with arguments that do not fit ends before any work.
//!
//! Lowering tests sizes where an operation first needs them to be equal, perhaps after a loop of a thousand kernels. A test moves up to the
//! function's entry as long as nothing that can be seen from outside, or can fail in another way, stands before it. A test that real numbers do not become
//! complex lets it pass: the program goes on there in MATLAB, and ends at the sizes.

use crate::ir::{Cause, Check, Func, Op, Size, Stmt};

/// Moves tests of a function's outermost statements.
pub fn run(func: &mut Func) {
    let (mut first, mut rest): (Vec<Stmt>, Vec<Stmt>) = (Vec::new(), Vec::new());
    let mut stmts = std::mem::take(&mut func.body.stmts).into_iter();
    for stmt in stmts.by_ref() {
        match &stmt.op {
            Op::SameSize(a, b, _) if of_arguments(func, a) && of_arguments(func, b) => first.push(stmt),
            op => {
                let stop = !lets_pass(op);
                rest.push(stmt);
                if stop {
                    break;
                }
            }
        }
    }
    func.body.stmts = first.into_iter().chain(rest).chain(stmts).collect();
}

/// Whether a test of sizes may come before a statement.
pub(crate) fn lets_pass(op: &Op) -> bool {
    !op.has_effect() || matches!(op, Op::Assert(_, Check { cause: Cause::Complex, .. }))
}

/// Whether a size is made of the sizes of arguments.
fn of_arguments(func: &Func, size: &Size) -> bool {
    func.symbols.is_made_of(size, &|_| false)
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// The operations of the body in order, after a statement like `BEFORE`.
    fn order(before: &str) -> Vec<&'static str> {
        let text = "func @f(%a: f64[n, 1], %b: f64[m, 1], %t: index, %c: bool) -> (y: f64[n, 1]) {
          sym n = dim 0 0, >= 0
          sym m = dim 1 0, >= 0
          BEFORE
          %e: f64[n, 1] = exp %a
          same_size n, m, \"+\"
          %s: f64[n, 1] = reshape %b
          %y: f64[n, 1] = add %e, %s
          return %y
        }";
        let mut func = parse_func(&text.replace("BEFORE", before)).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let printed = func.to_string();
        let mut found: Vec<(usize, &str)> =
            ["same_size", "= exp ", "assert"].iter().filter_map(|op| Some((printed.find(op)?, *op))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, op)| op).collect()
    }

    #[test]
    fn a_test_comes_before_work() {
        assert_eq!(order(""), ["same_size", "= exp "]);
    }

    #[test]
    fn a_test_stays_behind_what_can_fail() {
        assert_eq!(order("assert %c, \"no\""), ["assert", "= exp ", "same_size"]);
    }
}
