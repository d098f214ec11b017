//! What operations and regions do besides giving results; each operation's own effect is in its declaration.

use super::{Effect, Func, Op, Region, Stmt, Terminator, Value};

impl Op {
    /// Whether the statement must stay although nothing uses its results: it can end the function or be seen from outside. That memory
    /// may not suffice for a result is no reason to make one that nothing uses.
    pub fn has_effect(&self) -> bool {
        self.effect() != Effect::None
    }
}

impl Stmt {
    /// Whether it computes numbers of numbers and touches no array. Launches that are noted may run behind it; what the program would have done before
    /// a test fails is done then.
    pub fn is_scalar_code(&self, func: &Func) -> bool {
        let mut only = self.op.regions().is_empty() && (!self.op.has_effect() || matches!(self.op, Op::Assert(..)));
        let mut check = |value: Value| only &= func.ty(value).is_scalar();
        self.op.for_each_operand(&mut check);
        self.results.iter().for_each(|result| check(*result));
        only
    }
}

impl Effect {
    /// The effect of what is tested if `tested`, else nothing.
    pub(super) fn tested(tested: bool) -> Self {
        if tested { Self::MayFail } else { Self::None }
    }

    /// The effect of a statement with these regions: control may get past it, as it need not enter what never ends.
    pub(super) fn within<const N: usize>(regions: [&Region; N]) -> Self {
        regions.into_iter().map(Region::effect).max().map_or(Self::None, |most| most.min(Self::Visible))
    }

    /// The effect of a kernel with this body: storing and contributing are its purpose, and jumps stay inside.
    pub(super) fn of_kernel(body: &Region) -> Self {
        match body.effect() {
            Self::None | Self::Leaves | Self::Stores => Self::None,
            effect @ (Self::MayFail | Self::Visible | Self::Ends) => effect,
        }
    }
}

impl Region {
    /// The strongest effect of its statements and its end.
    pub fn effect(&self) -> Effect {
        let own = match self.term {
            Terminator::Yield(_) | Terminator::Unreachable => Effect::None,
            Terminator::Return(_) | Terminator::Break(..) | Terminator::Continue(..) => Effect::Leaves,
        };
        self.stmts.iter().fold(own, |most, stmt| most.max(stmt.op.effect()))
    }

    /// Whether a statement in it, or its end, has an effect beyond its results.
    pub fn has_effect(&self) -> bool {
        self.effect() != Effect::None
    }
}
