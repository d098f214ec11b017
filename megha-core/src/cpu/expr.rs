//! Scalar operations as Rust expressions.

use crate::ir::size::Monomial;
use crate::ir::{Binary, Class, Const, Func, Op, Size, Sym, Unary, Value};

/// How tightly the outermost operator of an expression binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binds {
    /// `if .. {} else {}`: never an operand without parentheses.
    Never,
    /// Comparisons.
    Compare,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `+ -`
    Sum,
    /// `* / %`
    Product,
    /// `as`
    Cast,
    /// Prefix `-` and `!`, negative literals.
    Prefix,
    /// Names, literals, calls, method calls, elements.
    Atom,
}

/// An expression in text.
#[derive(Debug, Clone)]
pub struct Expr {
    /// The text.
    pub text: String,
    /// Its outermost operator.
    pub binds: Binds,
    /// Whether it is a number without a type of its own.
    literal: bool,
}

impl Expr {
    /// A name, call or other text that needs no parentheses.
    pub fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), binds: Binds::Atom, literal: false }
    }

    /// An expression with this outermost operator.
    pub fn binding(text: String, binds: Binds) -> Self {
        Self { text, binds, literal: false }
    }

    /// The expression, to be put in parentheses wherever it is an operand: a block in front of an operator would end a statement.
    pub fn parenthesized(self) -> Self {
        Self { binds: Binds::Never, ..self }
    }

    /// The text where an operator of at least this strength is applied.
    pub fn within(&self, binds: Binds) -> String {
        // In `x as f64 < y` Rust takes the `<` for the start of type arguments.
        let cast_compared = binds < Binds::Sum && self.ends_in_cast();
        if self.binds >= binds && !cast_compared { self.text.clone() } else { format!("({})", self.text) }
    }

    fn ends_in_cast(&self) -> bool {
        self.text.rsplit_once(" as ").is_some_and(|(_, ty)| ty.chars().all(|c| c.is_ascii_alphanumeric()))
    }

    /// The text as the receiver of a method.
    fn receiver(&self, class: Class) -> String {
        let typed = self.typed(class).text;
        if self.binds == Binds::Atom { typed } else { format!("({typed})") }
    }

    /// A literal with its type, where nothing beside it would tell.
    pub fn typed(&self, class: Class) -> Self {
        if !self.literal {
            return self.clone();
        }
        Self { text: format!("{}_{}", self.text, rust_type(class)), literal: false, ..*self }
    }
}

/// What an expression needs to know of its surroundings.
pub trait Context {
    /// The function that the values belong to.
    fn func(&self) -> &Func;
    /// The expression for an operand: its variable, or the expression that is written in place of it.
    fn operand(&self, value: Value) -> Expr;
    /// Whether an `Index` value is bounded far below overflow: sizes, counters, small constants and their sums.
    fn is_bounded(&self, value: Value) -> bool;
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
    let (text, negative) = match value {
        Const::Float(x) => return float(*x, class),
        Const::Int(i64::MIN) => return Expr::atom("i64::MIN"),
        Const::Int(x) if class.is_float() => return float(*x as f64, class),
        Const::Int(x) => (x.to_string(), *x < 0),
        Const::Bool(x) => return Expr::atom(x.to_string()),
        Const::Text(text) => return Expr::atom(format!("{text:?}")),
    };
    Expr { text, binds: if negative { Binds::Prefix } else { Binds::Atom }, literal: true }
}

fn float(x: f64, class: Class) -> Expr {
    let ty = rust_type(class);
    let (text, literal) = match x {
        x if x.is_nan() => (format!("{ty}::NAN"), false),
        x if x == f64::INFINITY => (format!("{ty}::INFINITY"), false),
        x if x == f64::NEG_INFINITY => (format!("{ty}::NEG_INFINITY"), false),
        x => (format!("{x:?}"), true),
    };
    let binds = if text.starts_with('-') { Binds::Prefix } else { Binds::Atom };
    Expr { text, binds, literal }
}

/// The expression for a pure scalar operation with a result of this class; `None` if the operation is not one.
pub fn scalar(cx: &dyn Context, op: &Op, class: Class) -> Option<Expr> {
    Some(match op {
        Op::Const(value) => constant(value, class),
        Op::Unary(op, a) => unary(*op, &cx.operand(*a), cx.func().ty(*a).class),
        Op::Binary(op, a, b) => {
            let of = cx.func().ty(*a).class;
            let [x, y] = [cx.operand(*a), cx.operand(*b)];
            let operands = if x.literal && y.literal { [x.typed(of), y] } else { [x, y] };
            let bounded = of == Class::Index && cx.is_bounded(*a) && cx.is_bounded(*b);
            binary(*op, operands, of, bounded)
        }
        Op::Select(c, a, b) => {
            let [c, a, b] = [c, a, b].map(|v| cx.operand(*v));
            let a = if a.literal && b.literal { a.typed(class) } else { a };
            Expr::binding(format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text), Binds::Never)
        }
        Op::Fma(a, b, c) => {
            let [a, b, c] = [a, b, c].map(|v| cx.operand(*v));
            Expr::atom(format!("{}.mul_add({}, {})", a.receiver(class), b.text, c.text))
        }
        Op::Convert(a) => {
            // Alone a whole number would be an `i32`, and a number an `f64`.
            let from = cx.func().ty(*a).class;
            let operand = if from == Class::Logical { cx.operand(*a) } else { cx.operand(*a).typed(from) };
            convert(&operand, from, class)
        }
        Op::Bits(a) => cast(&Expr::atom(format!("{}.to_bits()", cx.operand(*a).receiver(Class::Double))), "i64"),
        Op::FromBits(a) => {
            Expr::atom(format!("f64::from_bits({})", cast(&cx.operand(*a).typed(Class::Index), "u64").text))
        }
        _ => return None,
    })
}

fn cast(a: &Expr, ty: &str) -> Expr {
    Expr::binding(format!("{} as {ty}", a.within(Binds::Cast)), Binds::Cast)
}

/// A call of one of the run-time system's functions on doubles; singles go through it and are rounded.
fn math(name: &str, operands: &[&Expr], class: Class) -> Expr {
    let single = class == Class::Single;
    let list: Vec<String> = operands
        .iter()
        .map(|a| if single { format!("f64::from({})", a.typed(class).text) } else { a.text.clone() })
        .collect();
    let call = Expr::atom(format!("rt::math::{name}({})", list.join(", ")));
    if single { cast(&call, "f32") } else { call }
}

fn unary(op: Unary, a: &Expr, class: Class) -> Expr {
    let method = |name: &str| Expr::atom(format!("{}.{name}()", a.receiver(class)));
    let float = class.is_float();
    // Only a sign leaves a number's class to what stands beside it.
    let a = &if float && op == Unary::Neg { a.clone() } else { a.typed(class) };
    match op {
        Unary::Neg if float => {
            Expr { literal: a.literal, ..Expr::binding(format!("-{}", a.within(Binds::Prefix)), Binds::Prefix) }
        }
        Unary::Neg if class == Class::Index => method("wrapping_neg"),
        Unary::Neg => Expr::atom(format!("rt::Integer::neg({})", a.text)),
        Unary::Not => Expr::binding(format!("!{}", a.within(Binds::Prefix)), Binds::Prefix),
        Unary::Abs if class == Class::Index => method("wrapping_abs"),
        Unary::Abs if float => method("abs"),
        Unary::Abs => Expr::atom(format!("rt::Integer::abs({})", a.text)),
        Unary::Sign if class == Class::Index => method("signum"),
        Unary::Sign if float => Expr::atom(format!("rt::Float::sign({})", a.text)),
        Unary::Sign => Expr::atom(format!("rt::Integer::sign({})", a.text)),
        Unary::Floor | Unary::Ceil | Unary::Fix | Unary::Rint | Unary::Round if !float => a.clone(),
        Unary::Round if class == Class::Single => Expr::atom(format!("rt::Float::round({})", a.text)),
        Unary::Floor => method("floor"),
        Unary::Ceil => method("ceil"),
        Unary::Fix => method("trunc"),
        Unary::Rint => method("round_ties_even"),
        Unary::IsNan | Unary::IsInf if !float => Expr::atom("false"),
        Unary::IsFinite if !float => Expr::atom("true"),
        Unary::IsNan => method("is_nan"),
        Unary::IsInf => method("is_infinite"),
        Unary::IsFinite => method("is_finite"),
        Unary::Sqrt => method("sqrt"),
        op => math(op.name(), &[a], class),
    }
}

fn binary(op: Binary, [a, b]: [Expr; 2], class: Class, bounded: bool) -> Expr {
    let infix = |sign: &str, binds: Binds, right: Binds| {
        Expr::binding(format!("{} {sign} {}", a.within(binds), b.within(right)), binds)
    };
    let method = |name: &str| Expr::atom(format!("{}.{name}({})", a.receiver(class), b.text));
    let plain = class.is_float() || bounded;
    // Sums and products of floats round: `a + (b + c)` keeps its parentheses.
    match op {
        Binary::Add if plain => infix("+", Binds::Sum, Binds::Product),
        Binary::Sub if plain => infix("-", Binds::Sum, Binds::Product),
        Binary::Mul if plain => infix("*", Binds::Product, Binds::Cast),
        Binary::Eq => infix("==", Binds::Or, Binds::Or).compared(),
        Binary::Ne => infix("!=", Binds::Or, Binds::Or).compared(),
        Binary::Lt => infix("<", Binds::Or, Binds::Or).compared(),
        Binary::Le => infix("<=", Binds::Or, Binds::Or).compared(),
        Binary::Gt => infix(">", Binds::Or, Binds::Or).compared(),
        Binary::Ge => infix(">=", Binds::Or, Binds::Or).compared(),
        Binary::And | Binary::BitAnd => infix("&", Binds::And, Binds::Sum),
        Binary::Or | Binary::BitOr => infix("|", Binds::Or, Binds::Xor),
        Binary::Xor | Binary::BitXor => infix("^", Binds::Xor, Binds::And),
        _ if class == Class::Index => index_arithmetic(op, &a, &b),
        Binary::Div if class.is_float() => infix("/", Binds::Product, Binds::Cast),
        Binary::Add => method("saturating_add"),
        Binary::Sub => method("saturating_sub"),
        Binary::Mul => method("saturating_mul"),
        Binary::Min if class.is_integer() => method("min"),
        Binary::Max if class.is_integer() => method("max"),
        op if class.is_integer() => Expr::atom(format!("rt::Integer::{}({}, {})", word(op), a.text, b.text)),
        Binary::Min | Binary::Max | Binary::Mod | Binary::Rem => {
            Expr::atom(format!("rt::Float::{}({}, {})", word(op), a.text, b.text))
        }
        op => math(word(op), &[&a, &b], class),
    }
}

/// The name of the run-time function: the operation's own where Rust allows it.
fn word(op: Binary) -> &'static str {
    if op == Binary::Mod { "modulo" } else { op.name() }
}

fn index_arithmetic(op: Binary, a: &Expr, b: &Expr) -> Expr {
    let method = |name: &str| Expr::atom(format!("{}.{name}({})", a.receiver(Class::Index), b.text));
    let shift = || if b.literal { b.text.clone() } else { cast(b, "u32").text };
    match op {
        Binary::Add => method("wrapping_add"),
        Binary::Sub => method("wrapping_sub"),
        Binary::Mul => method("wrapping_mul"),
        Binary::Min => method("min"),
        Binary::Max => method("max"),
        Binary::Philox => Expr::atom(format!("rt::random::bits({}, {})", a.text, b.text)),
        Binary::Shl => Expr::atom(format!("{}.wrapping_shl({})", a.receiver(Class::Index), shift())),
        Binary::Shr => Expr::atom(format!("{}.wrapping_shr({})", a.receiver(Class::Index), shift())),
        Binary::Shru => {
            let logical =
                Expr::atom(format!("({}).wrapping_shr({})", cast(&a.typed(Class::Index), "u64").text, shift()));
            cast(&logical, "i64")
        }
        op => Expr::atom(format!("rt::subscript::{}({}, {})", word(op), a.text, b.text)),
    }
}

impl Expr {
    /// Comparisons do not chain: an operand of another operator needs parentheses.
    fn compared(self) -> Self {
        Self { binds: Binds::Compare, ..self }
    }
}

/// A size that may leave 64 bits: exact, or larger than any array.
pub fn polynomial(size: &Size, name: &dyn Fn(Sym) -> String) -> String {
    let term = |(monomial, coefficient): (&Monomial, i64)| {
        let factors: Vec<String> = monomial.iter().map(|sym| name(*sym)).collect();
        format!("({coefficient}, &[{}])", factors.join(", "))
    };
    let terms: Vec<String> = size.terms().map(term).collect();
    format!("rt::polynomial(&[{}])", terms.join(", "))
}

fn convert(a: &Expr, from: Class, to: Class) -> Expr {
    let ty = rust_type(to);
    match (from, to) {
        _ if from == to => a.clone(),
        (Class::Logical, Class::Double | Class::Single) => cast(&cast(a, "u8"), ty),
        (_, Class::Logical) => {
            let zero = if from.is_float() { "0.0" } else { "0" };
            Expr::binding(format!("{} != {zero}", a.within(Binds::Or)), Binds::Compare)
        }
        (Class::Double, to) if to.is_integer() => Expr::atom(format!("<{ty} as rt::Integer>::from_f64({})", a.text)),
        (Class::Single, to) if to.is_integer() => {
            Expr::atom(format!("<{ty} as rt::Integer>::from_f64(f64::from({}))", a.text))
        }
        (from, to) if to.is_integer() && from != Class::Logical => {
            Expr::atom(format!("<{ty} as rt::Integer>::from_wide({})", cast(a, "i128").text))
        }
        _ => cast(a, ty),
    }
}
