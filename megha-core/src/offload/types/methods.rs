//! The methods of numbers.

use crate::ir::{Binary, Unary};

/// What a method call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A function of one float.
    Unary(Unary),
    /// A question about one float.
    Predicate(Unary),
    /// A function of two floats.
    Binary(Binary),
    /// `min` or `max`, of floats or whole numbers.
    Extremum(Binary),
    /// `abs`, of floats or whole numbers with sign.
    Abs,
    /// `a.mul_add(b, c)`
    MulAdd,
    /// `1.0 / x`
    Recip,
    /// A power with a literal exponent.
    Powi,
    /// `a.saturating_sub(b)` of sizes.
    SaturatingSub,
}

/// The largest exponent of `powi`, whose products are written out.
pub const MAX_POWER: i64 = 64;

const UNARY: &[(&str, Unary)] = &[
    ("sqrt", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("exp_m1", Unary::Expm1),
    ("ln", Unary::Log),
    ("ln_1p", Unary::Log1p),
    ("log2", Unary::Log2),
    ("log10", Unary::Log10),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("asinh", Unary::Asinh),
    ("acosh", Unary::Acosh),
    ("atanh", Unary::Atanh),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("round", Unary::Round),
    ("trunc", Unary::Fix),
    ("round_ties_even", Unary::Rint),
];

const OTHERS: &[(&str, Method)] = &[
    ("is_nan", Method::Predicate(Unary::IsNan)),
    ("is_infinite", Method::Predicate(Unary::IsInf)),
    ("is_finite", Method::Predicate(Unary::IsFinite)),
    ("powf", Method::Binary(Binary::Pow)),
    ("atan2", Method::Binary(Binary::Atan2)),
    ("hypot", Method::Binary(Binary::Hypot)),
    ("min", Method::Extremum(Binary::Min)),
    ("max", Method::Extremum(Binary::Max)),
    ("abs", Method::Abs),
    ("mul_add", Method::MulAdd),
    ("recip", Method::Recip),
    ("powi", Method::Powi),
    ("saturating_sub", Method::SaturatingSub),
];

impl Method {
    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let unary = UNARY.iter().find(|(n, _)| *n == name).map(|(_, op)| Self::Unary(*op));
        unary.or_else(|| OTHERS.iter().find(|(n, _)| *n == name).map(|(_, m)| *m))
    }

    /// How many arguments it takes besides the receiver.
    pub fn arguments(self) -> usize {
        match self {
            Self::Unary(_) | Self::Predicate(_) | Self::Abs | Self::Recip => 0,
            Self::Binary(_) | Self::Extremum(_) | Self::Powi | Self::SaturatingSub => 1,
            Self::MulAdd => 2,
        }
    }

    /// The names of all methods, for messages.
    pub fn names() -> String {
        let names: Vec<&str> = UNARY.iter().map(|(n, _)| *n).chain(OTHERS.iter().map(|(n, _)| *n)).collect();
        names.join(", ")
    }
}
