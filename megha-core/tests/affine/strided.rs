//! Subscripts with symbolic strides against enumeration: no conflict is missed, whatever the sizes are, and what is usual is proven.

use megha_core::affine::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Loops `i`, `j`, `k` of the first access, those of the second, and sizes.
const LOOPS: [[Var; 3]; 2] = [[Var(0), Var(1), Var(2)], [Var(10), Var(11), Var(12)]];
const SIZES: [Var; 3] = [Var(20), Var(21), Var(22)];

fn var(var: Var) -> Polynomial {
    Polynomial::from(&LinExpr::var(var))
}

fn number(value: i64) -> Polynomial {
    Polynomial::from(&LinExpr::constant(value))
}

fn sum(terms: &[Polynomial]) -> Polynomial {
    terms.iter().fold(Polynomial::default(), |sum, term| sum.checked_add(term).unwrap())
}

fn product(factors: &[Polynomial]) -> Polynomial {
    factors.iter().fold(number(1), |product, factor| product.checked_mul(factor).unwrap())
}

/// Loops from these numbers to below a size and these numbers.
fn nest(side: usize, ends: &[(i64, usize, i64)]) -> Domain {
    let one = |(at, (from, size, more)): (usize, &(i64, usize, i64))| Loop {
        var: LOOPS[side][at],
        lower: LinExpr::constant(*from),
        upper: LinExpr::var(SIZES[*size]).checked_offset(more - 1).unwrap(),
    };
    Domain::new(ends.iter().enumerate().map(one))
}

fn access(kind: AccessKind, subscript: Polynomial) -> Access {
    Access { kind, subscripts: vec![Subscript::Strided(subscript)] }
}

/// All iterations of a nest at these sizes.
fn iterations(domain: &Domain, sizes: [i64; 3]) -> Vec<Vec<i64>> {
    domain.loops.iter().fold(vec![vec![]], |outer, l| {
        let value = |v: Var| SIZES.iter().position(|s| *s == v).map_or(0, |at| sizes[at]);
        let (lower, upper) = (l.lower.eval(&value).unwrap(), l.upper.eval(&value).unwrap());
        outer.into_iter().flat_map(|i| (lower..=upper).map(move |x| [i.as_slice(), &[x]].concat())).collect()
    })
}

fn element(access: &Access, side: usize, iteration: &[i64], sizes: [i64; 3]) -> i64 {
    let value = |v: Var| match LOOPS[side].iter().position(|l| *l == v) {
        Some(at) => iteration[at],
        None => sizes[(v.0 - 20) as usize],
    };
    match &access.subscripts[0] {
        Subscript::Strided(sum) => sum.eval(&value).unwrap(),
        Subscript::Affine(_) | Subscript::Unanalysable => unreachable!("none is generated"),
    }
}

/// The direction vectors of all conflicts at these sizes.
fn conflicts(pair: [(&Domain, &Access); 2], most: i64) -> BTreeSet<Vec<Direction>> {
    let mut found = BTreeSet::new();
    let range = -1..=most;
    for sizes in range.clone().flat_map(|n| range.clone().map(move |m| [n, m, (n + m).rem_euclid(4)])) {
        let [first, second] = [0, 1].map(|side| {
            let (domain, access) = pair[side];
            let touched = iterations(domain, sizes).into_iter();
            touched.map(|i| (element(access, side, &i, sizes), i)).collect::<Vec<_>>()
        });
        for (at, i) in &first {
            for (_, j) in second.iter().filter(|(other, _)| other == at) {
                found.insert(i.iter().zip(j).map(|(x, y)| Direction::of_distance(y - x)).collect());
            }
        }
    }
    found
}

/// One of the strides that programs have.
fn stride(which: usize) -> Polynomial {
    let m = var(SIZES[1]);
    match which {
        0 => m,
        1 => sum(&[m, number(1)]),
        2 => sum(&[m, number(-1)]),
        3 => product(&[m, number(2)]),
        4 => sum(&[product(&[m, number(2)]), number(1)]),
        _ => sum(&[m, number(2)]),
    }
}

type Ends = ((i64, i64), (i64, i64));

/// `(i + a)*stride + b*j + c` in two loops.
fn statement(side: usize, kind: AccessKind, which: usize, random: (Ends, [i64; 3])) -> (Domain, Access) {
    let (((i, n), (j, m)), [a, b, c]) = random;
    let outer = sum(&[var(LOOPS[side][0]), number(a)]);
    let inner = product(&[number(b), var(LOOPS[side][1])]);
    let subscript = sum(&[product(&[outer, stride(which)]), inner, number(c)]);
    (nest(side, &[(i, 0, n), (j, 1, m)]), access(kind, subscript))
}

fn random() -> impl Strategy<Value = (Ends, [i64; 3])> {
    let end = || (0i64..=1, -1i64..=1);
    ((end(), end()), [-1i64..=1, -1i64..=2, -2i64..=2])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_conflict_is_missed(strides in (0usize..6, 0usize..8), one in random(), other in random()) {
        // Mostly both have the same stride.
        let second_stride = if strides.1 < 6 { strides.0 } else { strides.1 - 6 };
        let (first, written) = statement(0, AccessKind::Write, strides.0, one);
        let (second, read) = statement(1, AccessKind::Read, second_stride, other);
        let expected = conflicts([(&first, &written), (&second, &read)], 4);
        let pair = Pair::new((&first, &written), (&second, &read), 2);
        let found = pair.dependences();
        let vectors: BTreeSet<_> = found.iter().map(|d| d.directions.clone()).collect();
        prop_assert!(expected.is_subset(&vectors), "{:?} of {:?}", vectors, expected);
        for level in 0..2 {
            let carries = expected.iter().any(|v| v.iter().position(|d| *d != Direction::Equal) == Some(level));
            prop_assert!(!carries || pair.carried_by(level).is_some(), "level {}", level);
        }
        // What is proven to be a conflict is one, at some sizes.
        for dependence in found.iter().filter(|d| d.certainty == Certainty::Proven) {
            if let Some((i, j)) = pair.example(dependence) {
                let sizes = (-1..=40).flat_map(|n| (-1..=40).map(move |m| [n, m, 0]));
                let mut conflicts = sizes.filter(|sizes| {
                    let inside = |domain: &Domain, iteration: &[i64]| is_inside(domain, iteration, *sizes);
                    let same = || element(&written, 0, &i, *sizes) == element(&read, 1, &j, *sizes);
                    inside(&first, &i) && inside(&second, &j) && same()
                });
                prop_assert!(conflicts.next().is_some(), "{:?}: {:?} and {:?}", dependence, i, j);
            }
        }
    }
}

fn is_inside(domain: &Domain, iteration: &[i64], sizes: [i64; 3]) -> bool {
    let value = |v: Var| SIZES.iter().position(|s| *s == v).map_or(0, |at| sizes[at]);
    domain.loops.iter().zip(iteration).all(|(l, x)| {
        let (lower, upper) = (l.lower.eval(&value).unwrap(), l.upper.eval(&value).unwrap());
        (lower..=upper).contains(x)
    })
}

/// The direction vectors between a write and a read in the same nest; none if they are not known.
fn directions(ends: &[(i64, usize, i64)], written: &Polynomial, read: &Polynomial) -> Option<Vec<Vec<Direction>>> {
    let domain = nest(0, ends);
    let (first, second) = (access(AccessKind::Write, written.clone()), access(AccessKind::Read, read.clone()));
    let found = Pair::within(&domain, &first, &second).dependences();
    let is_known = found.iter().all(|d| d.certainty == Certainty::Proven);
    is_known.then(|| found.into_iter().map(|d| d.directions).collect())
}

#[test]
fn rows_are_apart_where_the_loops_say_so() {
    use Direction::{Equal, Greater, Less};
    let [i, j, k] = LOOPS[0].map(var);
    let [n, m, p] = SIZES.map(var);
    let same = Some(vec![vec![Equal, Equal]]);
    let at = |row: &Polynomial, stride: &Polynomial, more: &Polynomial| {
        sum(&[product(&[row.clone(), stride.clone()]), more.clone()])
    };
    let own = at(&i, &m, &j);
    assert_eq!(directions(&[(0, 0, 0), (0, 1, 0)], &own, &own), same);
    // A row that is longer than its stride runs over into the next one.
    let over = directions(&[(0, 0, 0), (1, 1, 1)], &own, &own);
    assert_eq!(over, same);
    let over = directions(&[(0, 0, 0), (0, 1, 0)], &own, &sum(&[own.clone(), number(1)]));
    assert_eq!(over, Some(vec![vec![Equal, Greater], vec![Greater, Less], vec![Greater, Equal]]));
    assert_eq!(directions(&[(0, 0, 0), (0, 1, 1)], &own, &own), None, "m may be zero");
    assert_eq!(directions(&[(0, 0, 0), (0, 0, 0)], &own, &own), None, "nothing is known of n and m");
    // Stencils: the row before, and the element before in rows without their borders.
    let above = at(&sum(&[i.clone(), number(-1)]), &m, &j);
    assert_eq!(directions(&[(1, 0, 0), (0, 1, 0)], &own, &above), Some(vec![vec![Less, Equal]]));
    let before = sum(&[own.clone(), number(-1)]);
    assert_eq!(directions(&[(0, 0, 0), (1, 1, 0)], &own, &before), Some(vec![vec![Equal, Less]]));
    // Padded rows, pairs, squares, three dimensions.
    let padded = at(&i, &sum(&[m.clone(), number(2)]), &j);
    assert_eq!(directions(&[(0, 0, 0), (0, 1, 2)], &padded, &padded), same);
    let even = at(&i, &product(&[number(2), m.clone()]), &product(&[number(2), j.clone()]));
    let odd = sum(&[even.clone(), number(1)]);
    assert_eq!(directions(&[(0, 0, 0), (0, 1, 0)], &even, &odd), Some(vec![]));
    let all = Some(vec![vec![Equal; 3]]);
    let solid = at(&at(&i, &m, &j), &p, &k);
    assert_eq!(directions(&[(0, 0, 0), (0, 1, 0), (0, 2, 0)], &solid, &solid), all);
    let cube = at(&at(&i, &n, &j), &n, &k);
    assert_eq!(directions(&[(0, 0, 0), (0, 0, 0), (0, 0, 0)], &cube, &cube), all);
    let shell = sum(&[n.clone(), number(1)]);
    let shelled = at(&at(&i, &shell, &j), &shell, &k);
    assert_eq!(directions(&[(0, 0, 0), (0, 0, 1), (0, 0, 1)], &shelled, &shelled), all);
}
