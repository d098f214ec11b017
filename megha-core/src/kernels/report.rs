//! What kernel formation decided, for explanations.

use crate::hash::HashMap;
use std::collections::BTreeMap;
use std::fmt;

use crate::ir::{Func, Loc, Value};

/// A value as the source knows it: by a variable's name, or by the expression that computes it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The variable's name, if the program names the value.
    pub name: Option<String>,
    /// The statement or expression that computes it.
    pub loc: Loc,
    /// The value.
    pub value: Value,
}

/// A MATLAB basic block that holds kernels.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockReport {
    /// Its kernels in the order in which they run.
    pub kernels: Vec<KernelReport>,
    /// Pairs of kernels that share data and are not one kernel, each pair once.
    pub stopped: Vec<Apart>,
}

/// A kernel as composition made it.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelReport {
    /// Its number in the function.
    pub id: u32,
    /// The statements of the program that it holds, by what they compute, in order.
    pub statements: Vec<Origin>,
    /// Arrays that became scalars.
    pub eliminated: Vec<Origin>,
    /// Index arrays that became expressions.
    pub index_arrays: Vec<Origin>,
    /// Estimated registers (Equation 3.2.1).
    pub registers: u64,
    /// Estimated memory in elements at a nominal size (Equation 3.2.4).
    pub memory: u128,
    /// Benefit of the composition.
    pub benefit: f64,
}

/// Two kernels of a block that share data, and what stopped their fusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// The number of the kernel that runs first.
    pub first: u32,
    /// The number of the other.
    pub second: u32,
    /// What stopped it.
    pub why: Why,
}

/// What stops the fusion of two kernels.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// Their iteration spaces differ.
    Sizes,
    /// The second needs this reduction of the first, which is complete only after the last iteration.
    Reduction(Origin),
    /// They combine along different dimensions, and one walk over the points collects one kind of partial results.
    Axes,
    /// The second reads this array as it was before the first updated it.
    OldVersion(Origin),
    /// An iteration of one may touch an element of this array that belongs to another iteration of the other.
    OtherElement(Origin),
    /// This version of an updated array is needed between the two.
    Between(Origin),
    /// This statement has to run after the first and before the second.
    Waits(Origin),
    /// One kernel would need more registers than the limit.
    Registers {
        /// By Equation 3.2.1.
        needed: u64,
        /// `R_max`.
        limit: u64,
    },
    /// One kernel would need more memory than the limit.
    Memory {
        /// By Equation 3.2.4, at the nominal size.
        needed: u128,
        /// `M_max`.
        limit: u128,
    },
    /// One kernel would save nothing.
    NoGain,
}

impl Why {
    /// The reason as a clause, with values named by `name`.
    pub fn text(&self, name: &dyn Fn(&Origin) -> String) -> String {
        match self {
            Self::Sizes => "they run over different sizes".into(),
            Self::Reduction(v) => format!("{} is complete only when every point has been added", name(v)),
            Self::Axes => "they combine elements along different dimensions".into(),
            Self::OldVersion(v) => format!("the second reads {} as it was before the first updates it", name(v)),
            Self::OtherElement(v) => {
                format!("a point of the second needs elements of {} from other points of the first", name(v))
            }
            Self::Between(v) => format!("{} is needed in its form between the two", name(v)),
            Self::Waits(v) => format!("{} has to be computed after the first and before the second", name(v)),
            Self::Registers { needed, limit } => {
                format!("together they would need about {needed} registers, and the limit is {limit}")
            }
            Self::Memory { needed, limit } => {
                format!("together they would need memory for about {needed} elements, and the limit is {limit}")
            }
            Self::NoGain => "together they would not be faster".into(),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |v: &Origin| v.name.as_ref().map_or_else(|| "an intermediate result".into(), |n| format!("`{n}`"));
        f.write_str(&self.text(&name))
    }
}

/// Where the values of a function are computed.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    locs: HashMap<Value, Loc>,
}

impl Origins {
    /// Collects the places of all statements, also inside kernels.
    pub fn of(func: &Func) -> Self {
        let mut origins = Self::default();
        func.body.walk(&mut |stmt| origins.locs.extend(stmt.results.iter().map(|v| (*v, stmt.loc))));
        origins
    }

    /// The origin of a value; parameters have a name and no place.
    pub fn get(&self, func: &Func, value: Value) -> Origin {
        let loc = self.locs.get(&value).copied().unwrap_or(Loc::NONE);
        Origin { name: func.variable(value).map(str::to_owned), loc, value }
    }
}

/// Drops what did not outlive the passes after kernel formation: kernels whose results nothing needs and, of the arrays that were to become
/// scalars, those that are still results of their kernel.
pub fn settle(func: &Func, blocks: &mut Vec<BlockReport>) {
    let kernels = func.body.kernels();
    let results: BTreeMap<u32, &[Value]> =
        kernels.into_iter().map(|(stmt, kernel)| (kernel.id, stmt.results.as_slice())).collect();
    for block in blocks.iter_mut() {
        block.kernels.retain(|k| results.contains_key(&k.id));
        block.stopped.retain(|s| results.contains_key(&s.first) && results.contains_key(&s.second));
        for kernel in &mut block.kernels {
            let kept = &results[&kernel.id];
            kernel.eliminated.retain(|v| !kept.contains(&v.value));
        }
    }
    blocks.retain(|b| !b.kernels.is_empty());
}
