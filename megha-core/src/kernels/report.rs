//! What kernel formation decided, for explanations.

use crate::ir::Loc;

/// A MATLAB basic block that holds kernels.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockReport {
    /// Its kernels in the order in which they run.
    pub kernels: Vec<KernelReport>,
    /// For each pair of statements that could have been together and are not: what stopped it.
    pub stopped: Vec<String>,
}

/// A kernel as composition made it.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelReport {
    /// Its number in the function.
    pub id: u32,
    /// The values that its statements define, by name.
    pub statements: Vec<String>,
    /// Where the statements stand.
    pub locs: Vec<Loc>,
    /// Arrays that became scalars (their numbers in the block's graph).
    pub eliminated: Vec<String>,
    /// Index arrays that became expressions, by name.
    pub index_arrays: Vec<String>,
    /// Estimated registers (Equation 3.2.1).
    pub registers: u64,
    /// Estimated memory in elements at a nominal size (Equation 3.2.4).
    pub memory: u128,
    /// Benefit of the composition.
    pub benefit: f64,
}
