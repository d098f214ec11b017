//! What must hold of a call's arguments: limits under which no number that is reasoned about leaves 64 bits, and relations that are
//! proven of nothing but the arguments. A call of which it does not hold runs the plain function.

use super::ast::{ArrayForm, Function, ParamType, Scalar};
use super::complex::owners;
use crate::ir::size::Limits;
use crate::ir::{Func, Size, Sym, SymDef};

/// The limits for numbers and for arrays' elements that are tried, as powers of two, from the most generous on: an array of 2^40 numbers takes
/// 8 TiB; products of two or three arguments need smaller ones.
const POWERS: [(u32, u32); 7] = [(40, 40), (30, 40), (35, 35), (30, 30), (20, 40), (20, 30), (20, 20)];

/// The limits that are tried.
pub(super) fn limits() -> impl Iterator<Item = Limits> {
    POWERS.into_iter().map(|(numbers, elements)| Limits { numbers: 1 << numbers, elements: 1 << elements })
}

/// What must hold of a call's arguments; else the plain function is right and the compiled one may not be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// What whole numbers and arrays are not larger than.
    pub limits: Limits,
    /// Sizes that are zero or more, over the parameters: values of `usize` that a subtraction gives.
    pub not_negative: Vec<Size>,
}

/// What parameters of a narrower type are not larger than, if numbers made of them are reasoned about: sums of a few stay in 32 bits.
pub(super) const NARROW: i64 = 1 << 28;

/// The limit for a parameter of a type; `None` if it needs none.
pub(super) fn limit(scalar: Scalar, limits: Limits) -> Option<i64> {
    match scalar {
        Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize => Some(limits.numbers),
        Scalar::I32 | Scalar::U32 => Some(NARROW),
        Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 => None,
        Scalar::F64 | Scalar::F32 | Scalar::Bool | Scalar::C64 => None,
    }
}

impl Entry {
    /// The conditions in Rust, over the parameters; none if every call will do. `class` gives the types of numbers.
    pub(super) fn condition(
        &self,
        func: &Func,
        function: &Function,
        class: &dyn Fn(usize) -> Scalar,
    ) -> Option<String> {
        let mut all: Vec<String> = Vec::new();
        for (number, param) in function.params.iter().enumerate() {
            let name = &param.value;
            match param.ty {
                ParamType::Array { form, rank, .. } => {
                    all.push(format!("{} <= {}u64", count(name, form, rank), self.limits.elements))
                }
                ParamType::Scalar(..) | ParamType::Constant(_) => {
                    let (largest, value) = (limit(class(number), self.limits), param.rust(class(number)));
                    all.extend(largest.map(|l| format!("({value} as i128).unsigned_abs() <= {l}u128")));
                }
            }
        }
        let sizes = self.not_negative.iter();
        all.extend(sizes.map(|size| format!("({}) >= 0i128", in_rust((func, function, class), size))));
        (!all.is_empty()).then(|| all.join(" && "))
    }
}

/// The number of elements of an array, those along empty dimensions counted too.
fn count(name: &str, form: ArrayForm, rank: usize) -> String {
    let of_shape = |array: &str| format!("({array}.shape().iter().filter(|d| **d != 0).product::<usize>() as u64)");
    match form {
        ArrayForm::Ndarray => of_shape(name),
        ArrayForm::Slice if rank > 1 => of_shape(&rows(name)),
        ArrayForm::Slice => format!("({name}.len() as u64)"),
    }
}

/// A slice of arrays as a view.
fn rows(name: &str) -> String {
    format!("::megha::rt::ndarray::ArrayView2::from(&{name}[..])")
}

/// A symbol that is a size of a parameter or its value.
pub(super) fn argument_in_rust(of: (&Func, &Function, &dyn Fn(usize) -> Scalar), sym: Sym) -> Option<String> {
    let (func, function, class) = of;
    let owners = owners(function, class);
    match &func.symbols.get(sym).def {
        SymDef::Dim(param, axis) => {
            let param = &function.params[owners[*param]];
            Some(match param.ty {
                ParamType::Array { form: ArrayForm::Slice, rank, .. } if rank > 1 => {
                    format!("{}.shape()[{axis}]", rows(&param.value))
                }
                ParamType::Array { form: ArrayForm::Slice, .. } => format!("{}.len()", param.value),
                _ => format!("{}.shape()[{axis}]", param.value),
            })
        }
        SymDef::Value(value) => {
            let param = func.params.iter().zip(&owners).find(|(p, _)| p.value == *value);
            param.map(|(_, at)| function.params[*at].rust(class(*at)))
        }
        SymDef::Max(..) | SymDef::Min(..) | SymDef::FloorDiv(..) => None,
    }
}

/// A size over parameters, in 128 bits.
fn in_rust(of: (&Func, &Function, &dyn Fn(usize) -> Scalar), size: &Size) -> String {
    let (func, ..) = of;
    let text = |sym| match &func.symbols.get(sym).def {
        SymDef::Dim(..) | SymDef::Value(_) => {
            let text = argument_in_rust(of, sym);
            format!("({} as i128)", text.unwrap_or_else(|| "0".to_owned()))
        }
        SymDef::Max(a, b) => format!("({}).max({})", in_rust(of, a), in_rust(of, b)),
        SymDef::Min(a, b) => format!("({}).min({})", in_rust(of, a), in_rust(of, b)),
        SymDef::FloorDiv(a, b) => format!("({}).div_euclid({})", in_rust(of, a), in_rust(of, b)),
    };
    let term = |(monomial, coefficient): (&Vec<Sym>, i64)| {
        let factors = monomial.iter().map(|sym| text(*sym));
        std::iter::once(format!("({coefficient}i128)")).chain(factors).collect::<Vec<_>>().join(" * ")
    };
    let terms: Vec<String> = size.terms().map(term).collect();
    if terms.is_empty() { "0i128".to_owned() } else { terms.join(" + ") }
}
