//! Random syntax trees.

use proptest::prelude::*;

use crate::matlab::ast::*;
use crate::source::Span;

const AT: Span = Span { file: crate::source::FileId(0), start: 0, end: 0 };

fn name() -> impl Strategy<Value = Name> {
    let texts = prop::sample::select(vec!["a", "b", "x1", "do_it", "ending", "i", "size"]);
    texts.prop_map(|text| Name { text: text.to_owned(), span: AT })
}

fn expr_of(kind: ExprKind) -> Expr {
    Expr { kind, span: AT }
}

fn boxed(kind: Expr) -> Box<Expr> {
    Box::new(kind)
}

fn leaf() -> impl Strategy<Value = Expr> {
    let number =
        prop_oneof![(0u32..200).prop_map(f64::from), (0.0f64..1e9), Just(1e-300), Just(f64::INFINITY), Just(1e22)];
    let text = "[ -~éλ]{0,6}";
    prop_oneof![
        (number, any::<bool>()).prop_map(|(value, imaginary)| ExprKind::Number { value, imaginary }),
        (any::<u8>(), any::<bool>()).prop_map(|(v, signed)| ExprKind::Integer {
            value: u64::from(v),
            bits: 16,
            signed
        }),
        text.prop_map(|text| ExprKind::Str { text, quote: Quote::Single }),
        "[ -~\n\t\u{1}]{0,6}".prop_map(|text| ExprKind::Str { text, quote: Quote::Double }),
        name().prop_map(|name| ExprKind::Ident(name.text)),
        name().prop_map(ExprKind::FuncHandle),
    ]
    .prop_map(expr_of)
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![
        Add,
        Sub,
        MatMul,
        Mul,
        MatRightDiv,
        RightDiv,
        MatLeftDiv,
        LeftDiv,
        MatPow,
        Pow,
        Eq,
        Ne,
        Lt,
        Le,
        Gt,
        Ge,
        And,
        Or,
    ])
}

fn composite(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Expr> {
    let e = move || inner.clone();
    let unary = prop::sample::select(vec![UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Not]);
    let circuit = prop::sample::select(vec![ShortCircuitOp::And, ShortCircuitOp::Or]);
    let rows = prop::collection::vec(prop::collection::vec(e(), 1..3), 0..3);
    let index = || {
        let special = prop_oneof![Just(ExprKind::Colon), Just(ExprKind::End)].prop_map(expr_of);
        prop::collection::vec(prop_oneof![3 => e(), 1 => special], 0..3)
    };
    let param = prop_oneof![name().prop_map(Param::Named), Just(Param::Ignored(AT))];
    prop_oneof![
        (unary, e()).prop_map(|(op, a)| ExprKind::Unary { op, operand: boxed(a) }),
        (binary_op(), e(), e()).prop_map(|(op, a, b)| ExprKind::Binary { op, lhs: boxed(a), rhs: boxed(b) }),
        (circuit, e(), e()).prop_map(|(op, a, b)| ExprKind::ShortCircuit { op, lhs: boxed(a), rhs: boxed(b) }),
        (e(), any::<bool>()).prop_map(|(a, conjugate)| ExprKind::Transpose { operand: boxed(a), conjugate }),
        (e(), prop::option::of(e()), e()).prop_map(|(a, b, c)| ExprKind::Range {
            start: boxed(a),
            step: b.map(boxed),
            stop: boxed(c)
        }),
        rows.clone().prop_map(|rows| ExprKind::Matrix { rows }),
        rows.prop_map(|rows| ExprKind::Cell { rows }),
        (e(), index()).prop_map(|(a, args)| ExprKind::Apply { callee: boxed(a), args }),
        (e(), index()).prop_map(|(a, args)| ExprKind::BraceIndex { callee: boxed(a), args }),
        (e(), name()).prop_map(|(a, name)| ExprKind::Field { object: boxed(a), name }),
        (e(), e()).prop_map(|(a, b)| ExprKind::DynamicField { object: boxed(a), field: boxed(b) }),
        (prop::collection::vec(param, 0..3), e()).prop_map(|(params, a)| ExprKind::AnonFn { params, body: boxed(a) }),
    ]
    .prop_map(expr_of)
}

fn expr() -> BoxedStrategy<Expr> {
    leaf().prop_recursive(5, 24, 3, composite).boxed()
}

fn place() -> impl Strategy<Value = LValue> {
    let args = || prop::collection::vec(expr(), 0..3);
    let access = prop_oneof![
        args().prop_map(AccessKind::Paren),
        args().prop_map(AccessKind::Brace),
        name().prop_map(AccessKind::Field),
        expr().prop_map(|e| AccessKind::DynamicField(boxed(e))),
    ]
    .prop_map(|kind| Access { kind, span: AT });
    (name(), prop::collection::vec(access, 0..3)).prop_map(|(name, accesses)| LValue { name, accesses, span: AT })
}

fn simple() -> impl Strategy<Value = Stmt> {
    use BinaryOp::*;
    let op = prop::option::of(prop::sample::select(vec![Add, Sub, MatMul, MatRightDiv, MatPow, Or, And]));
    let out = prop_oneof![place().prop_map(OutTarget::Place), Just(OutTarget::Ignored(AT))];
    let declared = (name(), prop::option::of(expr())).prop_map(|(name, value)| Declared { name, value });
    let word = "[!-~][ -~]{0,4}".prop_map(|text| Name { text, span: AT });
    let command = prop::sample::select(vec!["hold", "format", "clear"]);
    let printing = prop_oneof![
        expr().prop_map(StmtKind::Expr),
        (place(), op, expr()).prop_map(|(target, op, value)| StmtKind::Assign { target, op, value }),
        (prop::collection::vec(out, 1..3), expr())
            .prop_map(|(targets, value)| StmtKind::MultiAssign { targets, value }),
    ];
    let silent = prop_oneof![
        prop::sample::select(vec![StmtKind::Break, StmtKind::Continue, StmtKind::Return]),
        prop::collection::vec(declared, 1..3).prop_map(StmtKind::Global),
        (command, prop::collection::vec(word, 1..3))
            .prop_map(|(text, words)| { StmtKind::Command { name: Name { text: text.to_owned(), span: AT }, words } }),
    ];
    prop_oneof![
        3 => (printing, any::<bool>()).prop_map(|(kind, prints)| Stmt { kind, prints, span: AT }),
        1 => silent.prop_map(|kind| Stmt { kind, prints: false, span: AT }),
    ]
}

fn block(inner: BoxedStrategy<Stmt>) -> impl Strategy<Value = Stmt> {
    let body = move || prop::collection::vec(inner.clone(), 0..3);
    let branch = (expr(), body()).prop_map(|(cond, body)| IfBranch { cond, body, span: AT });
    let case = (expr(), body()).prop_map(|(pattern, body)| SwitchCase { pattern, body, span: AT });
    prop_oneof![
        (prop::collection::vec(branch, 1..3), prop::option::of(body()))
            .prop_map(|(branches, otherwise)| StmtKind::If { branches, otherwise }),
        (place(), expr(), body(), any::<bool>())
            .prop_map(|(target, range, body, parallel)| { StmtKind::For { target, range, body, parallel } }),
        (expr(), body()).prop_map(|(cond, body)| StmtKind::While { cond, body }),
        (expr(), body()).prop_map(|(cond, body)| StmtKind::DoUntil { body, cond }),
        (expr(), prop::collection::vec(case, 0..3), prop::option::of(body()))
            .prop_map(|(subject, cases, otherwise)| StmtKind::Switch { subject, cases, otherwise }),
        (body(), prop::option::of(name()), body())
            .prop_map(|(body, error, handler)| { StmtKind::Try { body, error, handler } }),
        (body(), body()).prop_map(|(body, cleanup)| StmtKind::UnwindProtect { body, cleanup }),
    ]
    .prop_map(|kind| Stmt { kind, prints: false, span: AT })
}

fn statements() -> impl Strategy<Value = Vec<Stmt>> {
    let statement = simple().prop_recursive(3, 8, 3, |inner| block(inner.boxed()));
    prop::collection::vec(statement, 0..5)
}

fn function() -> impl Strategy<Value = Function> {
    let input = prop_oneof![name().prop_map(Param::Named), Just(Param::Ignored(AT))];
    let parts = (prop::collection::vec(input, 0..3), prop::collection::vec(name(), 0..3));
    (name(), parts, statements()).prop_map(|(name, (inputs, outputs), body)| Function {
        name,
        inputs,
        outputs,
        arguments: Vec::new(),
        body,
        nested: Vec::new(),
        signature: AT,
        span: AT,
    })
}

pub(super) fn program() -> impl Strategy<Value = Program> {
    (prop::collection::vec(function(), 0..3), statements())
        .prop_map(|(functions, script)| Program { functions, script })
}
