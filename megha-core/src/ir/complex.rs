//! Complex numbers in the IR: pairs of real values.
//!
//! While a function is lowered a complex value is one [`Value`](super::Value) of [`Class::Complex`], made by
//! [`Op::Complex`](super::Op::Complex) and taken apart by [`Op::Part`](super::Op::Part). Lowering ends with the split
//! (`lower::complex::split`), after which every complex value is two `Double` values, the real parts and the imaginary
//! parts. So no pass, back end or interpreter knows complex numbers, and kernels compute on separate arrays of parts, the
//! form that vectorises.
//!
//! At the border of a function the two parts of a complex parameter or result stand side by side under the names
//! `real(z)` and `imag(z)`, which no MATLAB variable can have.

use super::{Class, Func, Param, Type};

/// One part of a complex number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The real part.
    Real,
    /// The imaginary part.
    Imag,
}

impl Part {
    /// MATLAB's name of the function that gives the part; also the operation's name in the textual IR.
    pub fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
            Self::Imag => "imag",
        }
    }

    /// The name of this part of the parameter or result `whole`.
    pub fn of(self, whole: &str) -> String {
        format!("{}({whole})", self.name())
    }

    /// The name of the parameter or result that `name` is this part of.
    pub fn whole(self, name: &str) -> Option<&str> {
        name.strip_prefix(self.name())?.strip_prefix('(')?.strip_suffix(')')
    }
}

/// A parameter or result as the program declares it: of a complex one both parts together.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The name in the source.
    pub name: String,
    /// The type; of class `Complex` where two parts stand for it.
    pub ty: Type,
    /// The place of the parameter or result, or of its real part, which the imaginary part follows.
    pub at: usize,
}

impl Argument {
    /// How many values of the function stand for it.
    pub fn parts(&self) -> usize {
        if self.ty.class == Class::Complex { 2 } else { 1 }
    }
}

impl Func {
    /// The parameters as the program declares them.
    pub fn declared_params(&self) -> Vec<Argument> {
        let of = |p: &Param| (p.name.clone(), self.ty(p.value).clone());
        arguments(self.params.iter().map(of))
    }

    /// The results as the program declares them.
    pub fn declared_results(&self) -> Vec<Argument> {
        arguments(self.result_names.iter().cloned().zip(self.results.iter().cloned()))
    }
}

fn arguments(list: impl Iterator<Item = (String, Type)>) -> Vec<Argument> {
    let mut out = Vec::new();
    for (at, (name, ty)) in list.enumerate() {
        if Part::Imag.whole(&name).is_some() {
            continue;
        }
        out.push(match Part::Real.whole(&name) {
            Some(whole) => Argument { name: whole.to_owned(), ty: ty.with_class(Class::Complex), at },
            None => Argument { name, ty, at },
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_one() {
        let double = Type::scalar(Class::Double);
        let names = ["a", "real(z)", "imag(z)", "b"];
        let list = arguments(names.iter().map(|n| ((*n).to_owned(), double.clone())));
        let found: Vec<_> = list.iter().map(|a| (a.name.as_str(), a.ty.class, a.at, a.parts())).collect();
        assert_eq!(found, [("a", Class::Double, 0, 1), ("z", Class::Complex, 1, 2), ("b", Class::Double, 3, 1)]);
    }
}
