//! Demands on types that are tested when all types are known.

use super::Infer;
use crate::diag::Code;
use crate::offload::ast::Scalar;
use crate::offload::types::unify::Kind;

/// What is demanded, each for an operation that is named.
pub(super) enum Demand {
    /// Floating point.
    Float(String),
    /// A number.
    Number(String),
    /// A number with a sign.
    Signed(String),
    /// A number with a sign, or a complex one.
    Negated,
    /// A whole number.
    Whole(String),
    /// A whole number with a sign.
    Negative(String),
    /// A whole number without sign.
    Unsigned(String),
    /// A whole number or `bool`.
    Bits(&'static str),
    /// A cast from a number or `bool` to this type.
    CastTo(Scalar),
    /// A constant of this name whose type its uses tell.
    Inferred(String),
}

impl Demand {
    /// What is wrong if the type is this one, and what can be done.
    fn message(&self, scalar: Scalar) -> Option<(String, &'static str)> {
        let name = scalar.name();
        let convert = "convert with `as`";
        match self {
            Self::Float(what) if !scalar.is_float() => {
                Some((format!("{what} is of floating-point numbers, not of {name}"), convert))
            }
            Self::Number(what) if matches!(scalar, Scalar::Bool | Scalar::C64) => {
                Some((format!("{what} is of numbers, not of {name}"), convert))
            }
            Self::Signed(what) if matches!(scalar, Scalar::Bool | Scalar::C64) || scalar.is_unsigned() => {
                Some((format!("{what} is not defined on {name}"), convert))
            }
            Self::Negated if scalar == Scalar::Bool || scalar.is_unsigned() => {
                Some((format!("`-` is not defined on {name}"), convert))
            }
            Self::Whole(what) if !scalar.is_whole() => {
                Some((format!("{what} is of whole numbers, not of {name}"), convert))
            }
            Self::Negative(what) if !scalar.is_whole() || scalar.is_unsigned() => {
                Some((format!("{what} is of whole numbers with a sign, not of {name}"), convert))
            }
            Self::Unsigned(what) if !scalar.is_unsigned() => {
                Some((format!("{what} is taken of whole numbers without sign, not of {name}"), convert))
            }
            Self::Bits(what) if scalar.is_float() || scalar == Scalar::C64 => {
                Some((format!("{what} is of whole numbers and bool, not of {name}"), convert))
            }
            Self::CastTo(_) if scalar == Scalar::C64 => {
                Some(("complex numbers are not cast".to_owned(), "cast a part, `.re` or `.im`"))
            }
            Self::Inferred(name) if scalar == Scalar::C64 => {
                Some((format!("`{name}` is a complex constant, which is not taken"), "pass it as a parameter"))
            }
            Self::CastTo(Scalar::Bool) if scalar != Scalar::Bool => {
                Some(("nothing is cast to bool".to_owned(), "compare, as in `x != 0`"))
            }
            Self::CastTo(to) if scalar == Scalar::Bool && to.is_float() => {
                Some((format!("bool is not cast to {} in one step", to.name()), "write `x as u8 as f64`"))
            }
            Self::Float(_)
            | Self::Number(_)
            | Self::Signed(_)
            | Self::Negated
            | Self::Whole(_)
            | Self::Negative(_)
            | Self::Unsigned(_)
            | Self::Bits(_)
            | Self::CastTo(_)
            | Self::Inferred(_) => None,
        }
    }
}

impl Infer {
    pub(super) fn check_late(&mut self) {
        for (term, span, demand) in std::mem::take(&mut self.late) {
            if self.types.terms.kind(term) == Kind::Any {
                if let Demand::Inferred(name) = demand {
                    let message = format!("nothing tells the type of `{name}`");
                    let help = "give its value to a variable with a type, as in `let n: usize = N;`";
                    self.problem(Code::LoopTypes, span, message, help);
                }
                continue;
            }
            if let Some((message, help)) = demand.message(self.types.terms.scalar(term)) {
                self.problem(Code::LoopTypes, span, message, help);
            }
        }
    }
}
