//! Remainders where the quotient is one of two numbers are a comparison and a subtraction: the neighbours of `i` on a ring of `n`,
//! `mod(i + 1, n)`, `(i + n - 1) % n` or `(i + n + 1) % n`. A division takes a processor as long as twenty other operations, and holds up vectors.
//!
//! The quotients are known from the bounds of loop counters, what is known of sizes, and the conditions of the `if`s
//! around it. Remainders by constants stay: a processor multiplies for them, and access maps know them.

use super::accesses::{AffineView, Definitions};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Func, Op, Region, Stmt, Type, Value};

/// Rewrites such remainders of a function.
pub fn run(func: &mut Func) {
    if !func.body.any(|op| matches!(op, Op::Binary(Binary::Mod | Binary::Rem | Binary::Remu, ..))) {
        return;
    }
    let defs = Definitions::of(func);
    let view = AffineView::new(&func.symbols, &defs, []);
    let mut search = Search { func, view, guards: Vec::new(), found: HashMap::default() };
    search.region(&func.body);
    let found = search.found;
    let mut body = std::mem::take(&mut func.body);
    body.rewrite(&mut |stmt, out| write(func, &found, stmt, out));
    func.body = body;
}

/// What the quotient may be.
#[derive(Clone, Copy)]
enum Quotients {
    NoneOrOne,
    OneOrTwo,
}

struct Search<'f> {
    func: &'f Func,
    /// At one moment every value is a fixed number, so nothing varies.
    view: AffineView<'f>,
    /// Conditions around the current statement, and whether they hold.
    guards: Vec<(Value, bool)>,
    /// The remainders of which the quotients are known.
    found: HashMap<Value, Quotients>,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        for stmt in &region.stmts {
            match &stmt.op {
                Op::Binary(Binary::Mod | Binary::Rem | Binary::Remu, a, b) => {
                    let known = self.quotients(*a, *b);
                    self.found
                        .extend(known.into_iter().flat_map(|known| stmt.results.iter().map(move |v| (*v, known))));
                }
                Op::If { cond, then, els } => {
                    for (arm, taken) in [(then, true), (els, false)] {
                        self.guards.push((*cond, taken));
                        self.region(arm);
                        self.guards.pop();
                    }
                }
                op => op.regions().into_iter().for_each(|inner| self.region(inner)),
            }
        }
    }

    /// What the quotient is, if it is one of two numbers.
    fn quotients(&mut self, a: Value, b: Value) -> Option<Quotients> {
        if self.func.ty(a).class != Class::Index {
            return None;
        }
        let (a, b) = (self.view.expr(a)?, self.view.expr(b)?);
        let twice = b.checked_scale(2).filter(|_| b.as_constant().is_none())?;
        let guards = self.view.guards(&[], &self.guards);
        if self.view.in_bounds(&[], &guards, &a, &twice) {
            return Some(Quotients::NoneOrOne);
        }
        let less = a.checked_sub(&b)?;
        self.view.in_bounds(&[], &guards, &less, &twice).then_some(Quotients::OneOrTwo)
    }
}

fn write(func: &mut Func, found: &HashMap<Value, Quotients>, mut stmt: Stmt, out: &mut Vec<Stmt>) {
    if let (Op::Binary(_, a, b), [result]) = (&stmt.op, &stmt.results[..])
        && let Some(quotients) = found.get(result)
    {
        let (a, b, loc) = (*a, *b, stmt.loc);
        let mut push = |op, class| {
            let value = func.new_value(Type::scalar(class));
            out.push(Stmt { results: vec![value], op, loc });
            value
        };
        let a = match quotients {
            Quotients::NoneOrOne => a,
            Quotients::OneOrTwo => push(Op::Binary(Binary::Sub, a, b), Class::Index),
        };
        let is_past = push(Op::Binary(Binary::Ge, a, b), Class::Logical);
        let less = push(Op::Binary(Binary::Sub, a, b), Class::Index);
        stmt.op = Op::Select(is_past, less, a);
    }
    out.push(stmt);
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// How many remainders are left of one by `n` of a number that `LINES` compute from a counter below `n`.
    fn left(op: &str, lines: &str) -> usize {
        let text = "func @f(%x: f64[n, 1], %any: index) -> (y: index) {
          sym n = dim 0 0, >= 0
          sym i = value %i, >= 0, <= n - 1
          %n: index = size n
          %one: index = const 1
          %y: index = for %n with %one |%i: index, %sum: index| {
            LINES
            %r: index = OP %a, %n
            %s: index = add %sum, %r
            yield %s
          }
          return %y
        }";
        let text = text.replace("LINES", lines).replace("OP", op);
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        func.to_string().matches(&format!("= {op} ")).count()
    }

    #[test]
    fn quotients_of_two_values_are_compared() {
        for op in ["mod", "rem", "remu"] {
            assert_eq!(left(op, "%a: index = add %i, %one"), 0, "at most n");
            assert_eq!(left(op, "%a: index = size i + n - 1"), 0, "at most 2 n - 2");
            assert_eq!(left(op, "%a: index = size i + n + 1"), 0, "1 or 2 times");
        }
    }

    #[test]
    fn others_are_divided() {
        for op in ["mod", "rem", "remu"] {
            assert_eq!(left(op, "%a: index = sub %i, %one"), 1, "-1 is below");
            assert_eq!(left(op, "%a: index = size 2*i + 2"), 1, "up to 2 n");
            assert_eq!(left(op, "%a: index = add %i, %any"), 1, "not known");
            assert_eq!(left(op, "%a: index = mul %i, %i"), 1, "not linear");
        }
    }
}
