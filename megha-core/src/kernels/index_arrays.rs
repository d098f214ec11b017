//! Index array elimination in subscripts (MEGHA 3.2.1.4): `a(lo:step:hi)` needs no array of subscripts.
//!
//! A subscript vector that a range of whole numbers defines becomes the range itself. Index arrays that are used in
//! arithmetic, and those made by `linspace` or by loops, are replaced where a kernel would load from them.

use super::report::{Origin, Origins};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, Stmt, Sub, Type, Value};

/// An index array that was replaced in a subscript.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The array.
    pub array: Origin,
    /// The statement that it was a subscript of.
    pub user: Loc,
}

/// Replaces subscript vectors by ranges; gives each replacement, in program order.
pub fn run(func: &mut Func) -> Vec<Replaced> {
    let origins = Origins::of(func);
    let mut replaced = Vec::new();
    let mut ranges = HashMap::default();
    let mut constants = HashMap::default();
    func.body.walk(&mut |stmt| match (&stmt.op, stmt.results.as_slice()) {
        (Op::Range { start, step }, [result]) => _ = ranges.insert(*result, (*start, *step)),
        (Op::Const(Const::Int(c)), [result]) => _ = constants.insert(*result, *c),
        _ => {}
    });
    let known: HashMap<Value, (Value, i64)> = ranges
        .into_iter()
        .filter_map(|(v, (start, step))| {
            let whole = func.ty(start).class == Class::Index;
            constants.get(&step).filter(|s| whole && **s != 0).map(|s| (v, (start, *s)))
        })
        .collect();
    let mut body = std::mem::take(&mut func.body);
    body.rewrite(&mut |mut stmt, out| {
        if let Op::Index { subs, .. } | Op::Store { subs, .. } = &mut stmt.op {
            for sub in subs {
                if let Sub::Vector(v) = sub
                    && let Some((start, step)) = known.get(v)
                {
                    replaced.push(Replaced { array: origins.get(func, *v), user: stmt.loc });
                    let len = func.ty(*v).numel();
                    *sub = Sub::Range { start: less_one(func, *start, stmt.loc, out), step: *step, len };
                }
            }
        }
        out.push(stmt);
    });
    func.body = body;
    replaced
}

fn less_one(func: &mut Func, start: Value, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let index = Type::scalar(Class::Index);
    let one = func.new_value(index.clone());
    stmts.push(Stmt { results: vec![one], op: Op::Const(Const::Int(1)), loc });
    let result = func.new_value(index);
    stmts.push(Stmt { results: vec![result], op: Op::Binary(Binary::Sub, start, one), loc });
    result
}
