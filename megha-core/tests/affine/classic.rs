//! The textbook cases of dependence testing.

use Direction::{Equal, Greater, Less};
use megha_core::affine::*;

const I: Var = Var(0);
const J: Var = Var(1);
const K: Var = Var(2);
const N: Var = Var(3);

fn name(var: Var) -> String {
    ["i", "j", "k", "n"][var.0 as usize].into()
}

/// `Σ terms + constant`.
fn e(terms: &[(Var, i64)], constant: i64) -> LinExpr {
    LinExpr::from_terms(terms.iter().copied(), constant).unwrap()
}

/// `var + constant`.
fn v(var: Var, constant: i64) -> LinExpr {
    e(&[(var, 1)], constant)
}

/// `for var = lower:n+past`.
fn upto_n(var: Var, lower: i64, past: i64) -> Loop {
    Loop { var, lower: LinExpr::constant(lower), upper: v(N, past) }
}

fn nest(vars: &[Var]) -> Domain {
    Domain::new(vars.iter().map(|var| upto_n(*var, 1, 0)))
}

fn directions(found: &[Dependence]) -> Vec<Vec<Direction>> {
    found.iter().map(|d| d.directions.clone()).collect()
}

fn explain(pair: &Pair, dependence: &Dependence) -> String {
    pair.explain(dependence, &Names { array: "A", var: &name }).to_string()
}

/// Independent in every way the interface can say it.
fn assert_independent(domain: &Domain, first: &Access, second: &Access) {
    let pair = Pair::within(domain, first, second);
    assert_eq!(pair.dependences(), vec![]);
    assert!((0..pair.common_loops()).all(|level| pair.carried_by(level).is_none()));
    assert_eq!(same_iteration_only(domain, first, second), Ok(()));
}

#[test]
fn even_and_odd_elements_are_independent() {
    assert_independent(&nest(&[I]), &Access::write([e(&[(I, 2)], 0)]), &Access::read([e(&[(I, 2)], 1)]));
    // 2i = 4j + 1 over two loops: the gcd test.
    let w = Access::write([e(&[(I, 2)], 0)]);
    assert_independent(&nest(&[I, J]), &w, &Access::read([e(&[(J, 4)], 1)]));
}

#[test]
fn constant_subscripts() {
    assert_independent(&nest(&[I]), &Access::write([LinExpr::constant(1)]), &Access::read([LinExpr::constant(2)]));
    let (domain, one) = (nest(&[I]), Access::write([LinExpr::constant(1)]));
    let found = Pair::within(&domain, &one, &one).dependences();
    assert_eq!(directions(&found), vec![vec![Less], vec![Equal], vec![Greater]]);
}

#[test]
fn neighbour_has_distance_one() {
    let (domain, w, r) = (nest(&[I]), Access::write([v(I, 1)]), Access::read([v(I, 0)]));
    let pair = Pair::within(&domain, &w, &r);
    let found = pair.dependences();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].order(), found[0].distance_vector()), (Order::FirstThenSecond, Some(vec![1])));
    assert_eq!(explain(&pair, &found[0]), "iteration i writes A(i + 1), iteration i + 1 reads it: distance 1");
    // The other way round the read comes first.
    let (w, r) = (Access::write([v(I, 0)]), Access::read([v(I, 1)]));
    let pair = Pair::within(&domain, &w, &r);
    let found = pair.dependences();
    assert_eq!((found[0].order(), found[0].distance_vector()), (Order::SecondThenFirst, Some(vec![-1])));
    assert_eq!(explain(&pair, &found[0]), "iteration i reads A(i + 1), iteration i + 1 writes it: distance 1");
}

#[test]
fn two_reads_are_independent() {
    assert_independent(&nest(&[I]), &Access::read([v(I, 1)]), &Access::read([v(I, 0)]));
}

#[test]
fn a_shift_by_the_trip_count_is_independent() {
    let shifted = Access::read([e(&[(I, 1), (N, 1)], 0)]);
    assert_independent(&nest(&[I]), &Access::write([v(I, 0)]), &shifted);
    // One less, and the last iteration reads what the first one ... writes: A(1 + n - 1) = A(n).
    let nearly = Access::read([e(&[(I, 1), (N, 1)], -1)]);
    let (domain, w) = (nest(&[I]), Access::write([v(I, 0)]));
    let found = Pair::within(&domain, &w, &nearly).dependences();
    assert_eq!(directions(&found), vec![vec![Equal], vec![Greater]]);
}

#[test]
fn a_distance_beyond_the_bounds_is_no_dependence() {
    let loops = [Loop { var: I, lower: LinExpr::constant(1), upper: LinExpr::constant(10) }];
    let (domain, w) = (Domain::new(loops), Access::write([v(I, 0)]));
    assert_independent(&domain, &w, &Access::read([v(I, -10)]));
    assert_eq!(Pair::within(&domain, &w, &Access::read([v(I, -9)])).dependences().len(), 1);
}

#[test]
fn transposition() {
    let (domain, w, r) = (nest(&[I, J]), Access::write([v(I, 0), v(J, 0)]), Access::read([v(J, 0), v(I, 0)]));
    let pair = Pair::within(&domain, &w, &r);
    let found = pair.dependences();
    assert_eq!(directions(&found), vec![vec![Less, Greater], vec![Equal, Equal], vec![Greater, Less]]);
    assert_eq!(
        explain(&pair, &found[0]),
        "iteration (i, j) writes A(i, j), iteration (i', j') with i' > i, j' < j reads A(j', i'): direction (<, >), \
         for example (1, 2) and (2, 1)"
    );
    assert_eq!(explain(&pair, &found[1]), "iteration (i, j) writes A(i, j) and reads A(j, i): distance (0, 0)");
    assert!(pair.carried_by(0).is_some());
    assert!(pair.carried_by(1).is_none(), "with i equal, j is equal");
    assert!(same_iteration_only(&domain, &w, &r).is_err());
}

#[test]
fn a_triangle_and_its_mirror_image_do_not_meet() {
    // for i = 1:n, for j = 1:i-1: A(i, j) and A(j, i) are on different sides of the diagonal.
    let inner = Loop { var: J, lower: LinExpr::constant(1), upper: v(I, -1) };
    let domain = Domain::new([upto_n(I, 1, 0), inner]);
    let (w, r) = (Access::write([v(I, 0), v(J, 0)]), Access::read([v(J, 0), v(I, 0)]));
    assert_independent(&domain, &w, &r);
    // With the diagonal they meet on it, in the same iteration.
    let with_diagonal = Domain::new([upto_n(I, 1, 0), Loop { var: J, lower: LinExpr::constant(1), upper: v(I, 0) }]);
    assert_eq!(directions(&Pair::within(&with_diagonal, &w, &r).dependences()), vec![vec![Equal, Equal]]);
    assert_eq!(same_iteration_only(&with_diagonal, &w, &r), Ok(()));
}

#[test]
fn coupled_subscripts() {
    let domain = nest(&[I, J]);
    let rotated = |a, b| [e(&[(I, 1), (J, 1)], a), e(&[(I, 1), (J, -1)], b)];
    // A(i+j, i-j) meets itself only in the same iteration.
    let w = Access::write(rotated(0, 0));
    assert_eq!(same_iteration_only(&domain, &w, &w), Ok(()));
    // A(i+j, i-j) and A(i+j+1, i-j+1): distance (-1, 0), found from both rows together.
    let found = Pair::within(&domain, &w, &Access::read(rotated(1, 1))).dependences();
    assert_eq!(found.iter().map(Dependence::distance_vector).collect::<Vec<_>>(), vec![Some(vec![-1, 0])]);
    // A shift by (1, 0) has no integer solution.
    assert_independent(&domain, &w, &Access::read(rotated(1, 0)));
}

#[test]
fn a_product_of_variables_cannot_be_analysed() {
    // A(n*i + j) is refused by the expression type; as unanalysable it conflicts with everything.
    assert_eq!(LinExpr::var(N).checked_mul(&LinExpr::var(I)), None);
    let unknown = Access { kind: AccessKind::Write, subscripts: vec![Subscript::Unanalysable] };
    let (domain, r) = (nest(&[I]), Access::read([v(I, 0)]));
    let pair = Pair::within(&domain, &unknown, &r);
    let found = pair.dependences();
    assert_eq!(directions(&found), vec![vec![Less], vec![Equal], vec![Greater]]);
    assert!(found.iter().all(|d| d.certainty == Certainty::Unanalysable));
    assert_eq!(
        explain(&pair, &found[0]),
        "iteration i may write A(?), iteration i' with i' > i may read A(i'): direction < \
         (assumed, because not all subscripts can be analysed)"
    );
}

#[test]
fn other_dimensions_disprove_what_one_cannot() {
    let access = |kind, column| Access { kind, subscripts: vec![Subscript::Unanalysable, Subscript::Affine(column)] };
    let domain = nest(&[I]);
    let (w, r) = (access(AccessKind::Write, LinExpr::constant(1)), access(AccessKind::Read, LinExpr::constant(2)));
    assert_independent(&domain, &w, &r);
    let own_column = access(AccessKind::Write, v(I, 0));
    assert_eq!(same_iteration_only(&domain, &own_column, &own_column), Ok(()));
}

#[test]
fn a_remainder_is_a_private_variable() {
    // A(mod(i, 4)): r = i - 4q with 0 <= r <= 3, where q is an inner variable of each access alone.
    let q = Loop { var: K, lower: LinExpr::constant(0), upper: v(N, 0) };
    let remainder = e(&[(I, 1), (K, -4)], 0);
    let domain = Domain::new([upto_n(I, 0, 0), q])
        .assuming(remainder.clone())
        .assuming(LinExpr::constant(3).checked_sub(&remainder).unwrap());
    let w = Access::write([remainder.clone()]);
    let pair = Pair::new((&domain, &w), (&domain, &w), 1);
    assert_eq!(directions(&pair.dependences()), vec![vec![Less], vec![Equal], vec![Greater]]);
    // Within four iterations each has its own element.
    let short = domain.assuming(e(&[(N, -1)], 3));
    let pair = Pair::new((&short, &w), (&short, &w), 1);
    assert_eq!(directions(&pair.dependences()), vec![vec![Equal]]);
}

#[test]
fn different_numbers_of_dimensions_are_assumed_to_conflict() {
    let (domain, w, r) = (nest(&[I]), Access::write([v(I, 0)]), Access::read([v(I, 0), v(I, 0)]));
    let found = Pair::within(&domain, &w, &r).dependences();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|d| d.certainty == Certainty::Unanalysable));
}

#[test]
fn an_empty_domain_has_no_dependence() {
    let domain = nest(&[I]).assuming(e(&[(N, -1)], 0));
    let w = Access::write([LinExpr::constant(1)]);
    assert_independent(&domain, &w, &w);
}

#[test]
fn matrix_product() {
    // c(i, j) = c(i, j) + a(i, k) * b(k, j) in the nest i, j, k.
    let (domain, w, r) = (nest(&[I, J, K]), Access::write([v(I, 0), v(J, 0)]), Access::read([v(I, 0), v(J, 0)]));
    for second in [&w, &r] {
        let pair = Pair::within(&domain, &w, second);
        assert!(pair.carried_by(0).is_none() && pair.carried_by(1).is_none());
        let carried = pair.carried_by(2).unwrap();
        assert_eq!(carried.distance, vec![Some(0), Some(0), None]);
        assert_eq!((carried.carrier(), carried.directions[2]), (Some(2), Less));
    }
    let pair = Pair::within(&domain, &w, &r);
    assert_eq!(
        explain(&pair, &pair.carried_by(2).unwrap()),
        "iteration (i, j, k) writes A(i, j), iteration (i, j, k') with k' > k reads it: direction (=, =, <), \
         for example (1, 1, 1) and (1, 1, 2)"
    );
}

#[test]
fn initialisation_before_an_inner_loop() {
    // for i, j: c(i, j) = 0; for k: c(i, j) += ...: the statements meet in the same (i, j) only.
    let (outer, inner) = (nest(&[I, J]), nest(&[I, J, K]));
    let w = Access::write([v(I, 0), v(J, 0)]);
    let found = Pair::new((&outer, &w), (&inner, &w), 2).dependences();
    assert_eq!(directions(&found), vec![vec![Equal, Equal]]);
    assert_eq!(found[0].order(), Order::SameIteration);
}

/// `for i = 2:n-1, for j = 2:n-1` and the reads of a 5-point stencil.
fn stencil() -> (Domain, Access, Vec<Access>) {
    let domain = Domain::new([upto_n(I, 2, -1), upto_n(J, 2, -1)]);
    let at = |di, dj| [v(I, di), v(J, dj)];
    let reads = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(di, dj)| Access::read(at(di, dj)));
    (domain, Access::write(at(0, 0)), reads.into())
}

#[test]
fn gauss_seidel_carries_both_loops() {
    let (domain, w, reads) = stencil();
    let pairs: Vec<Pair> = reads.iter().map(|r| Pair::within(&domain, &w, r)).collect();
    let distances: Vec<_> = pairs.iter().flat_map(Pair::dependences).map(|d| d.distance_vector().unwrap()).collect();
    assert_eq!(distances, vec![vec![1, 0], vec![-1, 0], vec![0, 1], vec![0, -1]]);
    for level in 0..2 {
        assert!(pairs.iter().any(|pair| pair.carried_by(level).is_some()));
    }
    let up = &pairs[1];
    assert_eq!(
        explain(up, &up.dependences()[0]),
        "iteration (i, j) reads A(i + 1, j), iteration (i + 1, j) writes it: distance (1, 0)"
    );
}

#[test]
fn jacobi_carries_no_space_loop() {
    // for t: for i, j: new(i, j) = old(...); the write meets only itself.
    let (domain, w, _) = stencil();
    assert_eq!(same_iteration_only(&domain, &w, &w), Ok(()));
    // In place over time with two planes, u(t+1, i) from u(t, i-1) and u(t, i+1): only t carries.
    let domain = Domain::new([upto_n(K, 1, 0), upto_n(I, 2, -1)]);
    let w = Access::write([v(K, 1), v(I, 0)]);
    for offset in [-1, 0, 1] {
        let r = Access::read([v(K, 0), v(I, offset)]);
        let pair = Pair::within(&domain, &w, &r);
        let found = pair.dependences();
        assert_eq!(found.iter().map(Dependence::distance_vector).collect::<Vec<_>>(), vec![Some(vec![1, -offset])]);
        assert!(pair.carried_by(0).is_some() && pair.carried_by(1).is_none());
    }
}

#[test]
fn renamed_loops_compare_by_position() {
    // for i: A(i) = ..., for j: ... = A(j + 1): fusing them would read one iteration too early.
    let (first, second) = (nest(&[I]), nest(&[J]));
    let (w, r) = (Access::write([v(I, 0)]), Access::read([v(J, 1)]));
    let pair = Pair::new((&first, &w), (&second, &r), 1);
    let found = pair.dependences();
    assert_eq!(found[0].distance_vector(), Some(vec![-1]));
    assert_eq!(found[0].order(), Order::SecondThenFirst);
    // Nothing common: they merely conflict.
    let apart = Pair::new((&first, &w), (&second, &r), 0);
    let found = apart.dependences();
    assert_eq!(directions(&found), vec![vec![]]);
    assert_eq!(explain(&apart, &found[0]), "one statement writes A(i), the other reads A(j + 1)");
}

#[test]
fn overflow_is_assumed_dependent() {
    let big = |a: i64, b: i64, c: i64| e(&[(I, i64::MAX - a), (J, i64::MAX - b), (K, i64::MAX - c)], 1);
    let domain = nest(&[I, J, K]);
    let (w, r) = (Access::write([big(0, 4, 10), big(6, 1, 3)]), Access::read([big(8, 20, 2), big(35, 2, 16)]));
    let found = Pair::within(&domain, &w, &r).dependences();
    assert!(!found.is_empty());
    assert!(found.iter().all(|d| d.certainty != Certainty::Unanalysable));
}
