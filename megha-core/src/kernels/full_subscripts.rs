//! One subscript of a row or column becomes one for each dimension.
//!
//! A loop over `t(i)` accesses the array by one subscript, an array statement by as many as there are dimensions. Where an
//! array extends along one dimension only the two name the same element; from here on they look the same, so such loops
//! compose with array statements.

use crate::ir::{Class, Const, Func, Mem, Op, Region, Stmt, Type, Value, Walk};

/// Rewrites the accesses of a function's kernels.
pub fn run(func: &mut Func) {
    let mut body = std::mem::take(&mut func.body);
    body.walk_mut(&mut |stmt| {
        let Op::Kernel(kernel) = &mut stmt.op else { return Walk::Advance };
        let zero = func.new_value(Type::scalar(Class::Index));
        if accesses(func, &stmt.results, zero, &mut kernel.body) {
            let op = Op::Const(Const::Int(0));
            kernel.body.stmts.insert(0, Stmt { results: vec![zero], op, loc: stmt.loc });
        }
        Walk::Skip
    });
    func.body = body;
}

/// Rewrites the accesses of a kernel that makes these arrays; whether `zero` is needed.
fn accesses(func: &Func, results: &[Value], zero: Value, region: &mut Region) -> bool {
    let mut needed = false;
    region.walk_mut(&mut |stmt| {
        let (array, subs) = match &mut stmt.op {
            Op::Load(Mem::In(array), subs) => (*array, subs),
            Op::Load(Mem::Out(out), subs) | Op::Put(out, subs, _) => (results[*out], subs),
            _ => return,
        };
        if let ([sub], Some(axis)) = (&subs[..], long_axis(func.ty(array))) {
            let mut full = vec![zero; func.ty(array).dims.len()];
            full[axis] = *sub;
            *subs = full;
            needed = true;
        }
    });
    needed
}

/// The only dimension along which an array extends.
fn long_axis(ty: &Type) -> Option<usize> {
    let mut long = ty.dims.iter().enumerate().filter(|(_, d)| !d.is_one());
    match (long.next(), long.next()) {
        (Some((axis, _)), None) => Some(axis),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;
    use crate::ir::{Module, verify::verify};

    #[test]
    fn only_rows_and_columns_have_all_their_subscripts() {
        let text = "func @f(%x: f64[n, 1], %r: f64[1, n], %a: f64[n, n]) -> (y: f64[n, 1]) {
          sym n = dim 0 0, >= 0
          %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
            %p = load %x[%i]
            %q = load %r[%i]
            %s = load %a[%i]
            %t = add %p, %q
            %u = add %t, %s
            put out0[%i] = %u
          }
          return %y
        }";
        let mut func = parse_func(text).unwrap();
        super::run(&mut func);
        let printed = func.to_string();
        let accesses: Vec<&str> = printed.lines().filter(|l| l.contains("load ") || l.contains("put ")).collect();
        let subscripts: Vec<usize> = accesses.iter().map(|l| l.matches(", ").count()).collect();
        assert_eq!((accesses.len(), &subscripts[..3]), (4, &[1, 1, 0][..]), "{printed}");
        assert!(verify(&Module::of(vec![func])).is_ok());
    }
}
