//! Sizes inside kernels that mention a counter become arithmetic on the counter.
//!
//! Lowering writes `a(i + 1)` as the size expression `v + 1` over the symbol of the loop counter. Inside a kernel the counter is
//! an iteration number, and everything that looks at subscripts there (access maps, comparison of elements) must see it as
//! such, not as a symbol that stands still.

use crate::hash::HashSet;
use crate::ir::{Binary, Class, Const, Func, Kernel, Loc, Op, Size, Stmt, Sym, SymDef, Type, Value, Walk};

/// Rewrites the kernels of a function.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    body.walk_mut(&mut |stmt| {
        let Op::Kernel(kernel) = &mut stmt.op else { return Walk::Advance };
        expand(func, kernel);
        Walk::Skip
    });
    func.body = body;
}

/// Rewrites a kernel.
pub(crate) fn expand(func: &mut Func, kernel: &mut Kernel) {
    let mut inside = HashSet::default();
    kernel.body.defined(&mut inside);
    let mut expander = Expander { func, inside };
    kernel.body.rewrite(&mut |stmt, out| expander.stmt(stmt, out));
}

struct Expander<'f> {
    func: &'f mut Func,
    /// What the kernel defines.
    inside: HashSet<Value>,
}

impl Expander<'_> {
    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        if let Op::Size(size) = &stmt.op
            && size.symbols().any(|s| self.varies(s))
        {
            let size = size.clone();
            stmt.op = self.expand(&size, stmt.loc, out);
        }
        out.push(stmt);
    }

    /// Whether a symbol depends on what the kernel defines.
    fn varies(&self, sym: Sym) -> bool {
        !self.func.symbols.is_known(sym, &|v| !self.inside.contains(&v))
    }

    /// The operation that gives the size, after statements for its parts: the invariant part first, then term by term.
    fn expand(&mut self, size: &Size, loc: Loc, out: &mut Vec<Stmt>) -> Op {
        let (mut fixed, mut varying) = (Size::default(), Vec::new());
        for (product, c) in size.terms() {
            if product.iter().any(|s| self.varies(*s)) {
                varying.push((product.clone(), c));
            } else {
                fixed = fixed.add(&product.iter().fold(Size::constant(c), |p, s| p.mul(&Size::sym(*s))));
            }
        }
        let mut sum = match fixed.as_constant() {
            Some(0) => None,
            Some(c) => Some(Op::Const(Const::Int(c))),
            None => Some(Op::Size(fixed)),
        };
        for (product, c) in varying {
            let term = self.term(&product, c.wrapping_abs(), loc, out);
            sum = Some(match sum {
                None if c > 0 => Op::Binary(Binary::Mul, term, self.push(Op::Const(Const::Int(1)), loc, out)),
                None => {
                    let zero = self.push(Op::Const(Const::Int(0)), loc, out);
                    Op::Binary(Binary::Sub, zero, term)
                }
                Some(sum) => {
                    let sum = self.push(sum, loc, out);
                    if c > 0 { Op::Binary(Binary::Add, sum, term) } else { Op::Binary(Binary::Sub, sum, term) }
                }
            });
        }
        sum.unwrap_or(Op::Const(Const::Int(0)))
    }

    /// A product of symbols and a positive number.
    fn term(&mut self, product: &[Sym], c: i64, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let mut value: Option<Value> = (c != 1).then(|| self.push(Op::Const(Const::Int(c)), loc, out));
        for sym in product {
            let factor = self.symbol(*sym, loc, out);
            value = Some(match value {
                None => factor,
                Some(v) => self.push(Op::Binary(Binary::Mul, v, factor), loc, out),
            });
        }
        match value {
            Some(value) => value,
            None => self.push(Op::Const(Const::Int(1)), loc, out),
        }
    }

    fn symbol(&mut self, sym: Sym, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        if !self.varies(sym) {
            return self.push(Op::Size(Size::sym(sym)), loc, out);
        }
        let (binary, a, b) = match self.func.symbols.get(sym).def.clone() {
            SymDef::Value(v) => return v,
            SymDef::Max(a, b) => (Binary::Max, a, b),
            SymDef::Min(a, b) => (Binary::Min, a, b),
            SymDef::FloorDiv(a, b) => (Binary::Div, a, b),
            SymDef::Dim(..) => return self.push(Op::Size(Size::sym(sym)), loc, out),
        };
        let a = self.expand(&a, loc, out);
        let a = self.push(a, loc, out);
        let b = self.expand(&b, loc, out);
        let b = self.push(b, loc, out);
        self.push(Op::Binary(binary, a, b), loc, out)
    }

    fn push(&mut self, op: Op, loc: Loc, out: &mut Vec<Stmt>) -> Value {
        let value = self.func.new_value(Type::scalar(Class::Index));
        out.push(Stmt { results: vec![value], op, loc });
        value
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;
    use crate::ir::{Module, verify::verify};

    #[test]
    fn a_counter_is_no_symbol() {
        let text = "func @f(%x: f64[n, 1]) -> (y: f64[n, 1]) {
          sym n = dim 0 0, >= 0
          sym v = value %i, >= 0, <= n - 1
          sym w = max(v - 1, 0)
          %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
            %c = const 0
            %m = size w
            %k = size n - v - 1
            %a = load %x[%m, %c]
            %b = load %x[%k, %c]
            %s = add %a, %b
            put out0[%i, %c] = %s
          }
          return %y
        }";
        let mut func = parse_func(text).unwrap();
        super::run(&mut func);
        let printed = func.to_string();
        assert!(!printed.contains("size w") && !printed.contains("- v"), "{printed}");
        assert!(printed.contains(": index = max"), "{printed}");
        assert!(verify(&Module::of(vec![func])).is_ok());
    }
}
