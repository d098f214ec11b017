//! Rust expressions as trees. Statements are built from these and become text last.

use std::fmt::{self, Write};

use super::expr::rust_type;
use crate::ir::Class;

/// How tightly the outermost operator of an expression binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binds {
    /// `if .. {} else {}` and blocks: never an operand without parentheses, in front of an operator they would end a statement.
    Never,
    /// Comparisons, which do not chain.
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

/// An operator between two operands.
#[derive(Debug, Clone, Copy)]
pub struct Infix {
    /// As it is written.
    pub sign: &'static str,
    /// How tightly it binds.
    pub binds: Binds,
    /// What its operands need to stand without parentheses.
    pub operands: [Binds; 2],
}

/// An expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A name.
    Name(String),
    /// `x[l]`: the element of a slice at the point of the loop.
    Element(String),
    /// A number; without a class it has no type of its own.
    Number(String, Option<Class>),
    /// What holds no names of the program's: `f64::NAN`, a text.
    Fixed(String),
    /// `-a`, `!a`
    Prefix(char, Box<Expr>),
    /// `a + b`
    Infix(Infix, Box<[Expr; 2]>),
    /// `a as f64`
    Cast(Box<Expr>, &'static str),
    /// `rt::math::exp(a)`
    Call(String, Vec<Expr>),
    /// `a.sqrt()`
    Method(Box<Expr>, &'static str, Vec<Expr>),
    /// `if a { b } else { c }`
    If(Box<[Expr; 3]>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `(a)`
    Paren(Box<Expr>),
    /// `unsafe { a }`
    Unsafe(Box<Expr>),
    /// `2 * n * m + n - 1`: coefficients and factors.
    Sum(Vec<(i64, Vec<Expr>)>),
    /// `rt::polynomial(&[(2, &[n, m])])`: the same, exact.
    Polynomial(Vec<(i64, Vec<Expr>)>),
}

impl Expr {
    /// A name.
    pub fn name(text: impl Into<String>) -> Self {
        Self::Name(text.into())
    }

    /// The call of a function.
    pub fn call(function: impl Into<String>, operands: Vec<Self>) -> Self {
        Self::Call(function.into(), operands)
    }

    /// The call of a method.
    pub fn method(self, name: &'static str, operands: Vec<Self>) -> Self {
        Self::Method(Box::new(self), name, operands)
    }

    /// A conversion.
    pub fn cast(self, ty: &'static str) -> Self {
        Self::Cast(Box::new(self), ty)
    }

    /// Its outermost operator.
    pub fn binds(&self) -> Binds {
        match self {
            Self::If(_) | Self::Unsafe(_) => Binds::Never,
            Self::Infix(infix, _) => infix.binds,
            Self::Cast(..) => Binds::Cast,
            Self::Prefix(..) => Binds::Prefix,
            Self::Number(text, _) if text.starts_with('-') => Binds::Prefix,
            Self::Sum(terms) => match &terms[..] {
                [(1, factors)] if factors.len() == 1 => Binds::Atom,
                [(1.., _)] => Binds::Product,
                _ => Binds::Sum,
            },
            Self::Name(_)
            | Self::Element(_)
            | Self::Number(..)
            | Self::Fixed(_)
            | Self::Call(..)
            | Self::Method(..)
            | Self::List(_)
            | Self::Paren(_)
            | Self::Polynomial(_) => Binds::Atom,
        }
    }

    /// Whether it is a number without a type of its own.
    pub fn is_literal(&self) -> bool {
        match self {
            Self::Number(_, class) => class.is_none(),
            Self::Prefix('-', inner) => inner.is_literal(),
            _ => false,
        }
    }

    /// A literal with its type, where nothing beside it would tell.
    pub fn typed(&self, class: Class) -> Self {
        match self {
            Self::Number(text, None) => Self::Number(text.clone(), Some(class)),
            Self::Prefix('-', inner) if inner.is_literal() => Self::Prefix('-', Box::new(inner.typed(class))),
            other => other.clone(),
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// The text where an operator of at least this strength is applied.
    pub fn within(&self, binds: Binds) -> String {
        Within(self, binds).to_string()
    }

    /// Whether it stands without parentheses where an operator of this strength is applied.
    fn is_bare(&self, binds: Binds) -> bool {
        // In `x as f64 < y` Rust takes the `<` for the start of type arguments.
        self.binds() >= binds && (binds >= Binds::Sum || !self.ends_in_cast())
    }

    fn ends_in_cast(&self) -> bool {
        match self {
            Self::Cast(..) => true,
            Self::Infix(infix, operands) => operands[1].is_bare(infix.operands[1]) && operands[1].ends_in_cast(),
            _ => false,
        }
    }

    /// Calls `f` on each name in it.
    pub fn names(&self, f: &mut impl FnMut(&str)) {
        match self {
            Self::Name(name) | Self::Element(name) => f(name),
            Self::Number(..) | Self::Fixed(_) => {}
            Self::Prefix(_, inner) | Self::Cast(inner, _) | Self::Paren(inner) | Self::Unsafe(inner) => inner.names(f),
            Self::Infix(_, operands) => operands.iter().for_each(|e| e.names(f)),
            Self::If(parts) => parts.iter().for_each(|e| e.names(f)),
            Self::Call(_, operands) | Self::List(operands) => operands.iter().for_each(|e| e.names(f)),
            Self::Method(receiver, _, operands) => {
                receiver.names(f);
                operands.iter().for_each(|e| e.names(f));
            }
            Self::Sum(terms) | Self::Polynomial(terms) => {
                terms.iter().flat_map(|(_, factors)| factors).for_each(|e| e.names(f));
            }
        }
    }
}

/// An operand of an operator.
struct Within<'e>(&'e Expr, Binds);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_bare(self.1) { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) | Self::Fixed(text) | Self::Number(text, None) => f.write_str(text),
            Self::Number(text, Some(class)) => write!(f, "{text}_{}", rust_type(*class)),
            Self::Element(name) => write!(f, "{name}[l]"),
            Self::Prefix(sign, inner) => write!(f, "{sign}{}", Within(inner, Binds::Prefix)),
            Self::Infix(Infix { sign, operands, .. }, both) => {
                let [a, b] = [0, 1].map(|at| Within(&both[at], operands[at]));
                write!(f, "{a} {sign} {b}")
            }
            Self::Cast(inner, ty) => write!(f, "{} as {ty}", Within(inner, Binds::Cast)),
            Self::Call(function, operands) => {
                f.write_str(function)?;
                list(f, ['(', ')'], operands)
            }
            Self::Method(receiver, name, operands) => {
                write!(f, "{}.{name}", Within(receiver, Binds::Atom))?;
                list(f, ['(', ')'], operands)
            }
            Self::If(parts) => write!(f, "if {} {{ {} }} else {{ {} }}", parts[0], parts[1], parts[2]),
            Self::List(elements) => list(f, ['[', ']'], elements),
            Self::Paren(inner) => write!(f, "({inner})"),
            Self::Unsafe(inner) => write!(f, "unsafe {{ {inner} }}"),
            Self::Sum(terms) => sum(f, terms),
            Self::Polynomial(terms) => {
                f.write_str("rt::polynomial(&[")?;
                for (at, (coefficient, factors)) in terms.iter().enumerate() {
                    write!(f, "{}({coefficient}, &", if at > 0 { ", " } else { "" })?;
                    list(f, ['[', ']'], factors)?;
                    f.write_char(')')?;
                }
                f.write_str("])")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, [open, close]: [char; 2], list: &[Expr]) -> fmt::Result {
    f.write_char(open)?;
    for (at, each) in list.iter().enumerate() {
        write!(f, "{}{each}", if at > 0 { ", " } else { "" })?;
    }
    f.write_char(close)
}

/// A sum of products, of which none has the coefficient 0.
fn sum(f: &mut fmt::Formatter<'_>, terms: &[(i64, Vec<Expr>)]) -> fmt::Result {
    for (at, (coefficient, factors)) in terms.iter().enumerate() {
        f.write_str(match (at, *coefficient < 0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        })?;
        let magnitude = coefficient.unsigned_abs();
        if magnitude != 1 || factors.is_empty() {
            write!(f, "{magnitude}{}", if factors.is_empty() { "" } else { " * " })?;
        }
        for (at, factor) in factors.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { " * " } else { "" }, Within(factor, Binds::Product))?;
        }
    }
    if terms.is_empty() { f.write_char('0') } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESS: Infix = Infix { sign: "<", binds: Binds::Compare, operands: [Binds::Or; 2] };
    const TIMES: Infix = Infix { sign: "*", binds: Binds::Product, operands: [Binds::Product, Binds::Cast] };

    fn infix(infix: Infix, a: Expr, b: Expr) -> Expr {
        Expr::Infix(infix, Box::new([a, b]))
    }

    #[test]
    fn parentheses_stand_where_they_must() {
        let x = || Expr::name("x");
        let product = infix(TIMES, x(), Expr::Element("y".into()));
        assert_eq!(product.text(), "x * y[l]");
        assert_eq!(infix(TIMES, x(), product.clone()).text(), "x * (x * y[l])");
        assert_eq!(infix(LESS, x().cast("f64"), product.clone()).text(), "(x as f64) < x * y[l]");
        assert_eq!(
            Expr::Number("-2.0".into(), None).typed(Class::Double).method("abs", vec![]).text(),
            "(-2.0_f64).abs()"
        );
        let choice = Expr::If(Box::new([infix(LESS, x(), product.clone()), x(), product]));
        assert_eq!(infix(TIMES, choice, x()).text(), "(if x < x * y[l] { x } else { x * y[l] }) * x");
        let size = Expr::Sum(vec![(2, vec![x(), x()]), (-1, vec![Expr::name("n")]), (3, vec![])]);
        assert_eq!(infix(TIMES, size, x()).text(), "(2 * x * x - n + 3) * x");
    }

    #[test]
    fn names_are_found_where_they_stand() {
        let mut found = Vec::new();
        let load = Expr::name("a").method("at", vec![Expr::List(vec![Expr::name("i"), Expr::Element("p".into())])]);
        Expr::Unsafe(Box::new(load)).names(&mut |name| found.push(name.to_owned()));
        assert_eq!(found, ["a", "i", "p"]);
    }
}
