//! Bounds of a kernel within its box: triangles, trapezoids, bands.
//!
//! A kernel whose body is one guard ([`Kernel::guard`](crate::ir::Kernel::guard)) does something in those iterations for which the
//! guard holds. If it joins comparisons of affine functions of the iteration numbers, each is a *bound*: a function that is not negative
//! in these iterations. On the CPU bounds become those of the innermost loop ([`Run`]); a thread of a device tests the guard.
//!
//! One of the comparisons may be a *congruence*, `mod(f, by) == 0`: the points of one colour of a board. Then the innermost loop goes in steps of `by`
//! from the first of its numbers that fits ([`Steps`]).

use super::access::{Affine, Maps};
use crate::hash::HashSet;
use crate::ir::{Binary, Class, Func, Kernel, Op, Size, Value};

/// The iterations of a box in which a kernel does something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Narrowed {
    /// The bounds.
    pub bounds: Vec<Affine>,
    /// The congruence, if there is one.
    pub congruence: Option<Congruence>,
}

impl Narrowed {
    /// Whether these are all.
    pub fn is_box(&self) -> bool {
        self.bounds.is_empty() && self.congruence.is_none()
    }
}

/// The iterations in which a kernel does something; all of them if it has another guard, or none.
pub fn of(func: &Func, kernel: &Kernel) -> Narrowed {
    if kernel.guard().is_none() {
        return Narrowed::default();
    }
    let maps = Maps::of(func, kernel);
    Narrowed { bounds: maps.bounds().to_vec(), congruence: maps.congruence().cloned() }
}

/// A condition on iteration numbers: that a function of them is a multiple of a number greater than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Congruence {
    /// The function. Of each loop's number the coefficient is a multiple of `by`, or has no factor in common with it.
    pub form: Affine,
    /// The number.
    pub by: i64,
}

/// The steps of a loop, the numbers of the other loops given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steps {
    /// The loop's number has no part in the congruence: all of its iterations if this is a multiple of the number, else none.
    All(Congruence),
    /// Those of its iterations that leave the same remainder by the number as this function.
    From(Congruence),
}

impl Congruence {
    /// The function as often as any of its steps has it, in magnitude no less.
    pub fn largest(&self) -> Affine {
        zero(&self.form).add(&self.form, self.by)
    }

    /// What of a loop is congruent.
    pub fn steps(&self, axis: usize) -> Steps {
        let (mut rest, own) = (self.form.clone(), self.form.coeffs[axis].rem_euclid(self.by));
        rest.coeffs[axis] = 0;
        if own == 0 {
            return Steps::All(Self { form: rest, by: self.by });
        }
        // own * x + rest = 0, and own has an inverse
        let times = (1..self.by).find(|times| (times * own + 1) % self.by == 0).unwrap_or(0);
        Steps::From(Self { form: zero(&rest).add(&rest, times), by: self.by })
    }

    /// How far its iterations are apart.
    pub fn step(&self, axis: usize) -> i64 {
        if self.form.coeffs[axis] % self.by == 0 { 1 } else { self.by }
    }
}

/// Whether two numbers have no factor in common; the second is positive.
pub fn is_coprime(a: i64, by: i64) -> bool {
    let (mut a, mut b) = (a.rem_euclid(by), by);
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b == 1
}

/// Divisors of congruences are smaller: code has products with them.
const MOST_BY: i64 = 1 << 16;

/// The congruence that a comparison stands for.
fn congruence(maps: &Maps<'_>, op: Binary, a: Value, b: Value) -> Option<Congruence> {
    let (Binary::Eq, Some(Op::Binary(Binary::Mod, of, by))) = (op, maps.def(a)) else { return None };
    let constant = |value: Value| maps.sized(value)?.as_constant();
    if maps.class(a) != Class::Index || constant(b)? != 0 {
        return None;
    }
    let (form, by) = (maps.sized(*of)?, constant(*by).filter(|by| (2..MOST_BY).contains(by))?);
    let fits = form.coeffs.iter().all(|own| own % by == 0 || is_coprime(*own, by));
    fits.then_some(Congruence { form, by })
}

/// The bounds that a condition stands for, and a congruence if there is one; `None` if it is no conjunction of affine comparisons and at
/// most one congruence.
pub fn bounds(maps: &Maps<'_>, cond: Value) -> Option<(Vec<Affine>, Option<Congruence>)> {
    let (mut open, mut seen, mut all, mut congruent) = (vec![cond], HashSet::default(), Vec::new(), None);
    while let Some(cond) = open.pop() {
        // A part of a conjunction may be part of it many times.
        if !seen.insert(cond) {
            continue;
        }
        match maps.def(cond) {
            Some(Op::Binary(Binary::And, a, b)) => open.extend([*b, *a]),
            Some(Op::Binary(op, a, b)) => match congruence(maps, *op, *a, *b) {
                Some(found) if congruent.is_none() => congruent = Some(found),
                Some(_) => return None,
                None => all.extend(comparison(maps, *op, *a, *b)?),
            },
            _ => return None,
        }
    }
    Some((all, congruent))
}

/// The bounds that a comparison stands for.
fn comparison(maps: &Maps<'_>, op: Binary, a: Value, b: Value) -> Option<Vec<Affine>> {
    if maps.class(a) != Class::Index {
        return None;
    }
    let (a, b) = (maps.sized(a)?, maps.sized(b)?);
    let below = |less: &Affine, more: &Affine, by: i64| {
        let mut bound = more.clone().add(less, -1);
        bound.size = bound.size.add_const(-by);
        bound
    };
    match op {
        Binary::Ge => Some(vec![below(&b, &a, 0)]),
        Binary::Gt => Some(vec![below(&b, &a, 1)]),
        Binary::Le => Some(vec![below(&a, &b, 0)]),
        Binary::Lt => Some(vec![below(&a, &b, 1)]),
        Binary::Eq => Some(vec![below(&a, &b, 0), below(&b, &a, 0)]),
        _ => None,
    }
}

/// The iterations within the bounds, in percent of those of the box and at least one: counted over a grid of the loops that the bounds
/// relate, each symbol a nominal size.
pub fn share(maps: &Maps<'_>, extents: &[Size]) -> i64 {
    let bounds: Vec<&Affine> = maps.bounds().iter().filter(|b| b.uniform.is_empty()).collect();
    let related = |axis: &usize| bounds.iter().any(|bound| bound.coeffs[*axis] != 0);
    let axes: Vec<usize> = (0..extents.len()).filter(related).collect();
    let of_steps = maps.congruence().map_or(1, |congruence| congruence.by);
    if axes.is_empty() {
        return (100 / of_steps).max(1);
    }
    let value = |size: &Size| i128::from(size.eval(&|_| NOMINAL));
    let is_few = |steps: &i128| steps.checked_pow(axes.len() as u32).is_some_and(|places| places <= PLACES);
    let grid = (1..=GRID).rev().find(is_few).unwrap_or(1);
    let loops: Vec<(usize, i128, i128)> = axes
        .iter()
        .map(|axis| {
            let extent = value(&extents[*axis]).max(1);
            (*axis, extent, extent.min(grid))
        })
        .collect();
    let places = loops.iter().map(|(_, _, steps)| steps).product::<i128>();
    let inside = |place: &i128| {
        let mut rest = *place;
        let mut at = vec![0; extents.len()];
        for (axis, extent, steps) in &loops {
            // The middle of each part.
            at[*axis] = (2 * (rest % steps) + 1) * extent / (2 * steps);
            rest /= steps;
        }
        let term = |(c, i): (&i64, &i128)| i128::from(*c).saturating_mul(*i);
        let sum = |bound: &Affine| {
            let terms = bound.coeffs.iter().zip(&at).map(term);
            terms.fold(value(&bound.size), i128::saturating_add)
        };
        bounds.iter().all(|bound| sum(bound) >= 0)
    };
    let count = (0..places).filter(inside).count() as i128;
    (100 * count / places / i128::from(of_steps)).max(1) as i64
}

/// The size for which each symbol is taken,
const NOMINAL: i64 = 1000;
/// the places along each loop,
const GRID: i128 = 12;
/// and those of all loops together.
const PLACES: i128 = 2048;

/// One end of the iterations of a loop, the numbers of the other loops given: `form / by`, where `by` is positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// A function of the other loops' numbers.
    pub form: Affine,
    /// The divisor.
    pub by: i64,
}

/// The iterations of one loop, the numbers of the other loops given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    /// Rounded up, the first iteration is not below any of these.
    pub from: Vec<End>,
    /// Rounded down, the last iteration is not above any of these.
    pub to: Vec<End>,
    /// There are none if one of these is negative.
    pub conditions: Vec<Affine>,
}

/// The iterations of a loop within bounds.
pub fn run(bounds: &[Affine], axis: usize) -> Run {
    let mut run = Run::default();
    for bound in bounds {
        let coefficient = bound.coeffs[axis];
        let mut rest = bound.clone();
        rest.coeffs[axis] = 0;
        match coefficient {
            0 => run.conditions.push(rest),
            1.. => run.from.push(End { form: zero(bound).add(&rest, -1), by: coefficient }),
            _ => run.to.push(End { form: rest, by: -coefficient }),
        }
    }
    run
}

fn zero(like: &Affine) -> Affine {
    Affine { coeffs: vec![0; like.coeffs.len()], uniform: Vec::new(), size: Size::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_func;

    #[test]
    fn numbers_of_the_host_stand_in_bounds() {
        let text = "func @f(%a: f64[n, n], %k: index) -> (y: f64[n, n]) {
          sym n = dim 0 0, >= 0
          %1: index = const 1
          %y: f64[n, n] = kernel 0 over [n, n] into (update %a) |%i: index, %j: index| {
            %s: index = add FIRST, %i
            %t: bool = ge %j, %s
            if %t {
              %z: f64 = const 0.0
              put out0[%i, %j] = %z
              yield
            }
            yield
          }
          return %y
        }";
        let bounds = |first: &str| {
            let func = parse_func(&text.replace("FIRST", first)).unwrap_or_else(|e| panic!("{e}"));
            let Op::Kernel(kernel) = &func.body.stmts[1].op else { panic!("{func}") };
            of(&func, kernel).bounds
        };
        let [bound] = &bounds("%1")[..] else { panic!("a bound") };
        assert_eq!((&bound.coeffs[..], bound.size.as_constant(), bound.uniform.len()), (&[-1, 1][..], Some(-1), 0));
        assert!(bounds("%k").is_empty(), "what is known only when it runs may be any number");
    }
}
