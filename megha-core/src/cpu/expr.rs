//! Scalar operations as Rust expressions ([`super::tree`]).

use super::tree::Infix;
pub use super::tree::{Binds, Expr};
use crate::ir::size::Monomial;
use crate::ir::{Binary, Class, Const, Func, Op, Size, Sym, Unary, Value};
use crate::math::single_form;

/// What an expression needs to know of its surroundings.
pub trait Context {
    /// The function that the values belong to.
    fn func(&self) -> &Func;
    /// The expression for an operand: its variable, or the expression that is written in place of it.
    fn operand(&self, value: Value) -> Expr;
    /// Whether an `Index` value is bounded far below overflow: sizes, counters, small constants and their sums.
    fn is_bounded(&self, value: Value) -> bool;
    /// An operand of a choice, where a store may put back what was there ([`super::chosen`]).
    fn put_back(&self, _choice: &Op, operand: Value) -> Expr {
        self.operand(operand)
    }
    /// Whether no angle of a sine, cosine or tangent is beyond what their moderate forms take.
    fn is_moderate(&self) -> bool {
        false
    }
}

/// The Rust type of an element of a class.
pub fn rust_type(class: Class) -> &'static str {
    match class {
        Class::Index => "i64",
        Class::Char => "&'static str",
        Class::Complex => "rt::c64",
        class => class.name(),
    }
}

/// A literal of a class.
pub fn constant(value: &Const, class: Class) -> Expr {
    match value {
        Const::Float(x) => float(*x, class),
        Const::Int(i64::MIN) => Expr::Fixed("i64::MIN".into()),
        Const::Int(x) if class.is_float() => float(*x as f64, class),
        Const::Int(x) => Expr::Number(x.to_string(), None),
        Const::Bool(x) => Expr::Fixed(x.to_string()),
        Const::Text(text) => Expr::Fixed(format!("{text:?}")),
    }
}

fn float(x: f64, class: Class) -> Expr {
    let ty = rust_type(class);
    match x {
        x if x.is_nan() => Expr::Fixed(format!("{ty}::NAN")),
        x if x == f64::INFINITY => Expr::Fixed(format!("{ty}::INFINITY")),
        x if x == f64::NEG_INFINITY => Expr::Fixed(format!("{ty}::NEG_INFINITY")),
        x if class == Class::Single => Expr::Number(format!("{:?}", x as f32), None),
        x => Expr::Number(format!("{x:?}"), None),
    }
}

/// The expression for a pure scalar operation with a result of this class; `None` if the operation is not one.
pub fn scalar(cx: &dyn Context, op: &Op, class: Class) -> Option<Expr> {
    Some(match op {
        Op::Const(value) => constant(value, class),
        Op::Unary(op @ (Unary::Sin | Unary::Cos | Unary::Tan), a) if cx.is_moderate() => {
            let class = cx.func().ty(*a).class;
            math(&format!("{}_moderate", op.name()), vec![cx.operand(*a).typed(class)], class)
        }
        Op::Unary(op, a) => unary(*op, cx.operand(*a), cx.func().ty(*a).class),
        Op::Binary(op, a, b) => {
            let of = cx.func().ty(*a).class;
            let [x, y] = [cx.operand(*a), cx.operand(*b)];
            let operands = if x.is_literal() && y.is_literal() { [x.typed(of), y] } else { [x, y] };
            let bounded = of == Class::Index && cx.is_bounded(*a) && cx.is_bounded(*b);
            binary(*op, operands, of, bounded)
        }
        Op::Select(c, a, b) => {
            let (c, [a, b]) = (cx.operand(*c), [a, b].map(|v| cx.put_back(op, *v)));
            let a = if a.is_literal() && b.is_literal() { a.typed(class) } else { a };
            Expr::If(Box::new([c, a, b]))
        }
        Op::Fma(a, b, c) => {
            let [a, b, c] = [a, b, c].map(|v| cx.operand(*v));
            a.typed(class).method("mul_add", vec![b, c])
        }
        Op::Convert(a) => {
            // Alone a whole number would be an `i32`, and a number an `f64`.
            let from = cx.func().ty(*a).class;
            convert(cx.operand(*a).typed(from), from, class)
        }
        Op::Bits(a) => cx.operand(*a).typed(cx.func().ty(*a).class).method("to_bits", Vec::new()).cast("i64"),
        Op::FromBits(a) => {
            let (function, bits) =
                if class == Class::Single { ("f32::from_bits", "u32") } else { ("f64::from_bits", "u64") };
            Expr::call(function, vec![cx.operand(*a).typed(Class::Index).cast(bits)])
        }
        _ => return None,
    })
}

/// A call of one of the run-time system's functions; singles of which it has no form go through that of doubles and are rounded.
fn math(name: &str, operands: Vec<Expr>, class: Class) -> Expr {
    let single = class == Class::Single;
    if let Some(own) = single_form(name).filter(|_| single) {
        let operands = operands.into_iter().map(|a| a.typed(class)).collect();
        return Expr::call(format!("rt::math::{own}"), operands);
    }
    let wide = |a: Expr| if single { Expr::call("f64::from", vec![a.typed(class)]) } else { a };
    let call = Expr::call(format!("rt::math::{name}"), operands.into_iter().map(wide).collect());
    if single { call.cast("f32") } else { call }
}

fn unary(op: Unary, a: Expr, class: Class) -> Expr {
    let float = class.is_float();
    // Only a sign leaves a number's class to what stands beside it.
    let a = if float && op == Unary::Neg { a } else { a.typed(class) };
    let method = |name: &'static str| a.clone().method(name, Vec::new());
    let integer = |name: &str| Expr::call(format!("rt::Integer::{name}"), vec![a.clone()]);
    match op {
        Unary::Neg if float => Expr::Prefix('-', Box::new(a)),
        Unary::Neg if class == Class::Index => method("wrapping_neg"),
        Unary::Neg => integer("neg"),
        Unary::Not => Expr::Prefix('!', Box::new(a)),
        Unary::Abs if class == Class::Index => method("wrapping_abs"),
        Unary::Abs if float => method("abs"),
        Unary::Abs => integer("abs"),
        Unary::Sign if class == Class::Index => method("signum"),
        Unary::Sign if float => Expr::call("rt::Float::sign", vec![a]),
        Unary::Sign => integer("sign"),
        Unary::Floor | Unary::Ceil | Unary::Fix | Unary::Rint | Unary::Round if !float => a,
        Unary::Round if class == Class::Single => Expr::call("rt::Float::round", vec![a]),
        Unary::Floor => method("floor"),
        Unary::Ceil => method("ceil"),
        Unary::Fix => method("trunc"),
        Unary::Rint => method("round_ties_even"),
        Unary::IsNan | Unary::IsInf if !float => Expr::Fixed("false".into()),
        Unary::IsFinite if !float => Expr::Fixed("true".into()),
        Unary::IsNan => method("is_nan"),
        Unary::IsInf => method("is_infinite"),
        Unary::IsFinite => method("is_finite"),
        Unary::Sqrt => method("sqrt"),
        op => math(op.name(), vec![a], class),
    }
}

fn infix(sign: &'static str, binds: Binds, operands: [Binds; 2], both: [Expr; 2]) -> Expr {
    Expr::Infix(Infix { sign, binds, operands }, Box::new(both))
}

fn binary(op: Binary, [a, b]: [Expr; 2], class: Class, bounded: bool) -> Expr {
    let plain = class.is_float() || bounded;
    // Sums and products of floats round: `a + (b + c)` keeps its parentheses.
    let (sign, binds, right) = match op {
        Binary::Add if plain => ("+", Binds::Sum, Binds::Product),
        Binary::Sub if plain => ("-", Binds::Sum, Binds::Product),
        Binary::Mul if plain => ("*", Binds::Product, Binds::Cast),
        Binary::Div if class.is_float() => ("/", Binds::Product, Binds::Cast),
        Binary::And | Binary::BitAnd => ("&", Binds::And, Binds::Sum),
        Binary::Or | Binary::BitOr => ("|", Binds::Or, Binds::Xor),
        Binary::Xor | Binary::BitXor => ("^", Binds::Xor, Binds::And),
        Binary::Eq => return compared("==", [a, b]),
        Binary::Ne => return compared("!=", [a, b]),
        Binary::Lt => return compared("<", [a, b]),
        Binary::Le => return compared("<=", [a, b]),
        Binary::Gt => return compared(">", [a, b]),
        Binary::Ge => return compared(">=", [a, b]),
        op => return called(op, [a, b], class),
    };
    infix(sign, binds, [binds, right], [a, b])
}

/// Comparisons do not chain: an operand that is one needs parentheses.
fn compared(sign: &'static str, both: [Expr; 2]) -> Expr {
    infix(sign, Binds::Compare, [Binds::Or; 2], both)
}

/// An operation that has no sign in Rust.
fn called(op: Binary, [a, b]: [Expr; 2], class: Class) -> Expr {
    let method = |name: &'static str| a.typed(class).method(name, vec![b.clone()]);
    match op {
        _ if class == Class::Index => index_arithmetic(op, a, b),
        Binary::Add => method("saturating_add"),
        Binary::Sub => method("saturating_sub"),
        Binary::Mul => method("saturating_mul"),
        Binary::Min if class.is_integer() => method("min"),
        Binary::Max if class.is_integer() => method("max"),
        op if class.is_integer() => Expr::call(format!("rt::Integer::{}", word(op)), vec![a, b]),
        Binary::Min | Binary::Max | Binary::Mod | Binary::Rem => {
            Expr::call(format!("rt::Float::{}", word(op)), vec![a, b])
        }
        op => math(word(op), vec![a, b], class),
    }
}

/// The name of the run-time function: the operation's own where Rust allows it.
fn word(op: Binary) -> &'static str {
    if op == Binary::Mod { "modulo" } else { op.name() }
}

fn index_arithmetic(op: Binary, a: Expr, b: Expr) -> Expr {
    let method = |name: &'static str, b: Expr| a.typed(Class::Index).method(name, vec![b]);
    let shift = || if b.is_literal() { b.clone() } else { b.clone().cast("u32") };
    match op {
        Binary::Add => method("wrapping_add", b),
        Binary::Sub => method("wrapping_sub", b),
        Binary::Mul => method("wrapping_mul", b),
        Binary::Min => method("min", b),
        Binary::Max => method("max", b),
        Binary::Philox => Expr::call("rt::random::bits", vec![a, b]),
        Binary::Shl => method("wrapping_shl", shift()),
        Binary::Shr => method("wrapping_shr", shift()),
        Binary::Shru => a.typed(Class::Index).cast("u64").method("wrapping_shr", vec![shift()]).cast("i64"),
        op => Expr::call(format!("rt::subscript::{}", word(op)), vec![a, b]),
    }
}

/// A size as coefficients and factors, what is constant last.
pub fn terms(size: &Size, factor: &dyn Fn(Sym) -> Expr) -> Vec<(i64, Vec<Expr>)> {
    let of = |(m, c): (&Monomial, i64)| (c, m.iter().map(|sym| factor(*sym)).collect());
    let (constant, rest): (Vec<_>, Vec<_>) = size.terms().partition(|(m, _)| m.is_empty());
    rest.into_iter().chain(constant).map(of).collect()
}

/// A size that may leave 64 bits: exact, or larger than any array.
pub fn polynomial(size: &Size, factor: &dyn Fn(Sym) -> Expr) -> Expr {
    Expr::Polynomial(size.terms().map(|(m, c)| (c, m.iter().map(|sym| factor(*sym)).collect())).collect())
}

fn convert(a: Expr, from: Class, to: Class) -> Expr {
    let ty = rust_type(to);
    let integer = |name: &str, a: Expr| Expr::call(format!("<{ty} as rt::Integer>::{name}"), vec![a]);
    match (from, to) {
        _ if from == to => a,
        (Class::Logical, Class::Double | Class::Single) => a.cast("u8").cast(ty),
        (_, Class::Logical) => {
            let zero = Expr::Fixed(if from.is_float() { "0.0" } else { "0" }.into());
            compared("!=", [a, zero])
        }
        (Class::Double, to) if to.is_integer() => integer("from_f64", a),
        (Class::Single, to) if to.is_integer() => integer("from_f64", Expr::call("f64::from", vec![a])),
        (Class::Index, to) if to.is_integer() => integer("from_index", a),
        (from, to) if holds(to, from) => a.cast(ty),
        (from, to) if to.is_integer() && from.is_integer() => match from {
            // In 64 bits, where vectors have instructions.
            Class::UInt64 => integer("from_wide", a.cast("i128")),
            _ => integer("from_index", a.cast("i64")),
        },
        _ => a.cast(ty),
    }
}

/// Whether all numbers of an integer class are of another one.
fn holds(class: Class, other: Class) -> bool {
    let (Some((bits, signed)), Some((of, negative))) = (class.int_bits(), other.int_bits()) else { return false };
    if signed == negative { of <= bits } else { signed && of < bits }
}
