//! Loop unswitching, of loops in kernels that do all they do under one condition.
//!
//! Where loops were exchanged, the condition of an outer loop's statements stands in the innermost loop, which then counts in vain where
//! it does not hold, however many iterations it has. If the condition does not change in the loop, the loop stands under it: it is
//! tested once, and around the whole body it is the kernel's guard, which bounds the domain. Loops that carry values stay as they are.

use crate::hash::HashSet;

use crate::ir::{Binary, Class, Func, Op, Region, Stmt, Symbols, Terminator, Type, Value};

/// Puts loops without carried values under the conditions that all of their bodies stand under.
pub fn run(func: &mut Func) {
    let known = Known { symbols: &func.symbols, types: &func.types };
    known.region(&mut func.body);
}

struct Known<'f> {
    symbols: &'f Symbols,
    types: &'f [Type],
}

impl Known<'_> {
    fn region(&self, region: &mut Region) {
        for mut stmt in std::mem::take(&mut region.stmts) {
            stmt.op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            let mut before = self.unswitch(&mut stmt);
            region.stmts.append(&mut before);
            region.stmts.push(stmt);
        }
    }

    /// Turns a loop around an `if` into an `if` around the loop; gives what computes the condition.
    fn unswitch(&self, stmt: &mut Stmt) -> Vec<Stmt> {
        let Op::For { body, .. } = &mut stmt.op else { return Vec::new() };
        let Some(moved) = self.condition_of(body) else { return Vec::new() };
        let Some(Stmt { op: Op::If { cond, then, .. }, .. }) = body.stmts.pop() else { return Vec::new() };
        let mut number = 0..;
        let before = body.stmts.extract_if(.., |_| number.next().is_some_and(|k| moved.contains(&k))).collect();
        body.stmts.extend(then.stmts);
        let inner = std::mem::replace(
            stmt,
            Stmt {
                results: Vec::new(),
                op: Op::If { cond, then: Box::default(), els: Box::new(only(Vec::new())) },
                loc: stmt.loc,
            },
        );
        if let Op::If { then, .. } = &mut stmt.op {
            **then = only(vec![inner]);
        }
        before
    }

    /// Which statements of a loop's body compute the condition that all else in it stands under, if they do not change in the loop and
    /// may stand before it.
    fn condition_of(&self, body: &Region) -> Option<HashSet<usize>> {
        let (last, before) = body.stmts.split_last()?;
        let Op::If { cond, then, els } = &last.op else { return None };
        let ends = |region: &Region| region.term == Terminator::Yield(Vec::new());
        let does_nothing_else = els.stmts.is_empty() && before.iter().all(|stmt| !stmt.op.has_effect());
        if !(does_nothing_else && ends(body) && ends(then) && ends(els)) {
            return None;
        }
        let mut inside = HashSet::default();
        body.defined(&mut inside);
        let (mut needed, mut moved) = (HashSet::from_iter([*cond]), HashSet::default());
        for (number, stmt) in before.iter().enumerate().rev() {
            if stmt.results.iter().any(|result| needed.remove(result)) {
                if !self.may_stand_before(stmt, &inside) {
                    return None;
                }
                moved.insert(number);
                stmt.op.for_each_operand(&mut |v| needed.extend([v]));
            }
        }
        needed.iter().all(|v| !inside.contains(v)).then_some(moved)
    }

    /// Whether a statement is a comparison, or a step of the arithmetic of subscripts, and its sizes are known before the loop. Products
    /// stay, as they might overflow where the program does not compute them.
    fn may_stand_before(&self, stmt: &Stmt, inside: &HashSet<Value>) -> bool {
        let class = |v: Value| self.types[v.index()].class;
        let is_cheap = match (&stmt.op, &stmt.results[..]) {
            (Op::Const(_) | Op::Size(_), [_]) => true,
            (Op::Binary(Binary::Add | Binary::Sub, ..), [result]) => class(*result) == Class::Index,
            (Op::Unary(..) | Op::Binary(..), [result]) => class(*result) == Class::Logical,
            _ => false,
        };
        let mut known = true;
        let of_loop = |v: Value| !inside.contains(&v);
        stmt.op.for_each_size(&mut |size| known &= size.symbols().all(|sym| self.symbols.is_known(sym, &of_loop)));
        is_cheap && known && stmt.results.iter().all(|v| self.types[v.index()].is_scalar())
    }
}

/// A region of these statements, without parameters and results.
fn only(stmts: Vec<Stmt>) -> Region {
    Region { params: Vec::new(), stmts, term: Terminator::Yield(Vec::new()) }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;
    use crate::ir::{Module, verify::verify};

    /// How the loop over `%j`, whose body is `text`, and the condition nest after the pass, with what stands before them.
    fn nest(text: &str) -> String {
        let text = "func @f(%v: f64[n, 1], %l: index) -> (y: f64[n, 1]) {
          sym n = dim 0 0, >= 0
          %k: index = size n
          %0: index = const 0
          %y: f64[n, 1] = kernel 0 over [n] into (fresh) |%i| {
            for %k |%j| {
              BODY
            }
          }
          return %y
        }"
        .replace("BODY", text);
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let printed = func.to_string();
        assert!(verify(&Module::of(vec![func])).is_ok(), "{printed}");
        let lines = printed.lines().skip_while(|line| !line.contains("kernel")).skip(1);
        let words = lines.flat_map(str::split_whitespace);
        words.filter(|word| ["for", "if", "lt", "load", "mul"].contains(word)).collect::<Vec<_>>().join(" ")
    }

    const PUT: &str = "%x: f64 = load %v[%i, %0] put out0[%i, %0] = %x";

    #[test]
    fn a_condition_that_does_not_change_is_tested_before_the_loop() {
        assert_eq!(nest(&format!("%t: bool = lt %i, %l if %t {{ {PUT} }}")), "lt if for load");
        assert_eq!(
            nest(&format!("%u: bool = lt %j, %l %t: bool = lt %i, %l if %t {{ if %u {{ {PUT} }} }}")),
            "lt if for lt if load",
            "what the condition does not need stays"
        );
    }

    #[test]
    fn what_may_differ_stays() {
        assert_eq!(
            nest(&format!("%t: bool = lt %j, %l if %t {{ {PUT} }}")),
            "for lt if load",
            "it changes in the loop"
        );
        assert_eq!(
            nest(&format!("%t: bool = lt %i, %l if %t {{ {PUT} }} %w: f64 = load %v[%i, %0] put out0[%i, %0] = %w")),
            "for lt if load load"
        );
        assert_eq!(
            nest(&format!(
                "%t: bool = lt %i, %l if %t {{ {PUT} }} else {{ %w: f64 = load %v[%i, %0] put out0[%i, %0] = %w }}"
            )),
            "for lt if load load"
        );
        assert_eq!(
            nest(&format!("%m: index = mul %i, %l %t: bool = lt %m, %l if %t {{ {PUT} }}")),
            "for mul lt if load"
        );
    }
}
