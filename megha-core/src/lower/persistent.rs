//! Persistent variables that keep constants: tables and limits that a function makes in its first call.
//!
//! ```matlab
//! persistent table
//! if isempty(table)
//!   table = cumsum(1 ./ (1:20));
//! end
//! ```
//!
//! What such a block computes depends on nothing that differs from call to call, so every call may compute it again: the variable
//! starts as `[]`, and the result is the same. A variable that carries anything else from one call to the next is refused, as a compiled
//! function depends on its arguments only.

use std::collections::BTreeSet;

use super::live::{Names, assigned};
use super::{Scope, hoist};
use crate::matlab::ast::{
    BinaryOp, Expr, ExprKind, Function, IfBranch, OutTarget, Param, ShortCircuitOp, Stmt, StmtKind,
};
use crate::matlab::mentions;
use crate::matlab::walk::{self, Visitor};
use crate::source::Span;

/// Functions whose values differ from call to call.
const DIFFERENT_EACH_TIME: &[&str] = &[
    "rand",
    "randn",
    "randi",
    "randperm",
    "tic",
    "toc",
    "clock",
    "cputime",
    "time",
    "now",
    "date",
    "nargin",
    "nargout",
    "nargchk",
    "narginchk",
    "varargin",
    "inputname",
    "isargout",
    "exist",
    "ans",
];
/// Functions that print. Those that a block calls may do so, as a warning that a table is too short: it is printed in every call.
const PRINTING: &[&str] = &["fprintf", "printf", "disp", "display", "puts", "fputs", "fdisp", "warning"];

/// The names of the functions' persistent variables, where they are declared, that keep constants.
pub(super) fn constants(scope: &Scope<'_>, functions: &[&Function]) -> BTreeSet<Span> {
    functions.iter().filter_map(|f| Keeper::of(f, scope, &mut Vec::new())).flatten().collect()
}

/// What is known while the statements of one function are looked at in order.
struct Keeper<'f, 's> {
    function: &'f Function,
    scope: &'f Scope<'s>,
    /// The functions that are being looked at, outermost first.
    open: &'f mut Vec<Span>,
    /// All variables of the function.
    variables: Names,
    /// Persistent variables.
    kept: Names,
    /// Variables that have the same value here in every call.
    constant: Names,
    /// Variables that have been assigned, and parameters.
    before: Names,
}

impl Keeper<'_, '_> {
    /// Where the function declares persistent variables, if it has some and all of them keep constants.
    fn of(function: &Function, scope: &Scope<'_>, open: &mut Vec<Span>) -> Option<Vec<Span>> {
        let declared = declarations(&function.body)?;
        let parameters = function.inputs.iter().filter_map(|p| match p {
            Param::Named(name) => Some(name.text.clone()),
            Param::Ignored(_) => None,
        });
        let before: Names = parameters.collect();
        let mut variables = before.clone();
        variables.extend(function.outputs.iter().map(|name| name.text.clone()));
        assigned(&function.body, &mut variables);
        let (kept, constant) = (Names::new(), Names::new());
        let mut keeper = Keeper { function, scope, open, variables, kept, constant, before };
        let sound = function.body.iter().enumerate().all(|(at, stmt)| keeper.stmt(stmt, &function.body[at + 1..]));
        sound.then_some(declared)
    }

    /// Whether a statement leaves the persistent variables what they are; `rest` is what follows.
    fn stmt(&mut self, stmt: &Stmt, rest: &[Stmt]) -> bool {
        let this = std::slice::from_ref(stmt);
        if let StmtKind::Persistent(list) = &stmt.kind {
            for declared in list {
                let name = declared.name.text.clone();
                if declared.value.as_ref().is_some_and(|value| self.is_closed(value)) {
                    self.constant.insert(name.clone());
                    self.before.insert(name.clone());
                }
                self.kept.insert(name);
            }
            return true;
        }
        if let Some((asked, body)) = self.first_call(stmt) {
            return self.makes_constants(asked, body, rest);
        }
        self.constant.extend(self.becomes_constant(stmt, rest));
        let mut own = Names::new();
        assigned(this, &mut own);
        let used = mentions::of_block(this);
        let mut names = own.iter().chain(&used).filter(|name| self.kept.contains(*name));
        // Of what has a value already, only statements under `if isempty(x)` may change it.
        let sound = declarations(this).is_none()
            && names.all(|name| self.constant.contains(name) && !(own.contains(name) && self.before.contains(name)));
        self.before.extend(own);
        sound
    }

    /// The variable that a statement gives the same value in every call, if no other statement assigns it.
    fn becomes_constant(&self, stmt: &Stmt, rest: &[Stmt]) -> Option<String> {
        let StmtKind::Assign { target, op: None, value } = &stmt.kind else { return None };
        let name = &target.name.text;
        let mut others = self.before.clone();
        assigned(rest, &mut others);
        let once = target.accesses.is_empty() && !others.contains(name) && !self.constant.contains(name);
        (once && self.is_closed(value)).then(|| name.clone())
    }

    /// The body of `if isempty(x)`, where x is persistent, and the variables that the condition asks about.
    fn first_call<'b>(&self, stmt: &'b Stmt) -> Option<(Vec<&'b str>, &'b [Stmt])> {
        match &stmt.kind {
            StmtKind::If { branches, otherwise: None } => match &branches[..] {
                [IfBranch { cond, body, .. }] => Some((self.asks_for_first_call(cond)?, body)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The variables of `isempty(x)`, or of several such questions.
    fn asks_for_first_call<'b>(&self, cond: &'b Expr) -> Option<Vec<&'b str>> {
        match &cond.kind {
            ExprKind::Apply { callee, args } => match (&callee.kind, &args[..]) {
                (ExprKind::Ident(f), [Expr { kind: ExprKind::Ident(name), .. }]) => {
                    let asks = f == "isempty" && !self.variables.contains("isempty") && self.kept.contains(name);
                    asks.then(|| vec![name.as_str()])
                }
                _ => None,
            },
            ExprKind::ShortCircuit { op: ShortCircuitOp::Or, lhs, rhs }
            | ExprKind::Binary { op: BinaryOp::Or, lhs, rhs } => {
                let more = self.asks_for_first_call(rhs)?;
                Some(self.asks_for_first_call(lhs)?.into_iter().chain(more).collect())
            }
            _ => None,
        }
    }

    /// Whether the statements give the same values to persistent variables whenever they run, and nothing else depends on them.
    fn makes_constants(&mut self, asked: Vec<&str>, body: &[Stmt], rest: &[Stmt]) -> bool {
        let (mut own, mut later) = (Names::new(), Names::new());
        assigned(body, &mut own);
        assigned(rest, &mut later);
        let used_later = mentions::of_block(rest);
        let stays_inside = |name: &String| {
            self.kept.contains(name)
                || !self.before.contains(name) && (!used_later.contains(name) || later.contains(name))
        };
        let closed = |name: &String| own.contains(name) || self.is_constant(name);
        let sound = !hoist::jumps(body)
            && own.iter().all(stays_inside)
            && mentions::of_block(body).iter().all(closed)
            && !reaches_outside(body)
            && !displays(body)
            && self.starts_afresh(&asked, body);
        let kept: Names = own.into_iter().filter(|name| self.kept.contains(name)).collect();
        self.before.extend(kept.iter().cloned());
        self.constant.extend(kept);
        sound
    }

    /// Whether the statements take nothing from an earlier call: a persistent variable is assigned as a whole before it is used. One
    /// that the condition asks about is empty whenever they run.
    fn starts_afresh(&self, asked: &[&str], body: &[Stmt]) -> bool {
        let mut set: Names = if let [one] = asked { Names::from([(*one).to_owned()]) } else { Names::new() };
        body.iter().all(|stmt| {
            if let StmtKind::Assign { target, op: None, value } = &stmt.kind
                && target.accesses.is_empty()
            {
                let sound = mentions::of_expr(value).iter().all(|name| self.is_set(name, &set));
                set.insert(target.name.text.clone());
                return sound;
            }
            let this = std::slice::from_ref(stmt);
            let mut own = Names::new();
            assigned(this, &mut own);
            let sound = own.union(&mentions::of_block(this)).all(|name| self.is_set(name, &set));
            sound || self.assigns_all(stmt, &mut set)
        })
    }

    /// Whether it is no persistent variable without a value.
    fn is_set(&self, name: &str, set: &Names) -> bool {
        !self.kept.contains(name) || self.constant.contains(name) || set.contains(name)
    }

    /// Whether it is `[a, b] = f(..)` where f takes no persistent variable without a value.
    fn assigns_all(&self, stmt: &Stmt, set: &mut Names) -> bool {
        let StmtKind::MultiAssign { targets, value } = &stmt.kind else { return false };
        let whole = |target: &OutTarget| !matches!(target, OutTarget::Place(place) if !place.accesses.is_empty());
        let sound = targets.iter().all(whole) && mentions::of_expr(value).iter().all(|name| self.is_set(name, set));
        let names = targets.iter().filter_map(|target| match target {
            OutTarget::Place(place) => Some(place.name.text.clone()),
            _ => None,
        });
        set.extend(names);
        sound
    }

    fn is_closed(&self, value: &Expr) -> bool {
        mentions::of_expr(value).iter().all(|name| self.is_constant(name))
    }

    /// Whether a name means the same in every call: a variable that does, or a function that depends on its arguments only.
    fn is_constant(&self, name: &str) -> bool {
        if self.variables.contains(name) || self.kept.contains(name) {
            return self.constant.contains(name);
        }
        is_pure(name, self.function, self.scope, &mut self.open.clone())
    }
}

/// Whether a function, as a name inside another means it, depends on its arguments only.
fn is_pure(name: &str, from: &Function, scope: &Scope<'_>, open: &mut Vec<Span>) -> bool {
    let Some(function) = scope.find(name, from.name.span.file) else {
        return !DIFFERENT_EACH_TIME.contains(&name) && !PRINTING.contains(&name);
    };
    if open.contains(&function.name.span) {
        return true;
    }
    open.push(function.name.span);
    let kept = declarations(&function.body).is_none_or(|_| Keeper::of(function, scope, open).is_some());
    let own = |name: &String| function.inputs.iter().any(|p| matches!(p, Param::Named(n) if n.text == *name));
    let pure = |name: &String| {
        own(name) || name == "nargin" || PRINTING.contains(&name.as_str()) || is_pure(name, function, scope, open)
    };
    kept && !reaches_outside(&function.body) && mentions::of_function(function).iter().all(pure)
}

/// Where statements declare persistent variables; `None` where they declare none.
fn declarations(body: &[Stmt]) -> Option<Vec<Span>> {
    #[derive(Default)]
    struct Declared(Vec<Span>);
    impl Visitor for Declared {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Persistent(list) = &stmt.kind {
                self.0.extend(list.iter().map(|declared| declared.name.span));
            }
        }
    }
    let mut found = Declared::default();
    walk::stmts(body, &mut found);
    Some(found.0).filter(|spans| !spans.is_empty())
}

/// Whether statements use what is outside the function.
fn reaches_outside(body: &[Stmt]) -> bool {
    any(body, |stmt| matches!(stmt.kind, StmtKind::Global(_) | StmtKind::Command { .. } | StmtKind::Try { .. }))
}

/// Whether statements display values.
fn displays(body: &[Stmt]) -> bool {
    any(body, |stmt| stmt.prints)
}

/// Whether the question has a yes for one of the statements, nested ones included.
fn any(body: &[Stmt], question: fn(&Stmt) -> bool) -> bool {
    struct Any(fn(&Stmt) -> bool, bool);
    impl Visitor for Any {
        fn stmt(&mut self, stmt: &Stmt) {
            self.1 |= (self.0)(stmt);
        }
    }
    let mut found = Any(question, false);
    walk::stmts(body, &mut found);
    found.1
}

#[cfg(test)]
mod tests {
    use super::super::Scope;
    use crate::diag::Diagnostics;
    use crate::matlab::parse;
    use crate::source::SourceMap;

    /// Whether the first function of a file, `function y = f(x)` with these statements, keeps constants in all persistent variables.
    fn keeps_constants(body: &str) -> bool {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let more = "function y = twice(x)\ny = 2 * x;\nend\n\
                    function y = noise(x)\ny = x + drawn();\nend\n\
                    function y = drawn()\ny = rand;\nend\n\
                    function y = counted()\npersistent n\nif isempty(n)\nn = 0;\nend\nn = n + 1;\ny = n;\nend\n";
        let file = sources.add("f.m", format!("function y = f(x)\n{body}\nend\n{more}"));
        let program = parse(sources.get(file).unwrap(), &mut diags);
        assert!(!diags.has_errors(), "{body}");
        let scope = Scope::new(&program.functions);
        !super::constants(&scope, &[&program.functions[0]]).is_empty()
    }

    #[test]
    fn what_is_the_same_in_every_call_is_kept() {
        for body in [
            "persistent t\nif isempty(t)\nt = sqrt(1:9);\nend\ny = t(x);",
            "persistent t n\nif (isempty(t) || isempty(n))\nn = 4; t = zeros(1, n);\nfor i = 1:n\nt(i) = twice(i);\nend\nend\ny = t(x);",
            "persistent t\nif isempty(t)\nfor i = 1:5\nt(i) = i;\nend\nend\ny = t(x);",
            "persistent n\nlist = [1 2 3];\nif isempty(n)\nn = numel(list);\nend\ny = n + x;",
            "persistent c n\nc = 3;\nif isempty(n)\nn = c + 1;\nend\ny = n + x;",
            "persistent a b\nif isempty(b)\n[a, b] = size(ones(2, 3));\nend\ny = a + b + x;",
            "persistent c = 3\ny = c + x;",
        ] {
            assert!(keeps_constants(body), "{body}");
        }
    }

    #[test]
    fn what_a_call_leaves_to_the_next_is_refused() {
        for body in [
            "persistent n\nif isempty(n)\nn = 0;\nend\nn = n + 1;\ny = n + x;",
            "persistent n\nif isempty(n)\nn = x;\nend\ny = n;",
            "persistent n\nif isempty(n)\nn = rand;\nend\ny = n + x;",
            "persistent n\nif isempty(n)\nn = noise(1);\nend\ny = n + x;",
            "persistent n\nif isempty(n)\nn = counted();\nend\ny = n + x;",
            "persistent n\nif isempty(n)\nn = nargin;\nend\ny = n + x;",
            "persistent n\nif ~isempty(n)\nn = 3;\nend\ny = x;",
            "persistent n\nif isempty(n)\nn = 3;\nelse\nn = 4;\nend\ny = n + x;",
            "persistent n\nif isempty(n) && x > 1\nn = 3;\nend\ny = numel(n) + x;",
            "persistent n\ny = numel(n) + x;\nif isempty(n)\nn = 3;\nend",
            "persistent n q\nif isempty(q)\nn = [n 1];\nend\ny = numel(n) + x;",
            "persistent n q\nif isempty(q)\nn(end + 1) = 1;\nend\ny = numel(n) + x;",
            "persistent n\nz = x;\nif isempty(n)\nn = 3; z = 4;\nend\ny = n + z;",
            "persistent n\nif isempty(n)\nn = 3; z = 4;\nend\ny = n + z;",
            "persistent n\nif isempty(n)\nn = 3;\ny = 0;\nreturn\nend\ny = n + x;",
            "persistent n\nif isempty(n)\nn = 3\nend\ny = n + x;",
            "persistent n\nif isempty(n)\nfprintf('once');\nn = 3;\nend\ny = n + x;",
            "persistent c = 3\nc = c + 1;\ny = c + x;",
            "persistent c\nif x > 1\nc = 3;\nend\ny = numel(c);",
            "if x > 1\npersistent n\nif isempty(n)\nn = 3;\nend\nend\ny = x;",
            "persistent c n\nc = 1;\nif isempty(n)\nn = 2; c = 2;\nend\ny = c + x;",
            "persistent n\nlist = 1:x;\nif isempty(n)\nn = numel(list);\nend\ny = n;",
        ] {
            assert!(!keeps_constants(body), "{body}");
        }
    }
}
