//! Sizes in kernels that mention iteration numbers or loop counters become sums of values.
//!
//! Lowering writes whole-number arithmetic as sizes, with a symbol for each loop counter. Around a kernel such a symbol has one
//! value; inside, it is another in each iteration, and access maps and code are made from values.

use std::collections::HashSet;

use crate::ir::{Binary, Class, Const, Func, Loc, Op, Region, Size, Stmt, Sym, SymDef, Terminator, Type, Value};

/// Rewrites all kernels of a function.
pub fn run(func: &mut Func) {
    let empty = Region { params: Vec::new(), stmts: Vec::new(), term: Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, empty);
    outside(func, &mut body);
    func.body = body;
}

fn outside(func: &mut Func, region: &mut Region) {
    for stmt in &mut region.stmts {
        match &mut stmt.op {
            Op::Kernel(kernel) => inside(func, &mut kernel.body, &mut HashSet::new()),
            op => op.regions_mut().into_iter().for_each(|r| outside(func, r)),
        }
    }
}

/// Rewrites a region of a kernel; `varying` are the values that the kernel has defined so far.
fn inside(func: &mut Func, region: &mut Region, varying: &mut HashSet<Value>) {
    varying.extend(&region.params);
    for mut stmt in std::mem::take(&mut region.stmts) {
        if let Op::Size(size) = &stmt.op
            && size.symbols().any(|sym| counter(func, sym, varying).is_some())
        {
            let size = size.clone();
            let mut sum = Sum { func: &mut *func, varying, loc: stmt.loc, stmts: &mut region.stmts };
            stmt.op = sum.of(&size);
        }
        stmt.op.regions_mut().into_iter().for_each(|r| inside(func, r, varying));
        varying.extend(&stmt.results);
        region.stmts.push(stmt);
    }
}

/// The value inside the kernel that the symbol stands for.
fn counter(func: &Func, sym: Sym, varying: &HashSet<Value>) -> Option<Value> {
    match func.symbols.get(sym).def {
        SymDef::Value(value) if varying.contains(&value) => Some(value),
        _ => None,
    }
}

/// A size that becomes statements.
struct Sum<'a> {
    func: &'a mut Func,
    varying: &'a HashSet<Value>,
    loc: Loc,
    stmts: &'a mut Vec<Stmt>,
}

impl Sum<'_> {
    /// The operation that computes the size, its operands computed before it: the part without counters, then term by term.
    fn of(&mut self, size: &Size) -> Op {
        let mut steady = size.clone();
        let mut terms = Vec::new();
        for (factors, coefficient) in size.terms() {
            if factors.iter().any(|sym| counter(self.func, *sym, self.varying).is_some()) {
                let term = factors.iter().fold(Size::constant(coefficient), |p, sym| p.mul(&Size::sym(*sym)));
                steady = steady.sub(&term);
                terms.push((factors.clone(), coefficient));
            }
        }
        let mut sum = Op::Size(steady);
        for (factors, coefficient) in terms {
            let so_far = self.push(sum);
            let mut product = None;
            for sym in factors {
                let factor = match counter(self.func, sym, self.varying) {
                    Some(value) => value,
                    None => self.push(Op::Size(Size::sym(sym))),
                };
                product = Some(match product {
                    Some(product) => self.push(Op::Binary(Binary::Mul, product, factor)),
                    None => factor,
                });
            }
            let Some(product) = product else { return Op::Size(size.clone()) };
            sum = match coefficient {
                1 => Op::Binary(Binary::Add, so_far, product),
                -1 => Op::Binary(Binary::Sub, so_far, product),
                _ => {
                    let by = self.push(Op::Const(Const::Int(coefficient)));
                    let scaled = self.push(Op::Binary(Binary::Mul, by, product));
                    Op::Binary(Binary::Add, so_far, scaled)
                }
            };
        }
        sum
    }

    fn push(&mut self, op: Op) -> Value {
        let value = self.func.new_value(Type::scalar(Class::Index));
        self.stmts.push(Stmt { results: vec![value], op, loc: self.loc });
        value
    }
}
