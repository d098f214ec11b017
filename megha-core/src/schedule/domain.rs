//! Bounds of a kernel within its box: triangles, trapezoids, bands.
//!
//! A kernel whose body is one guard ([`Kernel::guard`](crate::ir::Kernel::guard)) does something in those iterations for which the
//! guard holds. If it joins comparisons of affine functions of the iteration numbers, each is a *bound*: a function that is not negative
//! in these iterations. On the CPU bounds become those of the innermost loop ([`Run`]); a thread of a device tests the guard.

use super::access::{Affine, Maps};
use crate::hash::HashSet;
use crate::ir::{Binary, Class, Func, Kernel, Op, Size, Value};

/// The bounds of a kernel; none if it has another guard, or none.
pub fn of(func: &Func, kernel: &Kernel) -> Vec<Affine> {
    if kernel.guard().is_none() {
        return Vec::new();
    }
    Maps::of(func, kernel).bounds().to_vec()
}

/// The bounds that a condition stands for; `None` if it is no conjunction of affine comparisons.
pub fn bounds(maps: &Maps<'_>, cond: Value) -> Option<Vec<Affine>> {
    let (mut open, mut seen, mut all) = (vec![cond], HashSet::default(), Vec::new());
    while let Some(cond) = open.pop() {
        // A part of a conjunction may be part of it many times.
        if !seen.insert(cond) {
            continue;
        }
        match maps.def(cond) {
            Some(Op::Binary(Binary::And, a, b)) => open.extend([*b, *a]),
            Some(Op::Binary(op, a, b)) => all.extend(comparison(maps, *op, *a, *b)?),
            _ => return None,
        }
    }
    Some(all)
}

/// The bounds that a comparison stands for.
fn comparison(maps: &Maps<'_>, op: Binary, a: Value, b: Value) -> Option<Vec<Affine>> {
    if maps.class(a) != Class::Index {
        return None;
    }
    let (a, b) = (maps.affine(a)?, maps.affine(b)?);
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
    if axes.is_empty() {
        return 100;
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
    (100 * count / places).max(1) as i64
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
