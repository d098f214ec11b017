//! What operations on regions and the evaluation of access maps cost: `cargo bench -p megha-base --bench region`.

use megha_base::access::{Access, AccessMap, Known, Linear};
use megha_base::plan::SizeExpr;
use megha_base::region::{Layout, Region, Triplet};
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds of a call: the median of rounds.
fn time<R>(name: &str, mut f: impl FnMut() -> R) {
    const CALLS: u32 = 20_000;
    let mut rounds: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            (0..CALLS).for_each(|_| drop(black_box(f())));
            start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!("{name:<44}{:>8.0} ns", rounds[rounds.len() / 2]);
}

fn main() {
    let range = Triplet::range;
    let whole = Region::whole(&[1000, 1000]);
    let upper = Region::section(&[range(0, 1000), range(0, 500)]);
    let lower = Region::section(&[range(0, 1000), range(500, 1000)]);
    let inner = Region::section(&[range(1, 999), range(1, 999)]);
    let halo = Region::section(&[range(0, 1000), range(499, 501)]);
    let odd = Region::section(&[Triplet::new(1, 2, 500), range(0, 1000)]);
    let two = upper.difference(&halo).union(&Region::section(&[range(0, 10), range(700, 800)]));
    let b = |region: &Region| black_box(region.clone());
    time("clone", || b(&whole));
    time("intersection of boxes", || black_box(&upper).intersection(black_box(&halo)));
    time("intersection of two boxes with one", || black_box(&two).intersection(black_box(&upper)));
    time("union of neighbours", || black_box(&upper).union(black_box(&lower)));
    time("union with what is within", || black_box(&whole).union(black_box(&halo)));
    time("difference of half", || black_box(&whole).difference(black_box(&upper)));
    time("difference of the middle (two are left)", || black_box(&whole).difference(black_box(&halo)));
    time("difference of the inside (four are left)", || black_box(&whole).difference(black_box(&inner)));
    time("difference of every second row", || black_box(&whole).difference(black_box(&odd)));
    time("whether one covers another", || black_box(&whole).covers(black_box(&inner)));
    time("equality", || black_box(&two) == black_box(&two));
    time("count", || black_box(&two).count());
    let layout = Layout::columns_first(&[1000, 1000], 8);
    time("copies of a halo of rows", || {
        Region::section(&[range(0, 1), range(0, 1000)]).copies(black_box(&layout), &layout).count()
    });
    maps();
}

/// Maps of a stencil's reference and of one in a product.
fn maps() {
    let sym = |s| SizeExpr { terms: vec![(1, vec![s])] };
    let linear = |constant: i64, factors: &[usize]| Linear {
        constant: SizeExpr::constant(constant).into(),
        factors: factors.iter().map(|at| (*at, SizeExpr::constant(1))).collect(),
    };
    let map = |loops: Vec<Vec<Linear>>, subscripts: Vec<Linear>| AccessMap {
        array: 0,
        access: Access::Read,
        must: true,
        loops,
        subscripts: subscripts.into_iter().map(Some).collect(),
    };
    let known = Known { symbol: &|s| [1000, 900][s], scalar: &|_| 0 };
    let stencil = map(Vec::new(), vec![linear(-1, &[0]), linear(1, &[1])]);
    let trips = Linear { constant: sym(0).into(), factors: Vec::new() };
    let product = map(vec![vec![trips]], vec![linear(0, &[0]), linear(0, &[2])]);
    let sizes = [1000, 900];
    let iterations = [(1, 400), (0, 800)];
    time("map of a stencil's reference", || black_box(&stencil).evaluate(&iterations, &sizes, &known));
    time("map of a product's reference", || black_box(&product).evaluate(&iterations, &sizes, &known));
}
