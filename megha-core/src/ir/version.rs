//! Versions of functions (function versioning): one that takes something for granted of its arguments, chosen where the function is
//! called, and one for all arguments.
//!
//! What a version assumes is decided before anything runs, so that there is nothing to take back. Parameters are counted from zero.

use super::bounds::WHOLE;
use super::{Func, FuncId};

/// A number that is known before a function runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quantity {
    /// The size of a parameter along an axis.
    Extent(usize, usize),
    /// A scalar parameter, which is a whole number.
    Number(usize),
}

/// A sum of numbers, each times a factor, and of a constant, that is zero or more.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Condition {
    /// The factors and what they multiply, in order, none zero.
    pub terms: Vec<(Quantity, i64)>,
    /// What is added.
    pub constant: i64,
}

/// What a version takes for granted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Assumptions {
    /// Scalar parameters that are whole numbers, at most [`WHOLE`] in magnitude; in order.
    pub whole: Vec<usize>,
    /// Sums of sizes and whole parameters.
    pub conditions: Vec<Condition>,
}

/// A function of which there is a form for all arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The function that is called, as long as its assumptions hold.
    pub func: FuncId,
    /// What it takes for granted.
    pub assumes: Assumptions,
    /// The function with the same parameters, and results of the same classes and numbers of dimensions, that is called otherwise.
    pub general: FuncId,
}

impl Assumptions {
    /// The same where the parameters are those of a function whose complex ones have been taken apart.
    pub fn in_params_of(&self, func: &Func) -> Self {
        let declared = func.declared_params();
        let at = |param: usize| declared.get(param).map_or(param, |p| p.at);
        let quantity = |quantity: &Quantity| match *quantity {
            Quantity::Extent(param, axis) => Quantity::Extent(at(param), axis),
            Quantity::Number(param) => Quantity::Number(at(param)),
        };
        let terms = |c: &Condition| c.terms.iter().map(|(of, factor)| (quantity(of), *factor)).collect();
        let conditions = self.conditions.iter().map(|c| Condition { terms: terms(c), constant: c.constant });
        Self { whole: self.whole.iter().map(|p| at(*p)).collect(), conditions: conditions.collect() }
    }

    /// Whether nothing is taken for granted.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.conditions.is_empty()
    }

    /// Whether it holds for arguments of these sizes (parameter and axis) and numbers.
    pub fn holds(&self, extent: &dyn Fn(usize, usize) -> Option<i64>, number: &dyn Fn(usize) -> Option<f64>) -> bool {
        let whole = |param: usize| number(param).is_some_and(|x| x.fract() == 0.0 && x.abs() <= WHOLE as f64);
        let quantity = |quantity: &Quantity| match *quantity {
            Quantity::Extent(param, axis) => extent(param, axis),
            Quantity::Number(param) => number(param).map(|x| x as i64),
        };
        let sum = |condition: &Condition| {
            condition.terms.iter().try_fold(i128::from(condition.constant), |sum, (of, factor)| {
                Some(sum + i128::from(quantity(of)?) * i128::from(*factor))
            })
        };
        self.whole.iter().all(|p| whole(*p)) && self.conditions.iter().all(|c| sum(c).is_some_and(|sum| sum >= 0))
    }
}
