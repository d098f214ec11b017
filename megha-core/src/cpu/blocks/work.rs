//! What a node of a block has to do, for estimates.

use crate::hash::HashSet;

use crate::ir::size::Monomial;
use crate::ir::{Func, Kernel, Lib, Op, Region, Size, Stmt, Value};
use crate::schedule::access::{Access, Maps};
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
    /// Bytes that the points of a kernel read and write.
    pub traffic: Size,
}

/// Those of a statement.
pub fn of(func: &Func, stmt: &Stmt) -> Work {
    match &stmt.op {
        Op::Kernel(kernel) => of_kernel(func, kernel),
        Op::Lib(lib, factors) if lib.multiplies() => {
            let points = func.ty(stmt.results[0]).numel();
            let inner = &func.ty(factors[0]).dims[1];
            Work { work: points.mul(inner), points, ..Work::default() }
        }
        Op::Lib(lib, operands) => Work { work: in_library(func, *lib, operands, stmt), ..Work::default() },
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

/// The amounts of a kernel: those of a point times the points.
fn of_kernel(func: &Func, kernel: &Kernel) -> Work {
    let maps = Maps::of(func, kernel);
    let mut inside = HashSet::default();
    kernel.body.defined(&mut inside);
    let known = |size: &Size| size.symbols().all(|sym| func.symbols.is_known(sym, &|v| !inside.contains(&v)));
    let share = domain::share(&maps, &kernel.domain);
    let of_all = |weigh: &dyn Fn(&Stmt) -> i64| {
        let each = each((&maps, weigh), &known, &kernel.body);
        // Each point of the box stands for its share of those that do something.
        points(kernel).mul(&if share == 100 { each } else { scaled(&each, share) })
    };
    let accesses = maps.accesses();
    let work = of_all(&|stmt| weight(&stmt.op).into());
    let traffic = of_all(&|stmt| {
        let access = accesses.iter().find(|access| std::ptr::eq(access.op, &stmt.op));
        access.map_or(0, |access| bytes(&maps, access, kernel.domain.len()))
    });
    Work { points: points(kernel), work, traffic }
}

/// Bytes that come through a device's caches for an access of one point. What does not depend on the point comes once for all lanes of a warp; of what depends on
/// some of the kernel's loops it is not known whether the lanes go along one of them.
fn bytes(maps: &Maps<'_>, access: &Access<'_>, loops: usize) -> i64 {
    let value = match access.op {
        Op::Load(..) => access.result,
        Op::Put(_, _, value) => Some(*value),
        _ => None,
    };
    let element = value.and_then(|value| maps.class(value).element()).map_or(8, |element| element.bytes() as i64);
    let moves = |axis: &usize| access.step(*axis).is_none_or(|step| step.iter().any(|by| *by != 0));
    match (0..loops).filter(moves).count() {
        0 if loops > 0 => (element / 8).max(1),
        some if some < loops => (element / 2).max(1),
        _ => element,
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

/// What the statements of one point weigh.
fn each((maps, weigh): (&Maps<'_>, &dyn Fn(&Stmt) -> i64), known: &dyn Fn(&Size) -> bool, region: &Region) -> Size {
    let mut sum = Size::default();
    for stmt in &region.stmts {
        sum = sum.add(&Size::constant(weigh(stmt)));
        let times = match &stmt.op {
            Op::For { trip, .. } => maps.trips(*trip).filter(known).unwrap_or(Size::constant(SOME)),
            Op::While { .. } => Size::constant(SOME),
            _ => Size::constant(1),
        };
        for nested in stmt.op.regions() {
            sum = sum.add(&each((maps, weigh), known, nested).mul(&times));
        }
    }
    sum
}
