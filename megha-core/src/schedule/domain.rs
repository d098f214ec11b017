//! Bounds of a kernel within its box: triangles, trapezoids, bands.
//!
//! A kernel whose body is one guard ([`Kernel::guard`](crate::ir::Kernel::guard)) does something in those iterations for which the
//! guard holds. If it joins comparisons of affine functions of the iteration numbers, each is a *bound*: a function that is not negative
//! in these iterations. On the CPU bounds become those of the innermost loop ([`Run`]); a thread of a device tests the guard.

use super::access::{Affine, Maps};
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
    let Some(Op::Binary(op, a, b)) = maps.def(cond) else { return None };
    if *op == Binary::And {
        let mut both = bounds(maps, *a)?;
        both.extend(bounds(maps, *b)?);
        return Some(both);
    }
    if maps.class(*a) != Class::Index {
        return None;
    }
    let (a, b) = (maps.affine(*a)?, maps.affine(*b)?);
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

/// The iterations within the bounds, in percent of those of the box and at least one: counted over a grid of the box, each symbol a
/// nominal size.
pub fn share(maps: &Maps<'_>, extents: &[Size]) -> i64 {
    if maps.bounds().is_empty() {
        return 100;
    }
    let value = |size: &Size| size.eval(&|_| NOMINAL);
    let extents: Vec<i64> = extents.iter().map(|extent| value(extent).max(1)).collect();
    let grid = if extents.len() <= 3 { GRID } else { COARSE };
    let places = extents.iter().map(|n| (*n).min(grid)).product::<i64>();
    let inside = |place: &i64| {
        let mut rest = *place;
        let at: Vec<i64> = extents
            .iter()
            .map(|n| {
                let steps = (*n).min(grid);
                let step = rest % steps;
                rest /= steps;
                // The middle of each part.
                (2 * step + 1) * n / (2 * steps)
            })
            .collect();
        let sum = |bound: &Affine| bound.coeffs.iter().zip(&at).map(|(c, i)| c * i).sum::<i64>() + value(&bound.size);
        maps.bounds().iter().filter(|b| b.uniform.is_empty()).all(|bound| sum(bound) >= 0)
    };
    let count = (0..places).filter(inside).count() as i64;
    (100 * count / places.max(1)).max(1)
}

/// The size for which each symbol is taken,
const NOMINAL: i64 = 1000;
/// and the places along each loop, of up to three and of more.
const GRID: i64 = 12;
const COARSE: i64 = 4;

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
