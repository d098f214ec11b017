//! Index array elimination in subscripts (MEGHA 3.2.1.4): `a(lo:step:hi)` needs no array of subscripts.
//!
//! A subscript vector that a range of whole numbers defines becomes the range itself, and so does one that is computed from a range by adding, subtracting
//! and multiplying whole numbers: constants, and loop counters and sizes as numbers (`a(in + k)`). Index arrays that are used in
//! other arithmetic, and those made by `linspace` or by loops, are replaced where a kernel would load from them.

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

/// Constants that are folded are at most this: products and sums of a few are exact as doubles, as they are as integers.
const MOST: i64 = 1 << 20;

/// The elements of a range: the first, a sum of index scalars times factors and of a constant, and the difference of neighbours. With a difference
/// of 0 a whole number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Whole {
    first: Vec<(Value, i64)>,
    constant: i64,
    step: i64,
}

impl Whole {
    fn number(constant: i64) -> Option<Whole> {
        (-MOST..=MOST).contains(&constant).then(|| Whole { first: Vec::new(), constant, step: 0 })
    }

    /// The sum, or with -1 the difference.
    fn add(&self, other: &Whole, sign: i64) -> Option<Whole> {
        let mut sum = self.clone();
        for (value, factor) in &other.first {
            match sum.first.iter_mut().find(|(own, _)| own == value) {
                Some((_, own)) => *own += sign * factor,
                None => sum.first.push((*value, sign * factor)),
            }
        }
        sum.constant += sign * other.constant;
        sum.step += sign * other.step;
        sum.sound()
    }

    fn times(&self, factor: i64) -> Option<Whole> {
        let first = self.first.iter().map(|(value, by)| (*value, by * factor)).collect();
        Whole { first, constant: self.constant * factor, step: self.step * factor }.sound()
    }

    /// It, if all of it is small enough.
    fn sound(self) -> Option<Whole> {
        let all = self.first.iter().map(|(_, factor)| *factor).chain([self.constant, self.step]);
        let small = all.into_iter().all(|number| number.abs() <= MOST);
        small.then_some(self)
    }

    /// The number, if it is one that is known.
    fn known(&self) -> Option<i64> {
        (self.first.is_empty() && self.step == 0).then_some(self.constant)
    }
}

/// What is known of the values of a function, definitions before uses.
pub(super) fn ranges(func: &Func) -> HashMap<Value, Whole> {
    let mut known: HashMap<Value, Whole> = HashMap::default();
    func.body.walk(&mut |stmt| {
        let [result] = stmt.results[..] else { return };
        let class = func.ty(result).class;
        let is_index = |value: &Value| func.ty(*value).class == Class::Index;
        let found = match &stmt.op {
            Op::Const(Const::Int(c)) if class == Class::Index => Whole::number(*c),
            Op::Const(Const::Float(x)) if class == Class::Double && x.fract() == 0.0 && x.abs() <= MOST as f64 => {
                Whole::number(*x as i64)
            }
            Op::Range { start, step } if is_index(start) => {
                let step = known.get(step).and_then(Whole::known).filter(|step| *step != 0);
                step.map(|step| Whole { first: vec![(*start, 1)], constant: 0, step })
            }
            // a number that counts, as the program computes with it
            Op::Convert(from) if class == Class::Double && is_index(from) && func.ty(*from).is_scalar() => {
                Some(Whole { first: vec![(*from, 1)], constant: 0, step: 0 })
            }
            Op::Binary(binary, a, b) if class == Class::Double => match (known.get(a), known.get(b)) {
                (Some(a), Some(b)) => match binary {
                    Binary::Add => a.add(b, 1),
                    Binary::Sub => a.add(b, -1),
                    Binary::Mul => a.known().map_or_else(|| a.times(b.known()?), |a| b.times(a)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        known.extend(found.map(|whole| (result, whole)));
    });
    known.retain(|value, whole| !func.ty(*value).is_scalar() && whole.step != 0);
    known
}

/// Replaces subscript vectors by ranges; gives each replacement, in program order.
pub fn run(func: &mut Func) -> Vec<Replaced> {
    let origins = Origins::of(func);
    let mut replaced = Vec::new();
    let known = ranges(func);
    let mut body = std::mem::take(&mut func.body);
    body.rewrite(&mut |mut stmt, out| {
        if let Op::Index { subs, .. } | Op::Store { subs, .. } = &mut stmt.op {
            for sub in subs {
                if let Sub::Vector(v) = sub
                    && let Some(whole) = known.get(v)
                {
                    replaced.push(Replaced { array: origins.get(func, *v), user: stmt.loc });
                    let len = func.ty(*v).numel();
                    *sub = Sub::Range { start: first(func, whole, stmt.loc, out), step: whole.step, len };
                }
            }
        }
        out.push(stmt);
    });
    func.body = body;
    replaced
}

/// The first element of a range, counted from zero.
fn first(func: &mut Func, whole: &Whole, loc: Loc, stmts: &mut Vec<Stmt>) -> Value {
    let mut push = |op: Op| {
        let result = func.new_value(Type::scalar(Class::Index));
        stmts.push(Stmt { results: vec![result], op, loc });
        result
    };
    let mut sum: Option<Value> = None;
    for (value, factor) in whole.first.iter().filter(|(_, factor)| *factor != 0) {
        let term = match factor {
            1 => *value,
            factor => {
                let factor = push(Op::Const(Const::Int(*factor)));
                push(Op::Binary(Binary::Mul, *value, factor))
            }
        };
        sum = Some(sum.map_or(term, |sum| push(Op::Binary(Binary::Add, sum, term))));
    }
    let Some(sum) = sum else { return push(Op::Const(Const::Int(whole.constant - 1))) };
    let less = push(Op::Const(Const::Int(1 - whole.constant)));
    push(Op::Binary(Binary::Sub, sum, less))
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_func;

    /// Whether the subscript of `%x` that is a vector becomes a range; `%in` is a range, `%k` a number that counts, `%d` any other.
    fn is_range(vector: &str) -> bool {
        let text = format!(
            "func @f(%x: f64[1, m], %n: index, %k: index, %d: f64) -> (y: f64[1, n]) {{
               sym m = dim 0 1, >= 0
               sym n = value %n, >= 0
               %one = const 1  %two: f64 = const 2.0  %half: f64 = const 0.5
               %in: f64[1, n] = range %one, %one
               %j: f64 = convert %k
               {vector}
               %y: f64[1, n] = index %x[vector %v] checked
               return %y }}"
        );
        let mut func = parse_func(&text).unwrap_or_else(|e| panic!("{e}"));
        super::run(&mut func);
        let module = crate::ir::Module::of(vec![func]);
        crate::ir::verify::verify(&module).unwrap_or_else(|_| panic!("{module}"));
        let text = module.to_string();
        let line = text.lines().find(|line| line.contains("= index %0[")).unwrap_or_else(|| panic!("{text}"));
        !line.contains("[vector")
    }

    #[test]
    fn whole_numbers_are_folded_into_ranges() {
        for vector in [
            "%v: f64[1, n] = add %in, %two",
            "%v: f64[1, n] = sub %in, %j",
            "%v: f64[1, n] = sub %two, %in",
            "%w: f64[1, n] = mul %two, %in  %v: f64[1, n] = add %w, %j",
        ] {
            assert!(is_range(vector), "{vector}");
        }
        for vector in [
            "%v: f64[1, n] = add %in, %half",
            "%v: f64[1, n] = add %in, %d",
            "%v: f64[1, n] = mul %in, %j",
            "%v: f64[1, n] = sub %in, %in",
            "%v: f64[1, n] = div %in, %two",
        ] {
            assert!(!is_range(vector), "{vector}");
        }
    }
}
