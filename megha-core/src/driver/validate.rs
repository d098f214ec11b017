//! What an `arguments` block demands of values: facts that the compiler may use, and statements that test the rest.

use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::ir::{Class, ParamFacts};
use crate::matlab::ast::{
    Access, ArgumentDecl, ArgumentsKind, BinaryOp, Expr, ExprKind, Function, IfBranch, LValue, Name, Param, Quote,
    Stmt, StmtKind, UnaryOp,
};
use crate::source::Span;

/// The declarations of a function's parameters.
pub fn input_declarations(function: &Function) -> impl Iterator<Item = &ArgumentDecl> {
    function.arguments.iter().filter(|b| b.kind == ArgumentsKind::Input).flat_map(|b| &b.declarations)
}

/// The names of a function's parameters, `None` for `~`.
pub fn parameters(function: &Function) -> impl Iterator<Item = Option<&Name>> {
    function.inputs.iter().map(|p| match p {
        Param::Named(name) => Some(name),
        Param::Ignored(_) => None,
    })
}

/// The function with its `arguments` block as statements in front of the body, for calls from other functions: parameters
/// left out get their default, each is converted to its class, and the validators are tested.
pub fn as_callee(function: &Function, diags: &mut Diagnostics) -> Function {
    let mut prologue = Vec::new();
    for declaration in input_declarations(function) {
        let position = parameters(function).position(|p| p.is_some_and(|p| p.text == declaration.name.text));
        if let (Some(position), Some(default)) = (position, &declaration.default) {
            prologue.push(unless_given(position, &declaration.name, default));
        }
        if let Some(class) = declaration.class.as_ref().filter(|c| Class::from_matlab_name(&c.text).is_some()) {
            prologue.push(assign(&declaration.name, call(&class.text, vec![variable(&declaration.name)], class.span)));
        }
        let (_, tests) = demands(declaration, false, diags);
        prologue.extend(tests);
    }
    with_prologue(function, prologue)
}

/// The function for a call from Rust with the first `given` parameters, and the facts of each of them. `scalar` says which
/// parameters are single numbers.
pub fn as_export(
    function: &Function,
    given: usize,
    scalar: impl Fn(&str) -> bool,
    diags: &mut Diagnostics,
) -> (Function, Vec<ParamFacts>) {
    let mut prologue = Vec::new();
    let mut facts = vec![ParamFacts::default(); given];
    for declaration in input_declarations(function) {
        let name = &declaration.name;
        let position = parameters(function).position(|p| p.is_some_and(|p| p.text == name.text));
        if position.is_some_and(|p| p >= given)
            && let Some(default) = &declaration.default
        {
            prologue.push(assign(name, default.clone()));
        }
        let (known, tests) = demands(declaration, scalar(&name.text), diags);
        if let Some(facts) = position.and_then(|p| facts.get_mut(p)) {
            *facts = known;
        }
        prologue.extend(tests);
    }
    (with_prologue(function, prologue), facts)
}

fn with_prologue(function: &Function, mut prologue: Vec<Stmt>) -> Function {
    let mut function = function.clone();
    prologue.append(&mut function.body);
    function.body = prologue;
    function
}

/// What the validators of a declaration say: facts if it is a single number, and tests for what facts cannot say.
fn demands(declaration: &ArgumentDecl, scalar: bool, diags: &mut Diagnostics) -> (ParamFacts, Vec<Stmt>) {
    let mut facts = ParamFacts::default();
    let mut tests = Vec::new();
    let calls: Vec<(&str, &[Expr], Span)> = declaration.validators.iter().filter_map(|v| validator(v, diags)).collect();
    facts.integer = scalar && calls.iter().any(|(name, ..)| *name == "mustBeInteger");
    for (name, args, span) in calls {
        if !(scalar && learn(&mut facts, name, args)) {
            match test(&declaration.name, name, args, span, scalar) {
                Some(Test::Holds) => {}
                Some(Test::Check(stmt)) => tests.push(stmt),
                None => diags.push(unknown_validator(name, span)),
            }
        }
    }
    (facts, tests)
}

fn unknown_validator(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Validator, span, format!("the validator `{name}` is not compiled"))
        .help("test the argument in the body: if ..., error('...'), end")
}

/// The name and the arguments after the first of a validator.
fn validator<'e>(expr: &'e Expr, diags: &mut Diagnostics) -> Option<(&'e str, &'e [Expr], Span)> {
    match &expr.kind {
        ExprKind::Ident(name) => return Some((name, &[], expr.span)),
        ExprKind::Apply { callee, args } => {
            if let ExprKind::Ident(name) = &callee.kind {
                return Some((name, args.get(1..).unwrap_or(&[]), expr.span));
            }
        }
        _ => {}
    }
    diags.push(Diagnostic::error(Code::Validator, expr.span, "this is not the name of a validator"));
    None
}

/// Takes a demand on a single number into the facts; false if they cannot say it.
fn learn(facts: &mut ParamFacts, name: &str, args: &[Expr]) -> bool {
    let number = |at: usize| args.get(at).and_then(whole);
    let step = i64::from(facts.integer);
    let (low, high) = match name {
        "mustBeInteger" => (None, None),
        "mustBeNonnegative" => (Some(0), None),
        "mustBeNonpositive" => (None, Some(0)),
        "mustBePositive" if facts.integer => (Some(1), None),
        "mustBeNegative" if facts.integer => (None, Some(-1)),
        "mustBeGreaterThanOrEqual" => match number(0) {
            Some(n) => (Some(n), None),
            None => return false,
        },
        "mustBeLessThanOrEqual" => match number(0) {
            Some(n) => (None, Some(n)),
            None => return false,
        },
        "mustBeGreaterThan" if facts.integer && number(0).is_some() => (number(0).map(|n| n + step), None),
        "mustBeLessThan" if facts.integer && number(0).is_some() => (None, number(0).map(|n| n - step)),
        "mustBeInRange" if args.len() == 2 && number(0).is_some() && number(1).is_some() => (number(0), number(1)),
        _ => return false,
    };
    facts.at_least = facts.at_least.max(low);
    facts.at_most = match (facts.at_most, high) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    true
}

/// A literal whole number.
fn whole(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number { value, imaginary: false } if value.fract() == 0.0 && *value < 1e15 => Some(*value as i64),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => whole(operand).map(|n| -n),
        _ => None,
    }
}

enum Test {
    /// True of every argument of a class of numbers.
    Holds,
    Check(Stmt),
}

/// The statement that tests a validator; `None` if it is not known.
fn test(name: &Name, validator: &str, args: &[Expr], span: Span, scalar: bool) -> Option<Test> {
    let x = Name { text: name.text.clone(), span };
    let all = if scalar { variable(&x) } else { apply(variable(&x), vec![Expr { kind: ExprKind::Colon, span }]) };
    let zero = || number(0.0, span);
    let compare = |op, rhs| binary(op, all.clone(), rhs);
    let arg = |at: usize| args.get(at).cloned();
    let (condition, words) = match validator {
        "mustBeNumeric" | "mustBeReal" | "mustBeNumericOrLogical" | "mustBeFloat" => return Some(Test::Holds),
        "mustBePositive" => (compare(BinaryOp::Gt, zero()), "positive".to_owned()),
        "mustBeNegative" => (compare(BinaryOp::Lt, zero()), "negative".to_owned()),
        "mustBeNonnegative" => (compare(BinaryOp::Ge, zero()), "nonnegative".to_owned()),
        "mustBeNonpositive" => (compare(BinaryOp::Le, zero()), "nonpositive".to_owned()),
        "mustBeNonzero" => (compare(BinaryOp::Ne, zero()), "nonzero".to_owned()),
        "mustBeGreaterThan" => (compare(BinaryOp::Gt, arg(0)?), format!("greater than {}", text(&arg(0)?))),
        "mustBeLessThan" => (compare(BinaryOp::Lt, arg(0)?), format!("less than {}", text(&arg(0)?))),
        "mustBeGreaterThanOrEqual" => (compare(BinaryOp::Ge, arg(0)?), format!("at least {}", text(&arg(0)?))),
        "mustBeLessThanOrEqual" => (compare(BinaryOp::Le, arg(0)?), format!("at most {}", text(&arg(0)?))),
        "mustBeInRange" => {
            let inside = binary(BinaryOp::And, compare(BinaryOp::Ge, arg(0)?), compare(BinaryOp::Le, arg(1)?));
            (inside, format!("from {} to {}", text(&arg(0)?), text(&arg(1)?)))
        }
        "mustBeInteger" => (compare(BinaryOp::Eq, call("floor", vec![all.clone()], span)), "whole".to_owned()),
        "mustBeFinite" => {
            let difference = binary(BinaryOp::Sub, all.clone(), all.clone());
            (binary(BinaryOp::Eq, difference, zero()), "finite".to_owned())
        }
        "mustBeNonNan" => (compare(BinaryOp::Eq, all.clone()), "a number".to_owned()),
        "mustBeNonempty" => {
            let count = call("numel", vec![variable(&x)], span);
            return Some(Test::Check(assert(binary(BinaryOp::Gt, count, zero()), &x.text, "nonempty", span)));
        }
        _ => return None,
    };
    let condition = if scalar { condition } else { call("all", vec![condition], span) };
    Some(Test::Check(assert(condition, &x.text, &words, span)))
}

fn text(expr: &Expr) -> String {
    crate::matlab::print_expression(expr)
}

fn assert(condition: Expr, name: &str, words: &str, span: Span) -> Stmt {
    let text = format!("`{name}` must be {}", words.replace('%', "%%"));
    let message = Expr { kind: ExprKind::Str { text, quote: Quote::Single }, span };
    stmt(StmtKind::Expr(call("assert", vec![condition, message], span)), span)
}

/// `if nargin <= position, name = default; end`
fn unless_given(position: usize, name: &Name, default: &Expr) -> Stmt {
    let span = default.span;
    let given = Expr { kind: ExprKind::Ident("nargin".into()), span };
    let cond = binary(BinaryOp::Le, given, number(position as f64, span));
    let branch = IfBranch { cond, body: vec![assign(name, default.clone())], span };
    stmt(StmtKind::If { branches: vec![branch], otherwise: None }, span)
}

fn assign(name: &Name, value: Expr) -> Stmt {
    let span = value.span;
    let target = LValue { name: name.clone(), accesses: Vec::<Access>::new(), span: name.span };
    stmt(StmtKind::Assign { target, op: None, value }, span)
}

fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, prints: false, span }
}

fn number(value: f64, span: Span) -> Expr {
    Expr { kind: ExprKind::Number { value, imaginary: false }, span }
}

fn variable(name: &Name) -> Expr {
    Expr { kind: ExprKind::Ident(name.text.clone()), span: name.span }
}

fn apply(callee: Expr, args: Vec<Expr>) -> Expr {
    let span = callee.span;
    Expr { kind: ExprKind::Apply { callee: Box::new(callee), args }, span }
}

fn call(function: &str, args: Vec<Expr>, span: Span) -> Expr {
    apply(Expr { kind: ExprKind::Ident(function.to_owned()), span }, args)
}

fn binary(op: BinaryOp, lhs: Expr, rhs: Expr) -> Expr {
    let span = lhs.span;
    Expr { kind: ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span }
}
