//! What launches pass that a device may start before the host comes to them.

use super::{Building, Walk};
use crate::ir::{Op, Size, Sym, Value};
use megha_base::plan::Element;
use megha_base::plan::block::{Passed, Task};

/// What comes with every execution of a block.
#[derive(Default)]
pub struct Given {
    /// The symbols of its sizes.
    pub symbols: Vec<Sym>,
    /// The symbols that launches pass.
    pub passed: Vec<Sym>,
    /// The scalars that launches pass.
    pub scalars: Vec<(Value, Element)>,
}

impl Walk<'_, '_> {
    /// Lets the kernels that need not wait for all that is before them say what their launches pass; a product passes nothing.
    pub(super) fn passed(&self, building: &mut Building) -> Given {
        let mut given = Given::default();
        let before = building.block.before();
        for node in std::mem::take(&mut building.candidates) {
            let (used, taken) = match building.block.nodes[node].task {
                Task::Kernel(plan) => (self.kernels.symbols(plan), self.kernels.plan(plan).scalars()),
                Task::Product(_) | Task::Host | Task::Memory => (&[][..], Vec::new()),
            };
            let used: Vec<Sym> = used.iter().map(|s| Sym::new(*s)).collect();
            let taken: Vec<_> = taken.into_iter().map(|(value, element)| (Value::new(value), element)).collect();
            let known = used.iter().all(|sym| self.known(&Size::sym(*sym), building, &[]))
                && taken.iter().all(|(value, _)| self.known_number(*value, building));
            if before[node].len() < node && known {
                let sizes = used.into_iter().map(|sym| number_in(&mut given.passed, sym)).collect();
                let scalars = taken.into_iter().map(|scalar| number_in(&mut given.scalars, scalar)).collect();
                building.block.nodes[node].passed = Some(Passed { sizes, scalars });
            }
        }
        given
    }

    /// Whether the expression for a number was known when the block began.
    pub(super) fn known_number(&self, value: Value, building: &Building) -> bool {
        match self.inlined.get(value) {
            Some(Op::Size(size)) => self.known(size, building, &[]),
            Some(op) => {
                let mut known = true;
                op.for_each_operand(&mut |v| known &= self.known_number(v, building));
                known
            }
            None => self.func.ty(value).is_scalar() && !building.defined.contains(&value),
        }
    }
}

/// Where an entry is in a list, to which it is added if it is not there.
fn number_in<T: PartialEq>(list: &mut Vec<T>, entry: T) -> usize {
    list.iter().position(|e| *e == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    })
}
