//! What a node of a block has to do, for estimates.

use crate::hash::HashSet;

use crate::cpu::access::Maps;
use crate::cpu::host::weight;
use crate::ir::{Func, Kernel, Lib, Op, Region, Size, Stmt};

/// Iterations that a sequential loop in a kernel is taken for where its length is not known.
const SOME: i64 = 16;

/// The amounts of a kernel or a product; nothing for what no device does.
#[derive(Default)]
pub struct Work {
    /// Points of a kernel, elements of a product.
    pub points: Size,
    /// Simple operations of a kernel, multiplications of a product.
    pub work: Size,
}

/// Those of a statement.
pub fn of(func: &Func, stmt: &Stmt) -> Work {
    match &stmt.op {
        Op::Kernel(kernel) => Work { points: points(kernel), work: work(func, kernel) },
        Op::Lib(Lib::MatMul, factors) => {
            let points = func.ty(stmt.results[0]).numel();
            let inner = &func.ty(factors[0]).dims[1];
            Work { work: points.mul(inner), points }
        }
        _ => Work::default(),
    }
}

/// Iterations of the loop of each point of a kernel, at most.
pub fn longest(func: &Func, stmt: &Stmt) -> Size {
    let Op::Kernel(kernel) = &stmt.op else { return Size::default() };
    let maps = Maps::of(func, kernel);
    let trips = |stmt: &Stmt| if let Op::For { trip, .. } = &stmt.op { maps.trips(*trip) } else { None };
    kernel.body.stmts.iter().find_map(trips).unwrap_or_default()
}

fn points(kernel: &Kernel) -> Size {
    kernel.domain.iter().fold(Size::constant(1), |n, d| n.mul(d))
}

/// Simple operations of a kernel: those of a point times the points.
fn work(func: &Func, kernel: &Kernel) -> Size {
    let maps = Maps::of(func, kernel);
    let mut inside = HashSet::default();
    kernel.body.defined(&mut inside);
    let known = |size: &Size| size.symbols().all(|sym| func.symbols.is_known(sym, &|v| !inside.contains(&v)));
    points(kernel).mul(&each(&maps, &known, &kernel.body))
}

/// Simple operations of one point.
fn each(maps: &Maps<'_>, known: &dyn Fn(&Size) -> bool, region: &Region) -> Size {
    let mut sum = Size::default();
    for stmt in &region.stmts {
        sum = sum.add(&Size::constant(weight(&stmt.op).into()));
        let times = match &stmt.op {
            Op::For { trip, .. } => maps.trips(*trip).filter(known).unwrap_or(Size::constant(SOME)),
            Op::While { .. } => Size::constant(SOME),
            _ => Size::constant(1),
        };
        for nested in stmt.op.regions() {
            sum = sum.add(&each(maps, known, nested).mul(&times));
        }
    }
    sum
}
