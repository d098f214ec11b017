//! Simplification: common subexpressions, constants, dead code.
//!
//! Values are numbered in dominance order: a pure statement that repeats one of this region or of a region around it is
//! replaced by the first (Briggs, Cooper and Simpson's scoped value numbering). Loads from in-variables of a kernel are
//! pure, loads from out-variables are not. Dead code goes (`kernels::dead`), and with it out-variables that nothing uses.

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Class, Const, Func, Kernel, Mem, Op, Out, Region, Stmt, Value};
use crate::kernels::dead;

/// Removes repeated and dead statements.
pub fn run(func: &mut Func) {
    let mut body = std::mem::replace(
        &mut func.body,
        Region { params: Vec::new(), stmts: Vec::new(), term: crate::ir::Terminator::Unreachable },
    );
    let sizes = func.symbols.values().collect();
    let mut numbering =
        Numbering { scopes: Vec::new(), renamed: HashMap::default(), integers: HashMap::default(), sizes, func };
    numbering.region(&mut body);
    func.body = body;
    dead::run(func);
    // An out-variable that goes may have been the last user of others.
    while drop_dead_outs(&mut func.body) {
        dead::run(func);
    }
}

struct Numbering<'f> {
    scopes: Vec<HashMap<String, Value>>,
    renamed: HashMap<Value, Value>,
    /// `Index` constants.
    integers: HashMap<Value, i64>,
    /// The scalars that sizes are made of: they keep their definitions.
    sizes: HashSet<Value>,
    func: &'f Func,
}

impl Numbering<'_> {
    fn region(&mut self, region: &mut Region) {
        self.scopes.push(HashMap::default());
        let stmts = std::mem::take(&mut region.stmts);
        for mut stmt in stmts {
            stmt.op.for_each_operand_mut(&mut |v| *v = *self.renamed.get(v).unwrap_or(v));
            if let Op::Load(Mem::Out(_), _) = stmt.op {
                region.stmts.push(stmt);
                continue;
            }
            self.fold(&mut stmt.op);
            if let (Op::Const(Const::Int(c)), [result]) = (&stmt.op, stmt.results.as_slice())
                && self.func.ty(*result).class == Class::Index
            {
                self.integers.insert(*result, *c);
            }
            for nested in stmt.op.regions_mut() {
                self.region(nested);
            }
            if let ([result], Some(key)) = (stmt.results.as_slice(), self.key(&stmt)) {
                let same = self.scopes.iter().rev().find_map(|s| s.get(&key));
                if let Some(same) = same.filter(|_| !self.sizes.contains(result)) {
                    self.renamed.insert(*result, *same);
                    continue;
                }
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(key, *result);
                }
            }
            region.stmts.push(stmt);
        }
        for value in region.term.values_mut() {
            *value = *self.renamed.get(value).unwrap_or(value);
        }
        self.scopes.pop();
    }

    /// Computes what is known: `Index` arithmetic on constants, and constant sizes.
    fn fold(&self, op: &mut Op) {
        let folded = match op {
            Op::Size(size) => size.as_constant(),
            Op::Binary(binary, a, b) => match (self.integers.get(a), self.integers.get(b)) {
                (Some(x), Some(y)) => match binary {
                    Binary::Add => Some(x.wrapping_add(*y)),
                    Binary::Sub => Some(x.wrapping_sub(*y)),
                    Binary::Mul => Some(x.wrapping_mul(*y)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = folded {
            *op = Op::Const(Const::Int(value));
        }
    }

    /// A text that two statements share exactly if they compute the same scalar or index array. Arrays that take memory are
    /// left alone: each may be updated in place.
    fn key(&self, stmt: &Stmt) -> Option<String> {
        let [result] = stmt.results[..] else { return None };
        let ty = self.func.ty(result);
        let pure = match &stmt.op {
            Op::Const(_)
            | Op::Size(_)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Select(..)
            | Op::Fma(..)
            | Op::Convert(_)
            | Op::Bits(_)
            | Op::FromBits(_)
            | Op::Load(Mem::In(_), _) => ty.is_scalar(),
            Op::Range { .. } | Op::Linspace(..) => true,
            _ => false,
        };
        if !pure {
            return None;
        }
        let op = match &stmt.op {
            // The printed form of a float does not tell NaNs and zeros apart by their bits.
            Op::Const(Const::Float(x)) => format!("float {:x}", x.to_bits()),
            op => format!("{op:?}"),
        };
        Some(format!("{op} : {ty}"))
    }
}

/// Removes out-variables of kernels that nothing uses; tells whether there were any.
fn drop_dead_outs(body: &mut Region) -> bool {
    let mut used = HashSet::default();
    collect_uses(body, &mut used);
    drop_in(body, &used)
}

fn drop_in(region: &mut Region, used: &HashSet<Value>) -> bool {
    let mut changed = false;
    for stmt in &mut region.stmts {
        if let Op::Kernel(kernel) = &mut stmt.op {
            changed |= drop_outs(kernel, &mut stmt.results, used);
        }
        for nested in stmt.op.regions_mut() {
            changed |= drop_in(nested, used);
        }
    }
    changed
}

fn collect_uses(region: &Region, used: &mut HashSet<Value>) {
    for stmt in &region.stmts {
        stmt.op.for_each_operand(&mut |v| {
            used.insert(v);
        });
        stmt.op.regions().into_iter().for_each(|r| collect_uses(r, used));
    }
    used.extend(region.term.values());
}

/// Removes out-variables that nothing uses, inside or outside.
fn drop_outs(kernel: &mut Kernel, results: &mut Vec<Value>, used: &HashSet<Value>) -> bool {
    let loaded =
        |kernel: &Kernel, out: usize| any_op(&kernel.body, &|op| matches!(op, Op::Load(Mem::Out(o), _) if *o == out));
    let dead: Vec<usize> = (0..results.len()).filter(|o| !used.contains(&results[*o]) && !loaded(kernel, *o)).collect();
    if dead.is_empty() || dead.len() == results.len() {
        return false;
    }
    let new_number = |o: usize| o - dead.iter().filter(|d| **d < o).count();
    renumber(&mut kernel.body, &dead, &new_number);
    let keep = |o: &usize| !dead.contains(o);
    kernel.outs =
        kernel.outs.iter().enumerate().filter(|(o, _)| keep(o)).map(|(_, out): (usize, &Out)| out.clone()).collect();
    *results = results.iter().enumerate().filter(|(o, _)| keep(o)).map(|(_, v)| *v).collect();
    true
}

fn renumber(region: &mut Region, dead: &[usize], new_number: &impl Fn(usize) -> usize) {
    region.stmts.retain(|s| !matches!(&s.op, Op::Put(o, ..) | Op::Accumulate(o, _) if dead.contains(o)));
    for stmt in &mut region.stmts {
        if let Op::Put(o, ..) | Op::Accumulate(o, _) | Op::Load(Mem::Out(o), _) = &mut stmt.op {
            *o = new_number(*o);
        }
        stmt.op.regions_mut().into_iter().for_each(|r| renumber(r, dead, new_number));
    }
}

fn any_op(region: &Region, holds: &impl Fn(&Op) -> bool) -> bool {
    region.stmts.iter().any(|s| holds(&s.op) || s.op.regions().into_iter().any(|r| any_op(r, holds)))
}
