//! What a node of a block has to do, for estimates.

use crate::hash::HashSet;

use crate::ir::size::Monomial;
use crate::ir::{Func, Kernel, Lib, Op, Region, Size, Stmt, Value};
use crate::schedule::access::Maps;
use crate::schedule::domain;
use crate::schedule::weight;
use megha_base::plan::block::FOURIER;

/// Iterations that a sequential loop in a kernel is taken for where its length is not known.
const SOME: i64 = 16;

/// The amounts of a kernel, a product or a library's operation; nothing for other statements.
#[derive(Default)]
pub struct Work {
    /// Points of a kernel, elements of a product.
    pub points: Size,
    /// Simple operations of a kernel, multiplications of a product or in a library.
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
        Op::Lib(lib, operands) => Work { points: Size::default(), work: in_library(func, *lib, operands, stmt) },
        _ => Work::default(),
    }
}

/// Multiplications of an operation of a library, in its order of magnitude, as the run-time system counts them (`megha_rt::device::host_multiplies`).
fn in_library(func: &Func, lib: Lib, operands: &[Value], stmt: &Stmt) -> Size {
    let side = |operand: usize, axis: usize| func.ty(operands[operand]).dim(axis);
    let elements = |operand: usize| func.ty(operands[operand]).numel();
    match lib {
        Lib::LeftDivide => elements(0).mul(&side(0, 1).add(&side(1, 1))),
        Lib::RightDivide => elements(1).mul(&side(1, 0).add(&side(0, 0))),
        lib if lib.factors() => elements(0).mul(&side(0, 1)),
        Lib::Fourier => func.ty(stmt.results[0]).numel().mul(&Size::constant(FOURIER as i64)),
        _ => Size::default(),
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
    let each = each(&maps, &known, &kernel.body);
    match domain::share(&maps, &kernel.domain) {
        100 => points(kernel).mul(&each),
        // Each point of the box stands for its share of those that do something.
        share => points(kernel).mul(&scaled(&each, share)),
    }
}

/// So many hundredths of a size, no coefficient rounded to nothing.
fn scaled(size: &Size, share: i64) -> Size {
    let term = |(product, c): (&Monomial, i64)| {
        let part = (c.saturating_mul(share) / 100).max(c.signum());
        product.iter().fold(Size::constant(part), |p, sym| p.mul(&Size::sym(*sym)))
    };
    size.terms().map(term).fold(Size::default(), |sum, term| sum.add(&term))
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
