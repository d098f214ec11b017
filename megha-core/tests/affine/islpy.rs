//! Answers of isl to random systems; `islpy_goldens.py` made the file and describes it.

use super::expr;
use megha_core::affine::{Bounds, Feasibility, System};

fn rows(field: &str) -> Vec<Vec<i64>> {
    let row = |text: &str| text.split(' ').map(|n| n.parse().expect("an integer")).collect();
    field.split(',').filter(|text| !text.is_empty()).map(row).collect()
}

/// Every second answer from `first` on; the two halves run at once. Every answer is known: none of these systems exceeds 128 bits
/// or the work limit.
fn agrees_with_isl(first: usize) {
    let mut count = 0;
    for line in include_str!("islpy_goldens.txt").lines().skip(first).step_by(2) {
        let fields: Vec<&str> = line.split(';').collect();
        let [_, _, nonnegative, zero, objective, feasible, implied, least, most] = fields[..] else {
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
        let (feasibility, bounds) = match (least, most) {
            ("-", "-") => (Feasibility::Infeasible, Bounds::Empty),
            (least, most) => (Feasibility::Feasible, Bounds::Between(least.parse().ok(), most.parse().ok())),
        };
        assert_eq!(feasible == "yes", feasibility == Feasibility::Feasible, "{line}");
        assert_eq!(system.feasibility(), feasibility, "{line}");
        assert_eq!(system.implies(&objective), Some(implied == "yes"), "{line}");
        assert_eq!(system.bounds(&objective), Some(bounds), "{line}");
        count += 1;
    }
    assert_eq!(count, 360);
}

#[test]
fn even_lines_agree_with_isl() {
    agrees_with_isl(0);
}

#[test]
fn odd_lines_agree_with_isl() {
    agrees_with_isl(1);
}
