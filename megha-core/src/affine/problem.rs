//! Dense rows in checked 128-bit arithmetic, and their normal form.

use std::cmp::Ordering;

/// A linear form: the constant at index 0, then one coefficient per column.
pub(super) type Row = Vec<i128>;

/// Arithmetic overflowed or the work limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GaveUp;

/// No row holds a larger magnitude, so that sums of two entries and negation never overflow.
const LARGEST: i128 = 1 << 125;

/// `a * x + b * y`.
pub(super) fn combine(a: i128, x: i128, b: i128, y: i128) -> Result<i128, GaveUp> {
    let sum = a.checked_mul(x).zip(b.checked_mul(y)).and_then(|(p, q)| p.checked_add(q));
    sum.filter(|s| (-LARGEST..=LARGEST).contains(s)).ok_or(GaveUp)
}

/// The greatest common divisor; zero only if both are.
pub(super) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    // Division of 128-bit numbers is a library call; almost all numbers are small.
    while b != 0 {
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(x), Ok(y)) => (u128::from(y), u128::from(x % y)),
            _ => (b, a % b),
        };
    }
    a as i128
}

/// The greatest common divisor of the coefficients of a row; zero if it has none.
pub(super) fn content(row: &[i128]) -> i128 {
    let mut g = 0;
    for coefficient in &row[1..] {
        if *coefficient != 0 {
            g = gcd(g, *coefficient);
            if g == 1 {
                break;
            }
        }
    }
    g
}

/// Equalities and inequalities over a fixed number of columns.
#[derive(Debug, Clone)]
pub(super) struct Problem {
    /// The number of columns; rows have one entry more, the constant.
    pub columns: usize,
    /// Forms that are zero.
    pub zero: Vec<Row>,
    /// Forms that are not negative.
    pub nonnegative: Vec<Row>,
    /// A form that is no constraint and is carried through changes of columns.
    pub objective: Option<Row>,
}

impl Problem {
    /// A problem over `columns` columns.
    pub fn new(columns: usize, zero: Vec<Row>, nonnegative: Vec<Row>) -> Self {
        debug_assert!(zero.iter().chain(&nonnegative).all(|row| row.len() == columns + 1));
        Self { columns, zero, nonnegative, objective: None }
    }

    /// Everything that a change of columns must touch.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        self.zero.iter_mut().chain(&mut self.nonnegative).chain(&mut self.objective)
    }

    /// Divides rows by their content, rounds the constants of inequalities, keeps the tightest of parallel rows and
    /// turns opposite rows that meet into equalities. Afterwards opposite inequalities are adjacent. False when a row or
    /// a pair of rows has no solution.
    pub fn normalise(&mut self) -> bool {
        self.normalise_equalities() && self.normalise_inequalities() && self.merge_parallel()
    }

    fn normalise_equalities(&mut self) -> bool {
        let mut solvable = true;
        self.zero.retain_mut(|row| {
            let g = content(row);
            solvable &= if g == 0 { row[0] == 0 } else { row[0] % g == 0 };
            if g > 1 {
                row.iter_mut().for_each(|entry| *entry /= g);
            }
            g != 0
        });
        solvable
    }

    fn normalise_inequalities(&mut self) -> bool {
        let mut solvable = true;
        self.nonnegative.retain_mut(|row| {
            let g = content(row);
            solvable &= g != 0 || row[0] >= 0;
            if g > 1 {
                row[0] = row[0].div_euclid(g);
                row[1..].iter_mut().for_each(|entry| *entry /= g);
            }
            g != 0
        });
        solvable
    }

    fn merge_parallel(&mut self) -> bool {
        self.nonnegative
            .sort_unstable_by(|a, b| compare_lines(a, b).then_with(|| b[1..].cmp(&a[1..])).then(a[0].cmp(&b[0])));
        // In each group of parallel rows those of positive orientation now come first, the tightest leading.
        self.nonnegative.dedup_by(|next, kept| next[1..] == kept[1..]);
        let mut solvable = true;
        let mut at = 0;
        while at + 1 < self.nonnegative.len() {
            if opposite(&self.nonnegative[at], &self.nonnegative[at + 1]) {
                let width = self.nonnegative[at][0] + self.nonnegative[at + 1][0];
                solvable &= width >= 0;
                if width == 0 {
                    self.zero.push(self.nonnegative.remove(at));
                    self.nonnegative.remove(at);
                    continue;
                }
            }
            at += 1;
        }
        solvable
    }

    /// The pairs of adjacent opposite inequalities of a normalised problem: the index of the first of them and the number
    /// of values that the form takes.
    pub fn strips(&self) -> impl Iterator<Item = (usize, i128)> {
        let pairs = self.nonnegative.windows(2).enumerate().filter(|(_, pair)| opposite(&pair[0], &pair[1]));
        pairs.map(|(at, pair)| (at, pair[0][0] + pair[1][0] + 1))
    }
}

// What follows compares rows in plain loops: the compiler runs unoptimised in users' builds, where adapters of iterators took most of the time.

/// Whether the first coefficient that is not zero is negative.
fn is_turned(row: &[i128]) -> bool {
    for coefficient in &row[1..] {
        if *coefficient != 0 {
            return *coefficient < 0;
        }
    }
    false
}

/// Orders rows so that parallel and opposite ones are neighbours.
fn compare_lines(a: &[i128], b: &[i128]) -> Ordering {
    let (a_turned, b_turned) = (is_turned(a), is_turned(b));
    for at in 1..a.len() {
        let x = if a_turned { -a[at] } else { a[at] };
        let y = if b_turned { -b[at] } else { b[at] };
        if x != y {
            return if x < y { Ordering::Less } else { Ordering::Greater };
        }
    }
    Ordering::Equal
}

fn opposite(a: &[i128], b: &[i128]) -> bool {
    for at in 1..a.len() {
        if a[at] != -b[at] {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_rows_merge() {
        // 2x + 3 >= 0 rounds to x >= -1; x >= 1 is tighter; x <= 4 stays opposite.
        let mut p = Problem::new(1, vec![], vec![vec![3, 2], vec![-1, 1], vec![4, -1], vec![9, -1]]);
        assert!(p.normalise());
        assert_eq!(p.nonnegative, vec![vec![-1, 1], vec![4, -1]]);
        assert_eq!(p.strips().map(|(_, count)| count).collect::<Vec<_>>(), vec![4]);
    }

    #[test]
    fn opposite_rows_that_meet_become_an_equality() {
        let mut p = Problem::new(2, vec![], vec![vec![-3, 1, -1], vec![3, -1, 1]]);
        assert!(p.normalise());
        assert_eq!((p.nonnegative.len(), p.zero), (0, vec![vec![-3, 1, -1]]));
    }

    #[test]
    fn contradictions_are_found() {
        assert!(!Problem::new(1, vec![vec![1, 2]], vec![]).normalise());
        assert!(!Problem::new(1, vec![vec![5, 0]], vec![]).normalise());
        assert!(!Problem::new(1, vec![], vec![vec![-1, 0]]).normalise());
        assert!(!Problem::new(1, vec![], vec![vec![-5, 1], vec![4, -1]]).normalise());
    }

    #[test]
    fn arithmetic_is_checked() {
        assert_eq!(combine(1 << 100, 1 << 100, 1, 1), Err(GaveUp));
        assert_eq!(combine(1 << 63, 1 << 63, 0, 0), Err(GaveUp));
        assert_eq!(combine(3, 5, -2, 4), Ok(7));
        assert_eq!(gcd(-(1 << 100), 48), 16);
    }
}
