//! Integer feasibility: the Omega test (see the module header for the mathematics).

use super::problem::{GaveUp, Problem, Row, combine, gcd};
use super::range::{Range, rational_range};
use super::system::Feasibility;

/// Rows that one question may produce before it is given up; some tens of milliseconds.
const WORK_LIMIT: usize = 1 << 17;

/// Cases up to which no smaller split is looked for.
const FEW_CASES: i128 = 16;

/// Cases that one enumeration may have.
const CASE_LIMIT: i128 = 1 << 12;

/// Whether a problem has an integer solution.
pub(super) fn feasibility(mut problem: Problem) -> Feasibility {
    // Before anything is combined: most rows of most questions say nothing.
    problem.drop_unbounded(0);
    match solve(problem, &mut Work::limited(WORK_LIMIT)) {
        Ok(true) => Feasibility::Feasible,
        Ok(false) => Feasibility::Infeasible,
        Err(GaveUp) => Feasibility::Unknown,
    }
}

/// What is left of the work limit.
pub(super) struct Work {
    rows_left: usize,
}

impl Work {
    /// That many rows.
    pub fn limited(rows: usize) -> Self {
        Self { rows_left: rows }
    }

    /// Accounts for that many rows.
    pub fn spend(&mut self, rows: usize) -> Result<(), GaveUp> {
        self.rows_left = self.rows_left.checked_sub(rows).ok_or(GaveUp)?;
        Ok(())
    }
}

/// Which shadow a projection computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shadow {
    /// All points below a rational point.
    Real,
    /// Points that are certainly below an integer point.
    Dark,
}

/// A column to project away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// Its index in rows.
    pub column: usize,
    /// Whether its real shadow has no point without an integer point above.
    pub exact: bool,
}

fn solve(mut problem: Problem, work: &mut Work) -> Result<bool, GaveUp> {
    let mut reduced = false;
    loop {
        if !problem.normalise() || !problem.eliminate_equalities()? {
            return Ok(false);
        }
        problem.drop_unbounded(0);
        let Some(choice) = problem.cheapest_column(|_| true) else { return Ok(true) };
        if choice.exact {
            problem.project(choice.column, Shadow::Real, work)?;
        } else if reduced {
            return solve_inexact(&problem, choice.column, work);
        } else {
            problem.reduce_columns()?;
            reduced = true;
        }
    }
}

/// Decides by the shadows of a column if they agree, and by enumeration otherwise.
fn solve_inexact(problem: &Problem, column: usize, work: &mut Work) -> Result<bool, GaveUp> {
    let below = |shadow, work: &mut Work| {
        let mut projected = problem.clone();
        projected.project(column, shadow, work)?;
        solve(projected, work)
    };
    // A shadow that is given up leaves the enumeration to answer.
    if below(Shadow::Real, work) == Ok(false) {
        return Ok(false);
    }
    if below(Shadow::Dark, work) == Ok(true) {
        return Ok(true);
    }
    enumerate(problem, &problem.cheapest_split(column)?, work)
}

/// A finite set of equalities of which every solution satisfies one: forms, and for each the number of values, from zero
/// upwards.
type Split = Vec<(Row, i128)>;

/// How many cases a split has.
fn cases(split: &Split) -> i128 {
    split.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
}

fn enumerate(problem: &Problem, split: &Split, work: &mut Work) -> Result<bool, GaveUp> {
    let mut answer = Ok(false);
    for (form, count) in split {
        for value in 0..*count {
            work.spend(problem.nonnegative.len())?;
            let mut case = problem.clone();
            let mut equality = form.clone();
            equality[0] -= value;
            case.zero.push(equality);
            match solve(case, work) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(GaveUp) => answer = Err(GaveUp),
            }
        }
    }
    answer
}

impl Problem {
    /// Drops the columns after the first `kept` that no equality holds and that are bounded on one side at most, with the rows that hold
    /// them: such a column can always be chosen far enough away.
    pub fn drop_unbounded(&mut self, kept: usize) {
        loop {
            let bounds = self.bound_counts();
            let mut open = vec![false; bounds.len()];
            let mut any = false;
            for column in kept + 1..bounds.len() {
                let [lower, upper] = bounds[column];
                open[column] = (lower == 0) != (upper == 0) && !self.zero.iter().any(|row| row[column] != 0);
                any |= open[column];
            }
            if !any {
                return;
            }
            self.nonnegative.retain(|row| !holds_any(row, &open));
        }
    }

    /// For each column how many inequalities bound it from below, and from above; nothing at index 0.
    fn bound_counts(&self) -> Vec<[usize; 2]> {
        let mut counts = vec![[0; 2]; self.columns + 1];
        for row in &self.nonnegative {
            for column in 1..row.len() {
                if row[column] != 0 {
                    counts[column][usize::from(row[column] < 0)] += 1;
                }
            }
        }
        counts
    }

    /// The column among those wanted whose projection is exact, if there is one, and adds the fewest rows; `None` when
    /// no inequality holds a wanted column.
    pub fn cheapest_column(&self, wanted: impl Fn(usize) -> bool) -> Option<Choice> {
        let mut best: Option<((bool, usize, i128), usize)> = None;
        let bounds = self.bound_counts();
        for column in (1..=self.columns).filter(|column| wanted(*column)) {
            let [lower, upper] = bounds[column];
            if lower + upper == 0 {
                continue;
            }
            let (largest_lower, largest_upper) = self.largest_coefficients(column);
            let exact = largest_lower <= 1 || largest_upper <= 1;
            // With R rows the projection has R - lower - upper + lower * upper; the offset keeps the difference positive.
            let growth = lower * upper + 2 * self.nonnegative.len() - lower - upper;
            let key = (!exact, growth, largest_lower.max(largest_upper));
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, column));
            }
        }
        best.map(|((inexact, ..), column)| Choice { column, exact: !inexact })
    }

    /// The largest magnitudes among the lower and among the upper bounds of a column; zero where there is none.
    fn largest_coefficients(&self, column: usize) -> (i128, i128) {
        self.nonnegative.iter().fold((0, 0), |(l, u), row| (l.max(row[column]), u.max(-row[column])))
    }

    /// Replaces the rows that hold a column by the chosen shadow.
    pub fn project(&mut self, column: usize, shadow: Shadow, work: &mut Work) -> Result<(), GaveUp> {
        let (bounds, mut rest): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.nonnegative).into_iter().partition(|row| row[column] != 0);
        let (lower, upper): (Vec<Row>, Vec<Row>) = bounds.into_iter().partition(|row| row[column] > 0);
        work.spend(lower.len() * upper.len())?;
        rest.reserve(lower.len() * upper.len());
        for l in &lower {
            for u in &upper {
                rest.push(shadow_row(l, u, column, shadow)?);
            }
        }
        self.nonnegative = rest;
        Ok(())
    }

    /// The split with the fewest cases: the splinters on either side of a column, or a strip; if these are many, also
    /// the range over the rational relaxation of a column or of a row, found by projection.
    fn cheapest_split(&self, column: usize) -> Result<Split, GaveUp> {
        let strips = self.strips().map(|(at, count)| vec![(self.nonnegative[at].clone(), count)]);
        let splits = strips.chain([self.splinters(column, 1), self.splinters(column, -1)]);
        let mut cheapest = splits.min_by_key(cases).ok_or(GaveUp)?;
        if cases(&cheapest) > FEW_CASES {
            let by_range = self.ranges().min_by_key(cases).filter(|split| cases(split) < cases(&cheapest));
            cheapest = by_range.unwrap_or(cheapest);
        }
        if cases(&cheapest) <= CASE_LIMIT { Ok(cheapest) } else { Err(GaveUp) }
    }

    /// Splits by the rational range of each column in use and of each row.
    fn ranges(&self) -> impl Iterator<Item = Split> {
        let used = (1..=self.columns).filter(|column| self.nonnegative.iter().any(|row| row[*column] != 0));
        let units = used.map(|column| (0..=self.columns).map(|at| i128::from(at == column)).collect());
        units.chain(self.nonnegative.iter().cloned()).filter_map(|mut form: Row| match rational_range(self, &form) {
            Ok(Range::Between(Some(lower), Some(upper))) => {
                form[0] -= lower;
                Some(vec![(form, upper - lower + 1)])
            }
            Ok(Range::Empty) => Some(Vec::new()),
            Ok(Range::Between(..)) | Err(GaveUp) => None,
        })
    }

    /// Pugh's splinters on the lower (`side` 1) or upper (`side` -1) bounds of a column: `b x - β = i` for
    /// `0 <= i <= (a b - a - b) / a`, where `a` is the largest coefficient on the other side.
    fn splinters(&self, column: usize, side: i128) -> Split {
        let (largest_lower, largest_upper) = self.largest_coefficients(column);
        let a = if side > 0 { largest_upper } else { largest_lower };
        let bounds = self.nonnegative.iter().filter(|row| row[column] * side > 0);
        let count = |row: &Row| {
            let b = row[column] * side;
            a.checked_mul(b).map_or(i128::MAX, |ab| (ab - a - b).div_euclid(a) + 1)
        };
        bounds.map(|row| (row.clone(), count(row))).filter(|(_, count)| *count > 0).collect()
    }
}

/// Whether a row holds one of the marked columns.
fn holds_any(row: &[i128], marked: &[bool]) -> bool {
    for column in 1..row.len() {
        if marked[column] && row[column] != 0 {
            return true;
        }
    }
    false
}

/// The combination of a lower and an upper bound of a column that no longer holds it.
fn shadow_row(lower: &[i128], upper: &[i128], column: usize, shadow: Shadow) -> Result<Row, GaveUp> {
    let (b, a) = (lower[column], -upper[column]);
    let g = gcd(a, b);
    let mut row = Vec::with_capacity(lower.len());
    for (l, u) in lower.iter().zip(upper) {
        row.push(combine(a / g, *l, b / g, *u)?);
    }
    if shadow == Shadow::Dark {
        // The row has been divided by g: subtract the gap divided by g, rounded up.
        let gap = combine(a - 1, b - 1, g - 1, 1)?;
        row[0] = combine(1, row[0], -1, gap.div_euclid(g))?;
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(columns: usize, zero: &[&[i128]], nonnegative: &[&[i128]]) -> Feasibility {
        let rows = |rows: &[&[i128]]| rows.iter().map(|row| row.to_vec()).collect();
        feasibility(Problem::new(columns, rows(zero), rows(nonnegative)))
    }

    #[test]
    fn pughs_example_with_an_empty_dark_shadow() {
        // 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 (Pugh 1991, section 2.3.1): the real shadow is not empty.
        let rows: [&[i128]; 4] = [&[-27, 11, 13], &[45, -11, -13], &[10, 7, -9], &[4, -7, 9]];
        assert_eq!(decide(2, &[], &rows), Feasibility::Infeasible);
    }

    #[test]
    fn pughs_equalities() {
        // 7x + 12y + 31z = 17, 3x + 5y + 14z = 7, 1 <= x <= 40, -50 <= y <= 50 (section 2.1).
        let zero: [&[i128]; 2] = [&[-17, 7, 12, 31], &[-7, 3, 5, 14]];
        let boxed: [&[i128]; 4] = [&[-1, 1, 0, 0], &[40, -1, 0, 0], &[50, 0, 1, 0], &[50, 0, -1, 0]];
        assert_eq!(decide(3, &zero, &boxed), Feasibility::Feasible);
    }

    #[test]
    fn thin_strips_with_huge_coefficients_are_enumerated() {
        // 5 <= 10^9 x - (10^9 - 1) y <= 7 in a box of side 100: the form is x + (10^9 - 1)(x - y), so x = y in 5..7.
        let (big, less) = (1_000_000_000, 999_999_999);
        let rows: [&[i128]; 6] =
            [&[-5, big, -less], &[7, -big, less], &[0, 1, 0], &[100, -1, 0], &[0, 0, 1], &[100, 0, -1]];
        assert_eq!(decide(2, &[], &rows), Feasibility::Feasible);
        let rows: [&[i128]; 6] =
            [&[-5, big, -less], &[7, -big, less], &[0, 1, 0], &[4, -1, 0], &[0, 0, 1], &[100, 0, -1]];
        assert_eq!(decide(2, &[], &rows), Feasibility::Infeasible);
    }

    #[test]
    fn overflow_is_unknown() {
        let big = i128::from(i64::MAX);
        let rows: [&[i128]; 5] = [
            &[1, big, big - 2, big - 5],
            &[1, 3 - big, 7 - big, big - 9],
            &[5, big - 4, 11 - big, 13 - big],
            &[7, 15 - big, big - 21, 1 - big],
            &[-3, 2 - big, 1, 8 - big],
        ];
        assert_eq!(decide(3, &[], &rows), Feasibility::Unknown);
    }
}
