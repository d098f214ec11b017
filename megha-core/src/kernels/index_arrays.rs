//! Index array elimination in subscripts (MEGHA 3.2.1.4): `a(lo:step:hi)` needs no array of subscripts.
//!
//! A subscript vector that a range of whole numbers defines becomes the range itself. Index arrays that are used in
//! arithmetic, and those made by `linspace` or by loops, are replaced where a kernel would load from them.

use super::report::{Origin, Origins};
use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Loc, Op, Region, Stmt, Sub, Type, Value};

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
    collect(&func.body, &mut ranges, &mut constants);
    let known: HashMap<Value, (Value, i64)> = ranges
        .into_iter()
        .filter_map(|(v, (start, step))| {
            let whole = func.ty(start).class == Class::Index;
            constants.get(&step).filter(|s| whole && **s != 0).map(|s| (v, (start, *s)))
        })
        .collect();
    let empty = Region { params: Vec::new(), stmts: Vec::new(), term: crate::ir::Terminator::Unreachable };
    let mut body = std::mem::replace(&mut func.body, empty);
    rewrite(func, &mut body, &known, &mut |func, v, user| {
        replaced.push(Replaced { array: origins.get(func, v), user });
    });
    func.body = body;
    replaced
}

fn collect(region: &Region, ranges: &mut HashMap<Value, (Value, Value)>, constants: &mut HashMap<Value, i64>) {
    for stmt in &region.stmts {
        match (&stmt.op, stmt.results.as_slice()) {
            (Op::Range { start, step }, [result]) => {
                ranges.insert(*result, (*start, *step));
            }
            (Op::Const(Const::Int(c)), [result]) => {
                constants.insert(*result, *c);
            }
            _ => stmt.op.regions().into_iter().for_each(|r| collect(r, ranges, constants)),
        }
    }
}

fn rewrite(
    func: &mut Func,
    region: &mut Region,
    known: &HashMap<Value, (Value, i64)>,
    replaced: &mut dyn FnMut(&Func, Value, Loc),
) {
    for mut stmt in std::mem::take(&mut region.stmts) {
        if let Op::Index { subs, .. } | Op::Store { subs, .. } = &mut stmt.op {
            for sub in subs {
                if let Sub::Vector(v) = sub
                    && let Some((start, step)) = known.get(v)
                {
                    replaced(func, *v, stmt.loc);
                    let len = func.ty(*v).numel();
                    let from_zero = less_one(func, *start, stmt.loc, &mut region.stmts);
                    *sub = Sub::Range { start: from_zero, step: *step, len };
                }
            }
        }
        stmt.op.regions_mut().into_iter().for_each(|r| rewrite(func, r, known, replaced));
        region.stmts.push(stmt);
    }
}

fn less_one(func: &mut Func, start: Value, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let index = Type::scalar(Class::Index);
    let one = func.new_value(index.clone());
    stmts.push(Stmt { results: vec![one], op: Op::Const(Const::Int(1)), loc });
    let result = func.new_value(index);
    stmts.push(Stmt { results: vec![result], op: Op::Binary(Binary::Sub, start, one), loc });
    result
}
