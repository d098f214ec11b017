//! Small arrays as scalars.
//!
//! `min([a, b, c])`, `p = x(i, :)` of three columns, `r = [cos(t), -sin(t); sin(t), cos(t)] * v`: an array of a few
//! elements whose sizes are constants needs neither memory nor a kernel. Each of its elements becomes a scalar value, so
//! a loop around it becomes scalar code, and often a kernel. This is scalar replacement of aggregates (Muchnick, section
//! 12.2) on arrays: `candidates` finds the arrays of which every use names its elements when compiling, `rewrite` replaces
//! them, also where loops carry them. Reductions combine in the order of the fixed tree, so no bit of their results changes. Elements of products
//! are sums of rounded terms in the order of the inner index, as one writes them down (a fused multiply-add is slow where the machine has none, and
//! scalar code is compiled for the least one), so their last bits may differ from those of the same product with sizes that only the run knows.

mod candidates;
mod elements;
mod rewrite;
mod short_loops;
#[cfg(test)]
mod tests;

use crate::hash::HashMap;
use crate::ir::{Binary, Class, Const, Func, Op, Size, Sub, Type, Value};

/// Arrays with more elements stay arrays: the code would grow without getting faster.
const MOST: usize = 16;

/// Replaces the small arrays of a function by scalars.
pub fn run(func: &mut Func) {
    let mut known = Known::of(func);
    if short_loops::run(func, &known) {
        known = Known::of(func);
    }
    let split = candidates::find(func, &known);
    if split.is_empty() {
        return;
    }
    let body = std::mem::take(&mut func.body);
    let body = rewrite::Rewrite::new(func, &known, &split).body(body);
    func.body = body;
}

/// Rows and columns of a small array's type.
fn shape(ty: &Type) -> Option<[usize; 2]> {
    let [rows, columns] = ty.dims.as_slice() else { return None };
    let [rows, columns] = [count(rows)?, count(columns)?];
    let fits = (1..=MOST).contains(&rows.checked_mul(columns)?) && ty.class != Class::Char;
    fits.then_some([rows, columns])
}

fn count(size: &Size) -> Option<usize> {
    size.as_constant().and_then(|c| usize::try_from(c).ok())
}

/// What is known when compiling of numbers that may be subscripts.
#[derive(Default)]
struct Known {
    /// `Index` values.
    values: HashMap<Value, i64>,
    /// `Double` values that are whole.
    whole: HashMap<Value, i64>,
    /// Short arrays of whole numbers.
    lists: HashMap<Value, Vec<i64>>,
}

impl Known {
    fn of(func: &Func) -> Self {
        let mut known = Self::default();
        known.add(func);
        known
    }

    /// What a function's statements make of what is known.
    fn add(&mut self, func: &Func) {
        func.body.walk(&mut |stmt| {
            if let [result] = stmt.results[..] {
                self.result(&stmt.op, result, func.ty(result));
            }
        });
    }

    fn result(&mut self, op: &Op, result: Value, ty: &Type) {
        match op {
            Op::Const(Const::Int(c)) => self.values.extend([(result, *c)]),
            Op::Const(Const::Float(x)) if x.fract() == 0.0 && x.abs() < 1e9 => {
                self.whole.extend([(result, *x as i64)]);
            }
            Op::Size(size) => self.values.extend(size.as_constant().map(|c| (result, c))),
            Op::Binary(op, a, b) => {
                let (Some(a), Some(b)) = (self.values.get(a), self.values.get(b)) else { return };
                let sum = [
                    (Binary::Add, a.checked_add(*b)),
                    (Binary::Sub, a.checked_sub(*b)),
                    (Binary::Mul, a.checked_mul(*b)),
                ];
                self.values.extend(sum.into_iter().find(|(of, _)| of == op).and_then(|(_, c)| c).map(|c| (result, c)));
            }
            Op::Range { start, step } => {
                let (Some(start), Some(step)) = (self.values.get(start), self.values.get(step)) else { return };
                let Some(n) = count(&ty.numel()).filter(|n| *n <= MOST) else { return };
                let list = (0..n as i64).map(|k| start.saturating_add(step.saturating_mul(k))).collect();
                self.lists.insert(result, list);
            }
            Op::Concat(_, parts) => {
                let list: Option<Vec<i64>> = parts.iter().map(|p| self.whole.get(p).copied()).collect();
                self.lists.extend(list.filter(|l| l.len() <= MOST).map(|list| (result, list)));
            }
            _ => {}
        }
    }

    /// The subscripts, counted from zero, that a subscript stands for along a dimension of a small array.
    fn places(&self, sub: &Sub, extent: usize) -> Option<Vec<usize>> {
        let places: Vec<usize> = match sub {
            Sub::All => (0..extent).collect(),
            Sub::At(v) => vec![usize::try_from(*self.values.get(v)?).ok()?],
            Sub::Range { start, step, len } => {
                let start = *self.values.get(start)?;
                let place = |k: usize| usize::try_from(start.checked_add(step.checked_mul(k as i64)?)?).ok();
                (0..count(len).filter(|n| *n <= MOST)?).map(place).collect::<Option<_>>()?
            }
            Sub::Vector(v) => {
                self.lists.get(v)?.iter().map(|k| usize::try_from(k.checked_sub(1)?).ok()).collect::<Option<_>>()?
            }
        };
        places.iter().all(|p| *p < extent).then_some(places)
    }

    /// The numbers, columns first, of the elements that subscripts select from a small array.
    fn selected(&self, [rows, columns]: [usize; 2], subs: &[Sub]) -> Option<Vec<usize>> {
        match subs {
            [sub] => self.places(sub, rows * columns),
            [row, column] => {
                let (row, column) = (self.places(row, rows)?, self.places(column, columns)?);
                Some(column.iter().flat_map(|j| row.iter().map(move |i| j * rows + i)).collect())
            }
            _ => None,
        }
    }
}
