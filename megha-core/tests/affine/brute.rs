//! Enumeration of small boxes: answers must match exactly, and none may be unknown.

use super::expr;
use megha_core::affine::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A system inside the box `-3..=3` in each variable, and an objective.
#[derive(Debug)]
struct Boxed {
    variables: usize,
    system: System,
    objective: LinExpr,
}

fn boxed() -> impl Strategy<Value = Boxed> {
    (1..=4usize).prop_flat_map(|variables| {
        let row = prop::collection::vec(-6..=6i64, variables + 1);
        let rows = |most| prop::collection::vec(row.clone(), 0..=most);
        (rows(5), rows(2), row.clone()).prop_map(move |(nonnegative, zero, objective)| {
            let mut system = System::new();
            for row in &nonnegative {
                system.require_nonnegative(expr(row));
            }
            for row in &zero {
                system.require_zero(expr(row));
            }
            for var in (0..variables as u32).map(|v| LinExpr::var(Var(v))) {
                system.require_nonnegative(var.checked_offset(3).unwrap());
                system.require_nonnegative(LinExpr::constant(3).checked_sub(&var).unwrap());
            }
            Boxed { variables, system, objective: expr(&objective) }
        })
    })
}

/// All points of the cube `low..=high` in that many dimensions.
fn cube(dimensions: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    (0..dimensions).fold(vec![vec![]], |points, _| {
        points.into_iter().flat_map(|p| (low..=high).map(move |x| [p.as_slice(), &[x]].concat())).collect()
    })
}

/// Whether values satisfy a system, by evaluation.
fn satisfied(system: &System, value: &impl Fn(Var) -> i64) -> bool {
    let holds = |expr: &LinExpr, zero| expr.eval(value).is_some_and(|x| if zero { x == 0 } else { x >= 0 });
    system.constraints().all(|(expr, zero)| holds(expr, zero))
}

/// Values of the objective over the solutions.
fn objective_values(case: &Boxed) -> Vec<i64> {
    let points = cube(case.variables, -3, 3);
    let solutions = points.iter().filter(|p| satisfied(&case.system, &|v| p[v.0 as usize]));
    solutions.filter_map(|p| case.objective.eval(&|v| p[v.0 as usize])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn systems_match_enumeration(case in boxed()) {
        let values = objective_values(&case);
        let feasible = if values.is_empty() { Feasibility::Infeasible } else { Feasibility::Feasible };
        prop_assert_eq!(case.system.feasibility(), feasible);
        prop_assert_eq!(case.system.implies(&case.objective), Some(values.iter().all(|v| *v >= 0)));
        let bounds = match values.iter().min() {
            None => Bounds::Empty,
            least => Bounds::Between(least.copied(), values.iter().max().copied()),
        };
        prop_assert_eq!(case.system.bounds(&case.objective), Some(bounds));
        let sample = case.system.sample();
        prop_assert_eq!(sample.is_some(), !values.is_empty());
        if let Some(sample) = sample {
            let value = |v: Var| sample.iter().find(|(var, _)| *var == v).map_or(0, |(_, x)| *x);
            prop_assert!(satisfied(&case.system, &value));
        }
    }
}

const PARAMETER: Var = Var(100);
const LARGEST_PARAMETER: i64 = 4;

/// A nest whose bounds mention outer loops and the parameter, and an access in it.
#[derive(Debug, Clone)]
struct Statement {
    domain: Domain,
    access: Access,
}

/// `constant + Σ coefficients[k] * loop k + coefficients.last() * n` for a nest whose loop variables start at `base`.
fn nest_expr(base: u32, depth: usize, coefficients: &[i64], parameter: i64, constant: i64) -> LinExpr {
    let loops = coefficients[..depth].iter().enumerate().map(|(k, c)| (Var(base + k as u32), *c));
    LinExpr::from_terms(loops.chain([(PARAMETER, parameter)]), constant).unwrap()
}

fn statement(base: u32, dimensions: usize, kind: AccessKind) -> impl Strategy<Value = Statement> {
    let bounds = prop::collection::vec((0..=2i64, -1..=1i64, 0..=3i64, 0..=1i64), 1..=3);
    let subscripts = prop::collection::vec((prop::collection::vec(-2..=2i64, 3), -1..=1i64, -3..=3i64), dimensions);
    (bounds, subscripts).prop_map(move |(bounds, subscripts)| {
        let depth = bounds.len();
        let mut loops = Vec::new();
        for (level, (lower, outer, upper, parameter)) in bounds.into_iter().enumerate() {
            let mut coefficients = vec![0; level];
            if let Some(last) = coefficients.last_mut() {
                *last = outer;
            }
            let upper = nest_expr(base, level, &coefficients, parameter * (1 - outer.abs()), upper);
            loops.push(Loop { var: Var(base + level as u32), lower: LinExpr::constant(lower), upper });
        }
        let n = LinExpr::var(PARAMETER);
        let domain = Domain::new(loops)
            .assuming(n.clone())
            .assuming(LinExpr::constant(LARGEST_PARAMETER).checked_sub(&n).unwrap());
        let affine =
            |(c, n, constant): (Vec<i64>, i64, i64)| Subscript::Affine(nest_expr(base, depth, &c, n, constant));
        Statement { domain, access: Access { kind, subscripts: subscripts.into_iter().map(affine).collect() } }
    })
}

fn value_at(base: u32, iteration: &[i64], n: i64) -> impl Fn(Var) -> i64 {
    move |v| if v == PARAMETER { n } else { iteration[(v.0 - base) as usize] }
}

/// The iterations of a statement with the elements they touch.
fn iterations(s: &Statement, base: u32, n: i64) -> Vec<(Vec<i64>, Vec<i64>)> {
    let mut found = vec![vec![]];
    for l in &s.domain.loops {
        let extend = |outer: Vec<i64>| {
            let bound = |e: &LinExpr| e.eval(&value_at(base, &outer, n)).unwrap();
            let range = bound(&l.lower)..=bound(&l.upper);
            range.map(|x| [outer.as_slice(), &[x]].concat()).collect::<Vec<_>>()
        };
        found = found.into_iter().flat_map(extend).collect();
    }
    let element = |i: &Vec<i64>| {
        let subscript = |s: &Subscript| match s {
            Subscript::Affine(e) => e.eval(&value_at(base, i, n)).unwrap(),
            Subscript::Strided(_) | Subscript::Unanalysable => unreachable!("none is generated"),
        };
        s.access.subscripts.iter().map(subscript).collect()
    };
    found.into_iter().map(|i| (i.clone(), element(&i))).collect()
}

/// All conflicting pairs of iterations, cut to the common loops.
fn conflicts(first: &Statement, second: &Statement, second_base: u32, common: usize) -> BTreeSet<(Vec<i64>, Vec<i64>)> {
    let mut found = BTreeSet::new();
    for n in 0..=LARGEST_PARAMETER {
        let seconds = iterations(second, second_base, n);
        for (i, element) in iterations(first, 0, n) {
            for (j, _) in seconds.iter().filter(|(_, other)| *other == element) {
                found.insert((i[..common].to_vec(), j[..common].to_vec()));
            }
        }
    }
    found
}

fn direction(x: i64, y: i64) -> Direction {
    Direction::of_distance(y - x)
}

fn two_statements() -> impl Strategy<Value = (Statement, Statement)> {
    (1..=2usize).prop_flat_map(|d| (statement(0, d, AccessKind::Write), statement(10, d, AccessKind::Read)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn direction_vectors_match_enumeration((first, second) in two_statements()) {
        let common = first.domain.loops.len().min(second.domain.loops.len());
        let expected = conflicts(&first, &second, 10, common);
        let pair = Pair::new((&first.domain, &first.access), (&second.domain, &second.access), common);
        let found = pair.dependences();
        let vectors: BTreeSet<Vec<Direction>> =
            expected.iter().map(|(i, j)| i.iter().zip(j).map(|(x, y)| direction(*x, *y)).collect()).collect();
        prop_assert_eq!(found.iter().map(|d| d.directions.clone()).collect::<BTreeSet<_>>(), vectors);
        for dependence in &found {
            prop_assert_eq!(dependence.certainty, Certainty::Proven);
            let (i, j) = pair.example(dependence).expect("a proven dependence has an example");
            prop_assert!(expected.contains(&(i.clone(), j.clone())), "{:?} {:?}", i, j);
            let same = |(i, j): &&(Vec<i64>, Vec<i64>)| {
                i.iter().zip(j).zip(&dependence.directions).all(|((x, y), d)| direction(*x, *y) == *d)
            };
            for (i, j) in expected.iter().filter(same) {
                for (level, distance) in dependence.distance.iter().enumerate() {
                    prop_assert!(distance.is_none_or(|d| d == j[level] - i[level]), "{:?} {:?} {:?}", dependence, i, j);
                }
            }
        }
        for level in 0..common {
            let carries = expected.iter().any(|(i, j)| i[..level] == j[..level] && i[level] != j[level]);
            prop_assert_eq!(pair.carried_by(level).is_some(), carries, "level {}", level);
        }
    }

    #[test]
    fn same_iteration_matches_enumeration(first in statement(0, 2, AccessKind::Write), subscripts in
        prop::collection::vec((prop::collection::vec(-1..=1i64, 3), -1..=1i64), 2)) {
        let depth = first.domain.loops.len();
        let subscripts = subscripts.iter().map(|(c, constant)| nest_expr(0, depth, c, 0, *constant));
        let second = Statement { domain: first.domain.clone(), access: Access::read(subscripts) };
        let expected = conflicts(&first, &second, 0, depth).iter().all(|(i, j)| i == j);
        prop_assert_eq!(same_iteration_only(&first.domain, &first.access, &second.access).is_ok(), expected);
    }
}
