//! Marks products of which only comparisons with zero are asked.
//!
//! Of a product whose elements are only compared with zero, `(a * a) > 0`, other numbers serve that compare as they do, and the run-time system makes
//! these by an operation for 512 multiplications where no element of the factors is negative ([`Lib::MatMulToCompare`]).

use crate::hash::HashSet;
use crate::ir::{Binary, Const, Func, Lib, Op, Stmt, Value};

/// Marks the products of a function.
pub fn run(func: &mut Func) {
    let compared = compared(func);
    if compared.is_empty() {
        return;
    }
    func.body.walk_mut(&mut |stmt| {
        if let Op::Lib(lib @ Lib::MatMul, _) = &mut stmt.op
            && compared.contains(&stmt.results[0])
        {
            *lib = Lib::MatMulToCompare;
        }
    });
}

/// The products of matrices that are only compared with zero.
fn compared(func: &Func) -> HashSet<Value> {
    let (mut products, mut zeros) = (HashSet::default(), HashSet::default());
    func.body.walk(&mut |stmt| {
        // A zero of another class is one, too.
        let is_zero = matches!(stmt.op, Op::Const(Const::Float(0.0)))
            || matches!(&stmt.op, Op::Convert(number) if zeros.contains(number));
        zeros.extend(is_zero.then(|| stmt.results[0]));
        if let Op::Lib(Lib::MatMul, factors) = &stmt.op
            && !factors.iter().any(|factor| func.ty(*factor).is_vector())
        {
            products.insert(stmt.results[0]);
        }
    });
    if products.is_empty() {
        return products;
    }
    let is_asked = |stmt: &Stmt| {
        let is_zero = |value: &Value| zeros.contains(value);
        matches!(stmt.op, Op::Binary(function, a, b) if compares(function) && [a, b].iter().any(is_zero))
    };
    func.body.walk_regions(&mut |region| {
        for stmt in region.stmts.iter().filter(|stmt| !is_asked(stmt)) {
            stmt.op.for_each_operand(&mut |value| _ = products.remove(&value));
        }
        region.term.values().iter().for_each(|value| _ = products.remove(value));
    });
    products
}

fn compares(function: Binary) -> bool {
    matches!(function, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge)
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// The products of a function that makes `%p` of two matrices and goes on so.
    fn products(rest: &str) -> usize {
        let text = "func @f(%a: f64[n, n], %c: f64) -> (y: bool[n, n]) {
          sym n = dim 0 0, >= 0
          %zero: f64 = const 0.0
          %one: f64 = const 1.0
          %p: f64[n, n] = lib matmul %a, %a
          REST
          return %y
        }";
        let mut func = parse_func(&text.replace("REST", rest)).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        func.to_string().matches("lib matmul_to_compare").count()
    }

    #[test]
    fn only_comparisons_with_zero_mark_a_product() {
        assert_eq!(products("%y: bool[n, n] = gt %p, %zero"), 1);
        assert_eq!(products("%y: bool[n, n] = le %zero, %p"), 1);
        assert_eq!(products("%z: bool[n, n] = ne %p, %zero\n %y: bool[n, n] = and %z, %z"), 1);
        assert_eq!(products("%y: bool[n, n] = gt %p, %one"), 0);
        assert_eq!(products("%y: bool[n, n] = gt %p, %c"), 0);
        assert_eq!(products("%y: bool[n, n] = gt %p, %p"), 0);
        assert_eq!(products("%q: f64[n, n] = add %p, %zero\n %y: bool[n, n] = gt %p, %zero"), 0);
        assert_eq!(products("%q: f64[n, n] = lib matmul %p, %a\n %y: bool[n, n] = gt %q, %zero"), 1);
    }
}
