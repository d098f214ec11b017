//! Products of a transposed matrix and a vector without the transposed matrix: `A' * b` is `(b' * A)'`, and `b' * A'` is `(A * b)'`.
//!
//! To transpose a matrix costs more than its product with a vector; to transpose vectors costs next to nothing. A product with a vector
//! adds its terms in the same order from either side.

use crate::hash::HashMap;
use crate::ir::{Func, Lib, Op, Stmt, Type, Value};

/// Rewrites the products of a function. Transposed matrices that are not needed any more are left to `simplify`.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    let mut products = Products { func, transposed: HashMap::default() };
    body.rewrite(&mut |stmt, out| products.stmt(stmt, out));
    func.body = body;
}

struct Products<'f> {
    func: &'f mut Func,
    /// Transposed matrices, and the matrices that they are made from.
    transposed: HashMap<Value, Value>,
}

impl Products<'_> {
    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        if let Op::Transpose(matrix) = stmt.op {
            self.transposed.insert(stmt.results[0], matrix);
        }
        match self.turned(&stmt.op) {
            Some(factors) => self.replace(&stmt, factors, out),
            None => out.push(stmt),
        }
    }

    /// The factors of the transposed product, of which one, a vector, is still to be transposed.
    fn turned(&self, op: &Op) -> Option<[Factor; 2]> {
        let Op::Lib(Lib::MatMul, factors) = op else { return None };
        let [left, right] = factors[..] else { return None };
        let matrix = |value: Value| self.transposed.get(&value).filter(|matrix| !self.func.ty(**matrix).is_vector());
        let [rows, columns] = [self.func.ty(left).dim(0), self.func.ty(right).dim(1)];
        match (matrix(left), matrix(right)) {
            (Some(matrix), _) if columns.is_one() => Some([Factor::Transposed(right), Factor::Plain(*matrix)]),
            (_, Some(matrix)) if rows.is_one() => Some([Factor::Plain(*matrix), Factor::Transposed(left)]),
            _ => None,
        }
    }

    fn replace(&mut self, stmt: &Stmt, factors: [Factor; 2], out: &mut Vec<Stmt>) {
        let result = stmt.results[0];
        let factors = factors.map(|factor| match factor {
            Factor::Plain(value) => value,
            Factor::Transposed(value) => {
                let turned = self.value_like(value);
                out.push(Stmt { results: vec![turned], op: Op::Transpose(value), loc: stmt.loc });
                turned
            }
        });
        let product = self.value_like(result);
        out.push(Stmt { results: vec![product], op: Op::Lib(Lib::MatMul, factors.to_vec()), loc: stmt.loc });
        out.push(Stmt { results: vec![result], op: Op::Transpose(product), loc: stmt.loc });
    }

    /// A value for this one transposed.
    fn value_like(&mut self, value: Value) -> Value {
        let ty = self.func.ty(value);
        let dims = vec![ty.dim(1), ty.dim(0)];
        self.func.new_value(Type::array(ty.class, dims))
    }
}

enum Factor {
    Plain(Value),
    Transposed(Value),
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// The transpositions and products that are left of a function of a matrix (%0), a column (%1) and a row (%2) that gives this product.
    fn operations(product: &str, dims: &str) -> String {
        let text = "func @f(%a: f64[n, m], %b: f64[n, 1], %r: f64[1, m]) -> (y: f64[DIMS]) {
          sym n = dim 0 0, >= 0
          sym m = dim 0 1, >= 0
          %t: f64[m, n] = transpose %a
          %y: f64[DIMS] = PRODUCT
          return %y
        }";
        let text = text.replace("PRODUCT", product).replace("DIMS", dims);
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        crate::simplify::run(&mut func);
        let printed = func.to_string();
        let lines = printed.lines().filter_map(|line| line.split_once(" = ")).map(|(_, op)| op.trim().to_owned());
        lines.filter(|op| op.starts_with("transpose") || op.contains("matmul")).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn the_vector_is_transposed_and_the_matrix_is_not() {
        assert_eq!(operations("lib matmul %t, %b", "m, 1"), "transpose %1; lib matmul %5, %0; transpose %6");
        assert_eq!(operations("lib matmul %r, %t", "1, n"), "transpose %2; lib matmul %0, %5; transpose %6");
    }

    #[test]
    fn products_of_matrices_stay() {
        assert_eq!(operations("lib matmul %t, %a", "m, m"), "transpose %0; lib matmul %3, %0");
    }
}
