//! Contraction: a product that only a sum or a difference needs is rounded with it, once ([`Op::Fma`]).
//!
//! ```text
//! a*b + c  →  fma(a, b, c)        a*b - c  →  fma(a, b, -c)        c - a*b  →  fma(-a, b, c)
//! ```
//!
//! It changes last bits, so it runs only where the program allows it: `% megha: contract`, `#[offload(contract)]`. It runs on functions as they are lowered, before
//! any pass copies or moves a computation: which products are fused follows from the program alone, not from kernels or from where they run, and
//! equal expressions stay equal.
//!
//! Product and sum stand in one block, so no product that is computed once becomes one of each iteration. Of a sum of two products neither is fused: `a*b - b*a` stays
//! zero, and so does the imaginary part of a complex number times its conjugate; `a*b + c*d + e*f` has one multiply-add. A product of arrays is fused if no element is stored between it and the sum; else its operands
//! would have to live on in their old state.

use crate::hash::{HashMap, HashSet};
use crate::ir::{Binary, Func, Op, Region, Stmt, Type, Unary, Value};

/// Fuses what a function's products and sums allow.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut uses = HashMap::default();
    body.for_each_use(&mut |value| *uses.entry(value).or_insert(0) += 1);
    Contraction { func, uses }.region(&mut body);
    func.body = body;
}

/// A product that nothing but one statement uses.
struct Product {
    factors: [Value; 2],
    negative: bool,
    /// The statements that go if it is fused: its own, and of a negative one that of its sign.
    made_by: Vec<Value>,
}

struct Contraction<'f> {
    func: &'f mut Func,
    uses: HashMap<Value, usize>,
}

impl Contraction<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut products: HashMap<Value, Product> = HashMap::default();
        let mut fused = HashSet::default();
        for mut stmt in std::mem::take(&mut region.stmts) {
            if stmt.op.may_have_regions() || matches!(stmt.op, Op::Store { .. }) {
                products.retain(|product, _| self.func.ty(*product).is_scalar());
            }
            stmt.op.regions_mut().into_iter().for_each(|inner| self.region(inner));
            if let Some((product, signs)) = self.fuse(&mut stmt, &mut products) {
                fused.extend(product.made_by);
                region.stmts.extend(signs);
            } else if let Some((result, product)) = self.product(&stmt, &mut products) {
                products.insert(result, product);
            }
            region.stmts.push(stmt);
        }
        region.stmts.retain(|stmt| !matches!(stmt.results[..], [result] if fused.contains(&result)));
    }

    /// What a statement makes, if it is a product that one statement uses, or the negative of one.
    fn product(&self, stmt: &Stmt, products: &mut HashMap<Value, Product>) -> Option<(Value, Product)> {
        let [result] = stmt.results[..] else { return None };
        if self.uses.get(&result) != Some(&1) || !self.func.ty(result).class.is_float() {
            return None;
        }
        match stmt.op {
            Op::Binary(Binary::Mul, a, b) => {
                Some((result, Product { factors: [a, b], negative: false, made_by: vec![result] }))
            }
            Op::Unary(Unary::Neg, a) => {
                let mut product = products.remove(&a)?;
                product.negative = !product.negative;
                product.made_by.push(result);
                Some((result, product))
            }
            _ => None,
        }
    }

    /// Makes a sum or a difference with a product a multiply-add; gives the product and the changes of sign that come before.
    fn fuse(&mut self, stmt: &mut Stmt, products: &mut HashMap<Value, Product>) -> Option<(Product, Vec<Stmt>)> {
        let Op::Binary(op @ (Binary::Add | Binary::Sub), left, right) = stmt.op else { return None };
        let (product, other, on_right) = match (products.remove(&left), products.remove(&right)) {
            (None, Some(product)) => (product, left, true),
            (Some(product), None) => (product, right, false),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        let differs = op == Binary::Sub;
        let mut signs = Vec::new();
        let [mut a, b] = product.factors;
        if product.negative != (differs && on_right) {
            a = self.negative(a, stmt, &mut signs);
        }
        let other = if differs && !on_right { self.negative(other, stmt, &mut signs) } else { other };
        stmt.op = Op::Fma(a, b, other);
        Some((product, signs))
    }

    fn negative(&mut self, value: Value, at: &Stmt, signs: &mut Vec<Stmt>) -> Value {
        let ty: Type = self.func.ty(value).clone();
        let result = self.func.new_value(ty);
        signs.push(Stmt { results: vec![result], op: Op::Unary(Unary::Neg, value), loc: at.loc });
        result
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Module;
    use crate::ir::parse::parse_func;
    use crate::ir::verify::verify;

    /// The operations of a function with these statements, operands included, after contraction.
    fn after(stmts: &str) -> Vec<String> {
        let text = format!(
            "func @f(%a: f64, %b: f64, %c: f64, %d: f64, %v: f64[n, 1], %w: f64[n, 1], %k: index, %t: bool) -> (y: f64) {{
               sym n = dim 4 0, >= 0
               {stmts}
               return %y
             }}"
        );
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let printed = func.to_string();
        assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
        let op = |line: &str| Some(line.split_once(" = ")?.1.to_owned());
        printed.lines().filter(|line| !line.contains("sym")).filter_map(op).collect()
    }

    #[test]
    fn sums_and_differences() {
        assert_eq!(after("%p = mul %a, %b  %y = add %p, %c"), ["fma %0, %1, %2"]);
        assert_eq!(after("%p = mul %a, %b  %y = add %c, %p"), ["fma %0, %1, %2"]);
        assert_eq!(after("%p = mul %a, %b  %y = sub %p, %c"), ["neg %2", "fma %0, %1, %10"]);
        assert_eq!(after("%p = mul %a, %b  %y = sub %c, %p"), ["neg %0", "fma %10, %1, %2"]);
        assert_eq!(after("%p = mul %a, %b  %q = neg %p  %y = add %q, %c"), ["neg %0", "fma %11, %1, %2"]);
        assert_eq!(after("%p = mul %a, %b  %q = neg %p  %y = sub %c, %q"), ["fma %0, %1, %2"]);
    }

    #[test]
    fn of_two_products_neither() {
        let sums = "%p = mul %a, %b  %q = mul %c, %d  %s = add %p, %q  %r = mul %a, %d  %y = add %s, %r";
        assert_eq!(after(sums), ["mul %0, %1", "mul %2, %3", "add %8, %9", "fma %0, %3, %10"]);
    }

    #[test]
    fn a_product_that_something_else_needs_stays() {
        assert_eq!(after("%p = mul %a, %b  %y = add %p, %p"), ["mul %0, %1", "add %8, %8"]);
        let twice = "%p = mul %a, %b  %q = add %p, %c  %r = sub %p, %d  %y = div %q, %r";
        assert!(!after(twice).iter().any(|op| op.starts_with("fma")));
    }

    #[test]
    fn whole_numbers_and_products_of_other_blocks_stay() {
        assert_eq!(after("%i = mul %k, %k  %j = add %i, %k  %y: f64 = convert %j").len(), 3);
        let inner = "%p = mul %a, %b  %y: f64 = if %t { %s = add %p, %c yield %s } else { yield %p }";
        assert!(!after(inner).iter().any(|op| op.starts_with("fma")));
        let inner = "%y: f64 = if %t { %p = mul %a, %b  %s = add %p, %c yield %s } else { yield %a }";
        assert!(after(inner).iter().any(|op| op.starts_with("fma")));
    }

    #[test]
    fn arrays_up_to_the_next_store() {
        let sum = "%s: f64[n, 1] = add %p, %v  %y = index %s[%k]";
        let at_once = format!("%p: f64[n, 1] = mul %v, %a  {sum}");
        assert_eq!(after(&at_once)[0], "fma %4, %0, %4");
        let behind = format!("%p: f64[n, 1] = mul %v, %w  %x = store %w[%k] = %a  {sum}");
        assert!(!after(&behind).iter().any(|op| op.starts_with("fma")));
    }
}
