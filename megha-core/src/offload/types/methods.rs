//! The methods of numbers.

use crate::ir::{Binary, Unary};
use crate::offload::ast::{BinaryOp, Scalar};

/// What a method call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A function of one float.
    Unary(Unary),
    /// A question about one float.
    Predicate(Unary),
    /// A function of two floats.
    Binary(Binary),
    /// A function of one float that is made of others.
    Float(FloatMethod),
    /// A function of one number that is made of others.
    Number(NumberMethod),
    /// A function of a whole number that is made of others.
    Whole(WholeMethod),
    /// `min` or `max`, of floats or whole numbers.
    Extremum(Binary),
    /// `a.wrapping_add(b)` and its like, of whole numbers.
    Wrapping(BinaryOp),
    /// Whether `a.checked_add(b)` and its like are `Some`, of whole numbers.
    Fits(BinaryOp),
    /// `a.mul_add(b, c)`
    MulAdd,
    /// A power of a float with a whole exponent.
    Powi,
}

/// A method of complex numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of `num_complex`")]
pub enum ComplexMethod {
    Conj,
    NormSqr,
    Norm,
    L1Norm,
    Arg,
    Inv,
    Scale,
    Unscale,
    IsNan,
    IsFinite,
}

const COMPLEX: &[(&str, ComplexMethod)] = &[
    ("conj", ComplexMethod::Conj),
    ("norm_sqr", ComplexMethod::NormSqr),
    ("norm", ComplexMethod::Norm),
    ("l1_norm", ComplexMethod::L1Norm),
    ("arg", ComplexMethod::Arg),
    ("inv", ComplexMethod::Inv),
    ("scale", ComplexMethod::Scale),
    ("unscale", ComplexMethod::Unscale),
    ("is_nan", ComplexMethod::IsNan),
    ("is_finite", ComplexMethod::IsFinite),
];

impl ComplexMethod {
    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        COMPLEX.iter().find(|(n, _)| *n == name).map(|(_, method)| *method)
    }

    /// The names of all, for messages.
    pub fn names() -> String {
        COMPLEX.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// How many real numbers it takes besides the receiver.
    pub fn arguments(self) -> usize {
        match self {
            Self::Scale | Self::Unscale => 1,
            Self::Conj | Self::NormSqr | Self::Norm | Self::L1Norm | Self::Arg | Self::Inv => 0,
            Self::IsNan | Self::IsFinite => 0,
        }
    }

    /// What it gives.
    pub fn gives(self) -> Scalar {
        match self {
            Self::Conj | Self::Inv | Self::Scale | Self::Unscale => Scalar::C64,
            Self::NormSqr | Self::Norm | Self::L1Norm | Self::Arg => Scalar::F64,
            Self::IsNan | Self::IsFinite => Scalar::Bool,
        }
    }
}

/// A function of floats that is made of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum FloatMethod {
    Recip,
    Copysign,
    Fract,
    Exp2,
    Cbrt,
    Log,
    ToRadians,
    ToDegrees,
    IsSignNegative,
    IsSignPositive,
}

/// A function of numbers of any kind that is made of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum NumberMethod {
    Abs,
    Signum,
    Clamp,
}

/// A function of whole numbers that is made of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum WholeMethod {
    Pow,
    SaturatingAdd,
    SaturatingSub,
    SaturatingMul,
    AbsDiff,
    DivCeil,
    DivEuclid,
    RemEuclid,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    CountZeros,
    LeadingOnes,
    TrailingOnes,
    IsPowerOfTwo,
    IsPositive,
    IsNegative,
    Ilog2,
    RotateLeft,
    RotateRight,
    ReverseBits,
    SwapBytes,
    UnsignedAbs,
    WrappingNeg,
    WrappingAbs,
    WrappingShl,
    WrappingShr,
}

/// What a method gives, if its receiver is of some type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// The type of the receiver.
    Same,
    /// `bool`
    Bool,
    /// `u32`
    Count,
    /// The type of the receiver without its sign.
    Unsigned,
}

/// The largest exponent of `powi` whose products are written out.
pub const MAX_POWER: i128 = 64;

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
    ("abs", Method::Number(NumberMethod::Abs)),
    ("signum", Method::Number(NumberMethod::Signum)),
    ("clamp", Method::Number(NumberMethod::Clamp)),
    ("div_euclid", Method::Whole(WholeMethod::DivEuclid)),
    ("rem_euclid", Method::Whole(WholeMethod::RemEuclid)),
    ("mul_add", Method::MulAdd),
    ("powi", Method::Powi),
    ("recip", Method::Float(FloatMethod::Recip)),
    ("copysign", Method::Float(FloatMethod::Copysign)),
    ("fract", Method::Float(FloatMethod::Fract)),
    ("exp2", Method::Float(FloatMethod::Exp2)),
    ("cbrt", Method::Float(FloatMethod::Cbrt)),
    ("log", Method::Float(FloatMethod::Log)),
    ("to_radians", Method::Float(FloatMethod::ToRadians)),
    ("to_degrees", Method::Float(FloatMethod::ToDegrees)),
    ("is_sign_negative", Method::Float(FloatMethod::IsSignNegative)),
    ("is_sign_positive", Method::Float(FloatMethod::IsSignPositive)),
    ("pow", Method::Whole(WholeMethod::Pow)),
    ("wrapping_pow", Method::Whole(WholeMethod::Pow)),
    ("wrapping_add", Method::Wrapping(BinaryOp::Add)),
    ("wrapping_sub", Method::Wrapping(BinaryOp::Sub)),
    ("wrapping_mul", Method::Wrapping(BinaryOp::Mul)),
    ("saturating_add", Method::Whole(WholeMethod::SaturatingAdd)),
    ("saturating_sub", Method::Whole(WholeMethod::SaturatingSub)),
    ("saturating_mul", Method::Whole(WholeMethod::SaturatingMul)),
    ("abs_diff", Method::Whole(WholeMethod::AbsDiff)),
    ("div_ceil", Method::Whole(WholeMethod::DivCeil)),
    ("count_ones", Method::Whole(WholeMethod::CountOnes)),
    ("leading_zeros", Method::Whole(WholeMethod::LeadingZeros)),
    ("trailing_zeros", Method::Whole(WholeMethod::TrailingZeros)),
    ("count_zeros", Method::Whole(WholeMethod::CountZeros)),
    ("leading_ones", Method::Whole(WholeMethod::LeadingOnes)),
    ("trailing_ones", Method::Whole(WholeMethod::TrailingOnes)),
    ("is_power_of_two", Method::Whole(WholeMethod::IsPowerOfTwo)),
    ("is_positive", Method::Whole(WholeMethod::IsPositive)),
    ("is_negative", Method::Whole(WholeMethod::IsNegative)),
    ("ilog2", Method::Whole(WholeMethod::Ilog2)),
    ("rotate_left", Method::Whole(WholeMethod::RotateLeft)),
    ("rotate_right", Method::Whole(WholeMethod::RotateRight)),
    ("reverse_bits", Method::Whole(WholeMethod::ReverseBits)),
    ("swap_bytes", Method::Whole(WholeMethod::SwapBytes)),
    ("unsigned_abs", Method::Whole(WholeMethod::UnsignedAbs)),
    ("wrapping_neg", Method::Whole(WholeMethod::WrappingNeg)),
    ("wrapping_abs", Method::Whole(WholeMethod::WrappingAbs)),
    ("wrapping_shl", Method::Whole(WholeMethod::WrappingShl)),
    ("wrapping_shr", Method::Whole(WholeMethod::WrappingShr)),
    ("checked_add", Method::Fits(BinaryOp::Add)),
    ("checked_sub", Method::Fits(BinaryOp::Sub)),
    ("checked_mul", Method::Fits(BinaryOp::Mul)),
    ("checked_div", Method::Fits(BinaryOp::Div)),
    ("checked_rem", Method::Fits(BinaryOp::Rem)),
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
            Self::Unary(_) | Self::Predicate(_) => 0,
            Self::Float(FloatMethod::Copysign | FloatMethod::Log) => 1,
            Self::Float(_) => 0,
            Self::Number(NumberMethod::Abs | NumberMethod::Signum) => 0,
            Self::Number(NumberMethod::Clamp) => 2,
            Self::Whole(
                WholeMethod::Pow
                | WholeMethod::SaturatingAdd
                | WholeMethod::SaturatingSub
                | WholeMethod::SaturatingMul
                | WholeMethod::AbsDiff
                | WholeMethod::DivCeil
                | WholeMethod::DivEuclid
                | WholeMethod::RemEuclid
                | WholeMethod::RotateLeft
                | WholeMethod::RotateRight
                | WholeMethod::WrappingShl
                | WholeMethod::WrappingShr,
            ) => 1,
            Self::Whole(
                WholeMethod::CountOnes
                | WholeMethod::LeadingZeros
                | WholeMethod::TrailingZeros
                | WholeMethod::CountZeros
                | WholeMethod::LeadingOnes
                | WholeMethod::TrailingOnes
                | WholeMethod::IsPowerOfTwo
                | WholeMethod::IsPositive
                | WholeMethod::IsNegative
                | WholeMethod::Ilog2
                | WholeMethod::ReverseBits
                | WholeMethod::SwapBytes
                | WholeMethod::UnsignedAbs
                | WholeMethod::WrappingNeg
                | WholeMethod::WrappingAbs,
            ) => 0,
            Self::Binary(_) | Self::Extremum(_) | Self::Wrapping(_) | Self::Fits(_) | Self::Powi => 1,
            Self::MulAdd => 2,
        }
    }

    /// What it gives.
    pub fn gives(self) -> Gives {
        match self {
            Self::Predicate(_) | Self::Fits(_) => Gives::Bool,
            Self::Whole(WholeMethod::AbsDiff | WholeMethod::UnsignedAbs) => Gives::Unsigned,
            Self::Whole(WholeMethod::IsPowerOfTwo | WholeMethod::IsPositive | WholeMethod::IsNegative) => Gives::Bool,
            Self::Float(FloatMethod::IsSignNegative | FloatMethod::IsSignPositive) => Gives::Bool,
            Self::Whole(
                WholeMethod::CountOnes
                | WholeMethod::LeadingZeros
                | WholeMethod::TrailingZeros
                | WholeMethod::CountZeros
                | WholeMethod::LeadingOnes
                | WholeMethod::TrailingOnes
                | WholeMethod::Ilog2,
            ) => Gives::Count,
            Self::Unary(_)
            | Self::Binary(_)
            | Self::Float(_)
            | Self::Number(_)
            | Self::Whole(_)
            | Self::Extremum(_)
            | Self::Wrapping(_)
            | Self::MulAdd
            | Self::Powi => Gives::Same,
        }
    }

    /// Whether it ends the program for some arguments.
    pub fn may_fail(self) -> bool {
        match self {
            Self::Number(NumberMethod::Clamp) => true,
            Self::Whole(WholeMethod::DivCeil | WholeMethod::DivEuclid | WholeMethod::RemEuclid) => true,
            Self::Whole(WholeMethod::Ilog2) => true,
            Self::Number(NumberMethod::Abs | NumberMethod::Signum) | Self::Whole(_) => false,
            Self::Unary(_) | Self::Predicate(_) | Self::Binary(_) | Self::Float(_) => false,
            Self::Extremum(_) | Self::Wrapping(_) | Self::Fits(_) | Self::MulAdd | Self::Powi => false,
        }
    }

    /// The names of all methods, for messages.
    pub fn names() -> String {
        let names: Vec<&str> = UNARY.iter().map(|(n, _)| *n).chain(OTHERS.iter().map(|(n, _)| *n)).collect();
        names.join(", ")
    }
}
