//! What operations do besides giving results. All matches are exhaustive: an operation that is added says here whether it can fail.

use super::{Lib, Op, Region, Terminator};

impl Op {
    /// Whether the statement must stay although nothing uses its results: it can end the function or be seen from outside. That memory
    /// may not suffice for a result is no reason to make one that nothing uses.
    pub fn has_effect(&self) -> bool {
        match self {
            Self::Assert(..)
            | Self::SameSize(..)
            | Self::Raise { .. }
            | Self::Print(..)
            | Self::Display(..)
            | Self::Ambient(..)
            | Self::ToIndex(_)
            | Self::Put(..)
            | Self::Accumulate(..)
            | Self::Call(..)
            | Self::While { .. } => true,
            Self::Index { checked, .. } | Self::Store { checked, .. } => *checked,
            Self::If { .. } | Self::For { .. } => self.regions().iter().any(|r| r.has_effect()),
            Self::Kernel(kernel) => kernel.body.may_fail(),
            Self::Lib(lib, _) => lib.may_fail(),
            Self::Const(_)
            | Self::Size(_)
            | Self::Unary(..)
            | Self::Binary(..)
            | Self::Select(..)
            | Self::Fma(..)
            | Self::Convert(_)
            | Self::Bits(_)
            | Self::FromBits(_)
            | Self::Complex(..)
            | Self::Part(..)
            | Self::Fill(_)
            | Self::Range { .. }
            | Self::Linspace(..)
            | Self::Eye
            | Self::Transpose(_)
            | Self::Reshape(_)
            | Self::Resize(_)
            | Self::Concat(..)
            | Self::Reduce(..)
            | Self::Scan(..)
            | Self::Text(..)
            | Self::Load(..) => false,
        }
    }
}

impl Lib {
    /// Whether operands of fitting types can be such that there is no result.
    fn may_fail(self) -> bool {
        match self {
            Self::RangeLen | Self::SumsAt => true,
            Self::MatMul
            | Self::LeftDivide
            | Self::RightDivide
            | Self::Fourier
            | Self::Lu
            | Self::Cholesky
            | Self::Qr
            | Self::Inverse
            | Self::Eigenvalues
            | Self::Eigenvectors
            | Self::SingularValues
            | Self::Find
            | Self::Sort
            | Self::SortIndex
            | Self::Middle
            | Self::Lookup
            | Self::RandPerm
            | Self::DateVector
            | Self::DateSeconds
            | Self::TextLength
            | Self::TextCodes => false,
        }
    }
}

impl Region {
    /// Whether a test in a kernel's body can end the program: storing and contributing, a kernel's purpose, do not.
    fn may_fail(&self) -> bool {
        let fails = |op: &Op| match op {
            Op::Put(..) | Op::Accumulate(..) => false,
            Op::If { .. } | Op::For { .. } => op.regions().iter().any(|r| r.may_fail()),
            op => op.has_effect(),
        };
        self.stmts.iter().any(|s| fails(&s.op))
    }

    /// Whether a statement in it, or its end, has an effect beyond its results.
    pub fn has_effect(&self) -> bool {
        matches!(self.term, Terminator::Return(_) | Terminator::Break(..) | Terminator::Continue(..))
            || self.stmts.iter().any(|s| s.op.has_effect())
    }
}
