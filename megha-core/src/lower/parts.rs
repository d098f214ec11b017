//! Eigenvalues that may be complex because the program asks only for their magnitudes, angles and parts: `max(abs(eig(A)))`,
//! `e = eig(A); if any(real(e) > 0)`.
//!
//! Classes are static, so `eig` of a real matrix is real, and it is an error if the eigenvalues are not. That error is needless
//! where no value of the program depends on the class of the result: the call stands in `abs(..)` or a function like it, or is
//! assigned to a variable that is assigned nowhere else, is neither displayed nor a result, and is only mentioned in such functions.

use std::collections::{BTreeMap, BTreeSet};

use super::Lower;
use crate::matlab::ast::{Expr, ExprKind, Function, LValue, Stmt, StmtKind};
use crate::matlab::walk::{self, Visitor};
use crate::source::Span;

/// Functions that give real numbers for complex ones, and for real ones what they give for the same numbers of class complex.
const ASK_FOR_PARTS: &[&str] = &["abs", "real", "imag", "angle", "arg", "numel", "length", "isempty"];

impl Lower<'_> {
    /// Notes the calls of `eig` in a function of which only magnitudes and parts are asked.
    pub(super) fn note_parts(&mut self, function: &Function) {
        let own = |name: &&&str| self.own_function(name, function.name.span).is_some();
        if ASK_FOR_PARTS.iter().any(|name| own(&name)) {
            return;
        }
        let mut uses = Uses::default();
        walk::stmts(&function.body, &mut uses);
        let free = |name: &str, variable: &Variable| {
            variable.assigned == 1
                && variable.mentioned == variable.asked
                && !function.outputs.iter().any(|o| o.text == name)
        };
        let of_variables =
            uses.variables.iter().filter(|(name, variable)| free(name, variable)).filter_map(|(_, v)| v.call);
        self.asked_in_parts.extend(of_variables.chain(uses.direct.iter().copied()));
    }
}

/// How a function uses eigenvalues.
#[derive(Default)]
struct Uses {
    /// Calls that are arguments of functions that ask for parts.
    direct: BTreeSet<Span>,
    variables: BTreeMap<String, Variable>,
}

#[derive(Default)]
struct Variable {
    /// The call of `eig` that is assigned without being displayed.
    call: Option<Span>,
    /// How often anything is assigned to it or to elements of it.
    assigned: usize,
    mentioned: usize,
    /// How often it, or an element of it, is the argument of a function that asks for parts.
    asked: usize,
}

impl Uses {
    fn variable(&mut self, name: &str) -> &mut Variable {
        self.variables.entry(name.to_owned()).or_default()
    }
}

/// Whether this is `eig(x)`.
fn is_eig(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Apply { callee, args } if args.len() == 1 && is_name(callee, "eig"))
}

fn is_name(expr: &Expr, wanted: &str) -> bool {
    matches!(&expr.kind, ExprKind::Ident(name) if name == wanted)
}

impl Visitor for Uses {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(name) => self.variable(name).mentioned += 1,
            ExprKind::Apply { callee, args } if ASK_FOR_PARTS.iter().any(|name| is_name(callee, name)) => {
                let [arg] = &args[..] else { return };
                match &arg.kind {
                    _ if is_eig(arg) => drop(self.direct.insert(arg.span)),
                    ExprKind::Ident(name) => self.variable(name).asked += 1,
                    ExprKind::Apply { callee, .. } => {
                        if let ExprKind::Ident(name) = &callee.kind {
                            self.variable(name).asked += 1;
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, target: &LValue) {
        self.variable(&target.name.text).assigned += 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Assign { target, op: None, value } = &stmt.kind
            && !stmt.prints
            && target.accesses.is_empty()
            && is_eig(value)
        {
            self.variable(&target.name.text).call = Some(value.span);
        }
    }
}
