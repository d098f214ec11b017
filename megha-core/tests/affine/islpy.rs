//! Answers of isl to random systems; `islpy_goldens.py` made the file and describes it.

use super::expr;
use megha_core::affine::{Bounds, Feasibility, System};
use std::collections::BTreeMap;

/// Per family: how many systems there are, and of how many each answer is unknown because 128 bits or the work limit do
/// not suffice: feasibility, implication, bounds.
const EXPECTED: [(&str, [usize; 4]); 6] = [
    ("small", [120, 0, 0, 0]),
    ("boxed", [120, 0, 0, 0]),
    ("equalities", [120, 0, 0, 0]),
    ("billion", [120, 0, 0, 2]),
    ("strip", [120, 0, 0, 0]),
    ("dense", [120, 0, 0, 13]),
];

fn rows(field: &str) -> Vec<Vec<i64>> {
    let row = |text: &str| text.split(' ').map(|n| n.parse().expect("an integer")).collect();
    field.split(',').filter(|text| !text.is_empty()).map(row).collect()
}

#[test]
fn agrees_with_isl() {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for line in include_str!("islpy_goldens.txt").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [family, _, nonnegative, zero, objective, feasible, implied, least, most] = fields[..] else {
            panic!("nine fields in {line}")
        };
        let mut system = System::new();
        for row in rows(nonnegative) {
            system.require_nonnegative(expr(&row));
        }
        for row in rows(zero) {
            system.require_zero(expr(&row));
        }
        let objective = expr(&rows(objective)[0]);
        let count = counts.entry(family).or_default();
        count[0] += 1;
        match system.feasibility() {
            Feasibility::Unknown => count[1] += 1,
            answer => assert_eq!(answer == Feasibility::Feasible, feasible == "yes", "{line}"),
        }
        match system.implies(&objective) {
            None => count[2] += 1,
            Some(answer) => assert_eq!(answer, implied == "yes", "{line}"),
        }
        let expected = match (least, most) {
            ("-", "-") => Bounds::Empty,
            (least, most) => Bounds::Between(least.parse().ok(), most.parse().ok()),
        };
        eprintln!("LINE {line}");
        match system.bounds(&objective) {
            None => count[3] += 1,
            Some(answer) => assert_eq!(answer, expected, "{line}"),
        }
    }
    assert_eq!(counts, BTreeMap::from(EXPECTED));
}
