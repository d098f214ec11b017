//! What one point of a kernel costs.

use crate::hash::HashSet;
use std::collections::BTreeMap;

use crate::ir::{Class, Func, Kernel, Mem, Op, Region, Stmt, Value};

/// Work and memory traffic, in bytes and operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub read: u64,
    pub written: u64,
    pub operations: u64,
    /// How many of the operations take many instructions, by name.
    pub functions: BTreeMap<&'static str, u64>,
}

impl Cost {
    fn add(&mut self, other: &Self, times: u64) {
        self.read += times * other.read;
        self.written += times * other.written;
        self.operations += times * other.operations;
        for (name, count) in &other.functions {
            *self.functions.entry(name).or_insert(0) += times * count;
        }
    }

    /// `9 operations (of which 2 erf, 1 exp)`
    pub fn work(&self) -> String {
        let plural = if self.operations == 1 { "operation" } else { "operations" };
        let mut text = format!("{} {plural}", self.operations);
        if !self.functions.is_empty() {
            let list = self.functions.iter().map(|(name, count)| match name {
                &"division" if *count > 1 => format!("{count} divisions"),
                name => format!("{count} {name}"),
            });
            let list: Vec<String> = list.collect();
            text += &format!(" (of which {})", list.join(", "));
        }
        text
    }
}

/// Costs of a point outside loops of the body, and of an iteration of the innermost ones. Each way of an `if` counts.
pub(super) fn of(func: &Func, results: &[Value], kernel: &Kernel) -> (Cost, Cost) {
    let mut counter = Counter { func, results, loaded: HashSet::default(), inner: Cost::default() };
    let outer = counter.region(&kernel.body, false);
    (outer, counter.inner)
}

struct Counter<'f> {
    func: &'f Func,
    results: &'f [Value],
    /// Elements that are in registers already.
    loaded: HashSet<(Mem, Vec<Value>)>,
    inner: Cost,
}

impl Counter<'_> {
    fn region(&mut self, region: &Region, in_loop: bool) -> Cost {
        let mut cost = Cost::default();
        for stmt in &region.stmts {
            self.stmt(stmt, &mut cost);
            let repeated = matches!(stmt.op, Op::For { .. } | Op::While { .. });
            for nested in stmt.op.regions() {
                let part = self.region(nested, in_loop || repeated);
                if repeated && !in_loop { self.inner.add(&part, 1) } else { cost.add(&part, 1) }
            }
        }
        cost
    }

    fn stmt(&mut self, stmt: &Stmt, cost: &mut Cost) {
        match &stmt.op {
            Op::Load(mem, subs) => {
                let again = !self.loaded.insert((*mem, subs.clone()));
                cost.read += if again { 0 } else { self.bytes(*mem) };
            }
            Op::Put(out, _, _) => cost.written += self.bytes(Mem::Out(*out)),
            Op::Accumulate(..) => cost.operations += 1,
            Op::Fma(..) => cost.operations += 2,
            Op::Unary(..) | Op::Binary(..) | Op::Select(..) if !self.is_index(stmt) => {
                cost.operations += 1;
                if let Some(name) = expensive(&stmt.op) {
                    *cost.functions.entry(name).or_insert(0) += 1;
                }
            }
            _ => {}
        }
    }

    /// Arithmetic of subscripts is not counted.
    fn is_index(&self, stmt: &Stmt) -> bool {
        let mut index = stmt.results.iter().any(|v| self.func.ty(*v).class == Class::Index);
        stmt.op.for_each_operand(&mut |v| index |= self.func.ty(v).class == Class::Index);
        index
    }

    fn bytes(&self, mem: Mem) -> u64 {
        let array = match mem {
            Mem::In(value) => Some(value),
            Mem::Out(out) => self.results.get(out).copied(),
        };
        array.map_or(0, |v| self.func.ty(v).class.bytes())
    }
}

/// The name of a function that takes many instructions.
fn expensive(op: &Op) -> Option<&'static str> {
    use crate::ir::{Binary, Unary};
    match op {
        Op::Unary(
            Unary::Neg
            | Unary::Not
            | Unary::Abs
            | Unary::Sign
            | Unary::Floor
            | Unary::Ceil
            | Unary::Round
            | Unary::Fix
            | Unary::Rint
            | Unary::IsNan
            | Unary::IsInf
            | Unary::IsFinite,
            _,
        ) => None,
        Op::Unary(unary, _) => Some(unary.name()),
        Op::Binary(Binary::Div | Binary::Divu, ..) => Some("division"),
        Op::Binary(Binary::Remu, ..) => Some(Binary::Rem.name()),
        Op::Binary(binary @ (Binary::Pow | Binary::Mod | Binary::Rem | Binary::Atan2 | Binary::Hypot), ..) => {
            Some(binary.name())
        }
        _ => None,
    }
}
