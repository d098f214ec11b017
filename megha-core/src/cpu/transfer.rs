//! Assignments that happen at once, in an order in which they may happen one by one.

use super::storage::Slot;
use crate::ir::Value;

/// What becomes of the source of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It is used again: an array is duplicated.
    Copy,
    /// As `Copy` of an array that is updated next: the elements that the update stores are left out, a box of this number.
    CopyAround(usize),
    /// It is dead: an array changes its owner.
    Move,
}

/// An assignment of a value to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// The variable that is assigned.
    pub to: Slot,
    /// The value it gets.
    pub from: Value,
    /// Whether the value is used again.
    pub how: How,
}

/// Splits simultaneous assignments into groups that run one after the other; `reads` gives the variables that the expression for a
/// value reads. Only assignments in a cycle (an exchange of variables) stay in one group.
pub fn sequence(mut pending: Vec<Transfer>, reads: impl Fn(Value) -> Vec<Slot>) -> Vec<Vec<Transfer>> {
    let mut groups = Vec::new();
    while !pending.is_empty() {
        let free = |at: usize| {
            let this = &pending[at];
            let mut others = pending.iter().enumerate().filter(|(other, _)| *other != at);
            others.all(|(_, t)| !reads(t.from).contains(&this.to) && (this.how != How::Move || t.from != this.from))
        };
        match (0..pending.len()).find(|at| free(*at)) {
            Some(at) => groups.push(vec![pending.remove(at)]),
            None => groups.push(std::mem::take(&mut pending)),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(list: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let each = |(at, (to, from)): (usize, &(usize, usize))| {
            let again = list[at + 1..].iter().any(|(_, f)| f == from);
            Transfer { to: Slot(*to), from: Value::new(*from), how: if again { How::Copy } else { How::Move } }
        };
        let groups = sequence(list.iter().enumerate().map(each).collect(), |v| vec![Slot(v.index())]);
        groups.into_iter().map(|g| g.into_iter().map(|t| t.to.0).collect()).collect()
    }

    #[test]
    fn a_chain_runs_from_its_end() {
        assert_eq!(run(&[(1, 0), (2, 1), (3, 2)]), [[3], [2], [1]]);
    }

    #[test]
    fn an_exchange_stays_together() {
        assert_eq!(run(&[(0, 1), (1, 0)]), [[0, 1]]);
        assert_eq!(run(&[(2, 0), (0, 1), (1, 0)]), [vec![2], vec![0, 1]]);
    }
}
