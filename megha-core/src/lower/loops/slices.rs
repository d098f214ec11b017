//! Short loops over slices, whose iterations are lowered one after the other: `for q = 1:9, f(:,:,q) = c(q)*f(:,:,q); end`.
//!
//! As a loop each iteration launches kernels of its own on a slice that only the run knows, and nothing fuses with what stands around.
//! Written out `c(q)` is a number and `f(:,:,q)` a known slice, so the statements are a block like any other (loop unrolling;
//! Muchnick, section 17.4.3), and `planes` can part the array. It is done where the number of iterations is a small constant, the body
//! is assignments, some of them of matrices at the loop variable's number, and the code that comes out is short.

use crate::matlab::ast::{AccessKind, Expr, ExprKind, LValue, Stmt, StmtKind};
use crate::matlab::{mentions, walk};

/// A loop with more iterations stays a loop.
const MOST_ITERATIONS: i64 = 16;
/// So many expressions, those in others counted too, come out at most.
const MOST_EXPRESSIONS: usize = 1000;

/// Whether the iterations of a loop over `variable` are to be lowered one by one.
pub(super) fn worth_unrolling(body: &[Stmt], variable: &str, trip: i64) -> bool {
    if !(2..=MOST_ITERATIONS).contains(&trip) {
        return false;
    }
    let mut search = Search { variable, planes: false, other: false, expressions: 0 };
    walk::stmts(body, &mut search);
    search.planes && !search.other && search.expressions * trip as usize <= MOST_EXPRESSIONS
}

struct Search<'n> {
    variable: &'n str,
    /// A matrix is taken or stored at the loop variable's number.
    planes: bool,
    /// Something else than assignments stands there, or the loop variable is assigned.
    other: bool,
    expressions: usize,
}

impl Search<'_> {
    fn subscripts(&mut self, list: &[Expr]) {
        let colons = list.iter().filter(|sub| matches!(sub.kind, ExprKind::Colon)).count();
        let own = |sub: &Expr| mentions::of_expr(sub).contains(self.variable);
        self.planes |= colons >= 2 && colons + 1 == list.len() && list.iter().any(own);
    }
}

impl walk::Visitor for Search<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.expressions += 1;
        match &expr.kind {
            ExprKind::Apply { args, .. } => self.subscripts(args),
            ExprKind::AnonFn { .. } | ExprKind::Cell { .. } | ExprKind::BraceIndex { .. } => self.other = true,
            _ => {}
        }
    }

    fn target(&mut self, target: &LValue) {
        self.other |= target.name.text == self.variable;
        for access in &target.accesses {
            match &access.kind {
                AccessKind::Paren(list) => self.subscripts(list),
                AccessKind::Brace(_) | AccessKind::Field(_) | AccessKind::DynamicField(_) => self.other = true,
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.other |= stmt.prints || !matches!(stmt.kind, StmtKind::Assign { .. });
    }
}
