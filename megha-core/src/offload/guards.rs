//! Run-time guards: relations between numbers that are arguments, under which more loops are parallel.
//!
//! Rows of a flat array, `a[i * ld + j]` for `j < m`, are disjoint if `ld >= m`, and `x[i * step]` is another element for each `i` if
//! `step >= 1`. The program knows that when it runs. So where a loop is not proven parallel, each such relation is tried: the function is
//! compiled as if it held, and if that leaves fewer loops in order, this form runs behind a test of the relation (a comparison for each
//! call), with the one that assumes nothing for all other calls. A parameter is compared with what bounds loops, and with 1.

use super::ast::{Block, Child, Expr, ExprKind, Function, ParamType, Scalar, Stmt, StmtKind, shown};
use super::lower::Lower;
use super::types::Types;
use super::{Compiled, compile_assuming};
use crate::ir::Size;
use crate::kernels::doall::{LoopReport, Outcome, Reason};

/// How many relations are tried: each takes as long as the function takes to compile.
const TRIES: usize = 12;

/// What is assumed: a parameter is at least another one, or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assumption {
    larger: usize,
    smaller: Option<usize>,
}

impl Assumption {
    /// In the program's words.
    pub fn said(self, function: &Function) -> String {
        let name = |number: usize| shown(&function.params[number].name.text).to_owned();
        let smaller = self.smaller.map_or("1".to_owned(), name);
        format!("`{} >= {smaller}`", name(self.larger))
    }
}

/// The form of a function that assumes what makes more of its loops parallel, and what that is; `None` if nothing does.
pub(super) fn guarded(function: &Function, plain: &Compiled) -> Option<(Compiled, Vec<Assumption>)> {
    let mut fewest = in_order(plain);
    let (mut best, mut assumed) = (None, Vec::new());
    for candidate in candidates(function, &plain.types).into_iter().take(TRIES) {
        if fewest == 0 {
            break;
        }
        let all = [&assumed[..], &[candidate]].concat();
        let Ok(compiled) = compile_assuming(function, &all) else { continue };
        if in_order(&compiled) < fewest {
            fewest = in_order(&compiled);
            (best, assumed) = (Some(compiled), all);
        }
    }
    best.map(|compiled| (compiled, assumed))
}

/// How many loops run in order because of accesses to arrays.
fn in_order(compiled: &Compiled) -> usize {
    let reports = compiled.log.loops.first().map_or(&[][..], |(_, reports)| reports);
    let is_it = |report: &&LoopReport| match &report.outcome {
        Outcome::Sequential(reason) | Outcome::Jammed { reason, .. } => matches!(reason, Reason::Dependence { .. }),
        Outcome::Parallel { .. } | Outcome::Expanded | Outcome::InKernel { .. } => false,
    };
    reports.iter().filter(is_it).count()
}

/// The relations that may help: of what is computed with, to what bounds loops.
fn candidates(function: &Function, types: &Types) -> Vec<Assumption> {
    let mut uses = Uses { types, computed: Vec::new(), bounds: Vec::new() };
    uses.block(&function.body);
    let is_whole = |number: &usize| {
        let scalar = function.params.get(*number).is_some_and(|param| matches!(param.ty, ParamType::Scalar(_, false)));
        scalar && types.class(*number).is_whole()
    };
    let larger = (0..function.params.len()).filter(|n| is_whole(n) && uses.computed.contains(n));
    let same = |a: usize, b: usize| -> bool {
        let [a, b]: [Scalar; 2] = [a, b].map(|number| types.class(number));
        a == b
    };
    let each = larger.flat_map(|larger| {
        let smaller = (0..function.params.len()).filter(is_whole).filter(|n| uses.bounds.contains(n));
        let pairs = smaller.filter(move |n| *n != larger && same(*n, larger)).map(Some).collect::<Vec<_>>();
        [vec![None], pairs].concat().into_iter().map(move |smaller| Assumption { larger, smaller })
    });
    each.collect()
}

/// Where variables are used.
struct Uses<'t> {
    types: &'t Types,
    /// Elsewhere than as bounds of loops.
    computed: Vec<usize>,
    bounds: Vec<usize>,
}

impl Uses<'_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.value.iter().for_each(|value| self.expr(value, false));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::For { from, to, body, .. } = &stmt.kind {
            [from, to].into_iter().for_each(|bound| self.expr(bound, true));
            self.block(body);
            return;
        }
        stmt.children(&mut |child| self.child(child, false));
    }

    fn expr(&mut self, expr: &Expr, bounds: bool) {
        // What is computed with as a floating-point number is no subscript.
        if matches!(&expr.kind, ExprKind::Cast(_, class) if class.is_float()) {
            return;
        }
        if let ExprKind::Variable(_) = &expr.kind {
            let number = self.types.variable(expr.span);
            if bounds { self.bounds.push(number) } else { self.computed.push(number) }
        }
        expr.children(&mut |child| self.child(child, bounds));
    }

    fn child(&mut self, child: Child<'_>, bounds: bool) {
        match child {
            Child::Expr(expr) => self.expr(expr, bounds),
            Child::Block(block) => self.block(block),
        }
    }
}

impl Lower<'_> {
    /// Makes what is assumed known of the parameters, and a condition of the entry.
    pub(super) fn assume(&mut self, assumed: &[Assumption]) {
        for Assumption { larger, smaller } in assumed {
            let size = |this: &Self, number: usize| this.known_size(this.env[&number]).cloned();
            let least = match smaller {
                Some(number) => size(self, *number),
                None => Some(Size::constant(1)),
            };
            let (Some(larger), Some(least)) = (size(self, *larger), least) else { continue };
            if let Some(sym) = larger.as_sym() {
                self.builder.func.symbols.get_mut(sym).at_least.push(least.clone());
            }
            self.entry.push(larger.sub(&least));
        }
    }
}
