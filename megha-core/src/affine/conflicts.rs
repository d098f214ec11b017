//! The set of conflicting pairs of iterations: front tests and the hierarchy of direction vectors.

use super::access::Subscript;
use super::delinearise::alternatives;
use super::dependence::{Certainty, Dependence, Direction};
use super::equalities::{Reduced, gauss_jordan};
use super::layout::{Layout, Side};
use super::omega;
use super::pair::Pair;
use super::problem::{GaveUp, Problem, Row, combine};
use super::query;
use super::system::Feasibility;

/// The set of conflicting pairs of iterations, possibly with some directions chosen.
///
/// Columns: the distances of the common loops, then all other variables. The distances come first so that Gauss–Jordan
/// elimination, which takes pivots from the end, isolates them.
#[derive(Debug, Clone)]
pub(super) struct Conflicts {
    problem: Problem,
    /// Per common loop the distance if it is one constant; its column is then zero everywhere.
    distance: Vec<Option<i128>>,
    /// Directions chosen so far.
    directions: Vec<Direction>,
    unanalysable: bool,
    /// The column of the first access's outermost loop.
    first_loops: usize,
}

impl Conflicts {
    /// The conflicts of a pair, in alternatives that together are all; none when the front tests show that there is none.
    pub fn new(pair: &Pair) -> Vec<Self> {
        Self::front_tested(Self::alternatives(pair))
    }

    /// As [`Conflicts::new`], without what cannot decide whether there are conflicts in some directions: the rows of variables that nothing
    /// bounds on one side.
    pub fn deciding(pair: &Pair) -> Vec<Self> {
        let mut alternatives = Self::alternatives(pair);
        alternatives.iter_mut().for_each(|conflicts| conflicts.problem.drop_unbounded(pair.common));
        Self::front_tested(alternatives)
    }

    fn front_tested(alternatives: Vec<Self>) -> Vec<Self> {
        alternatives.into_iter().filter_map(Self::front_tests).collect()
    }

    fn alternatives(pair: &Pair) -> Vec<Self> {
        let layout = Layout::new(pair);
        let mut problem = Problem::new(layout.width, Vec::new(), Vec::new());
        layout.add_domain(&mut problem, pair.first_domain, Side::First);
        layout.add_domain(&mut problem, pair.second_domain, Side::Second);
        let mut unanalysable = pair.unanalysable();
        let mut strided = Vec::new();
        if pair.first.subscripts.len() == pair.second.subscripts.len() {
            for subscripts in pair.first.subscripts.iter().zip(&pair.second.subscripts) {
                match subscripts {
                    (Subscript::Affine(first), Subscript::Affine(second)) => {
                        let (a, b) = (layout.row(first, Side::First), layout.row(second, Side::Second));
                        problem.zero.push(a.iter().zip(&b).map(|(x, y)| x - y).collect());
                    }
                    (Subscript::Unanalysable, _) | (_, Subscript::Unanalysable) => {}
                    _ => strided.push(subscripts),
                }
            }
        }
        let mut problems = vec![problem];
        for (first, second) in strided {
            match problems.iter().map(|problem| equal(&layout, problem, first, second)).collect::<Option<Vec<_>>>() {
                Some(alternatives) => problems = alternatives.concat(),
                None => unanalysable = true,
            }
        }
        let (distance, first_loops) = (vec![None; pair.common], layout.first_loops);
        let conflicts = problems.into_iter().map(|problem| {
            let (distance, directions) = (distance.clone(), Vec::new());
            Self { problem, distance, directions, unanalysable, first_loops }
        });
        conflicts.collect()
    }

    /// Reduces the equalities and takes constant distances from them; `None` when they have no solution.
    fn front_tests(self) -> Option<Self> {
        match self.reduced() {
            Ok(reduced) => reduced,
            // Overflow: the rows stay as they are, for the solver to meet.
            Err(GaveUp) => Some(self),
        }
    }

    fn reduced(&self) -> Result<Option<Self>, GaveUp> {
        let Reduced::Rows(rows) = gauss_jordan(self.problem.zero.clone())? else { return Ok(None) };
        let is_distance = |row: &Row| single_column(row).filter(|column| *column <= self.distance.len());
        let (distances, rest): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| is_distance(row).is_some());
        let mut reduced = Self {
            problem: Problem::new(self.problem.columns, rest, self.problem.nonnegative.clone()),
            distance: self.distance.clone(),
            directions: self.directions.clone(),
            ..*self
        };
        for row in distances {
            if let Some(column) = single_column(&row) {
                // The content of a reduced row is one, so the coefficient of its only column is ±1.
                reduced.fix(column, -row[0] * row[column])?;
            }
        }
        Ok(Some(reduced))
    }

    /// Substitutes a constant for a distance.
    fn fix(&mut self, column: usize, value: i128) -> Result<(), GaveUp> {
        self.distance[column - 1] = Some(value);
        for row in self.problem.zero.iter_mut().chain(&mut self.problem.nonnegative) {
            let coefficient = std::mem::take(&mut row[column]);
            row[0] = combine(1, row[0], coefficient, value)?;
        }
        Ok(())
    }

    /// Values of the common loop variables in the two iterations of one conflict.
    pub fn example(&self) -> Option<(Vec<i64>, Vec<i64>)> {
        let values = query::sample(&self.problem)?;
        let levels = 0..self.distance.len();
        let first = levels.clone().map(|level| values[self.first_loops - 1 + level]);
        let second =
            levels.map(|level| values[self.first_loops - 1 + level] + self.distance[level].unwrap_or(values[level]));
        let narrow = |value: i128| i64::try_from(value).ok();
        Some((first.map(narrow).collect::<Option<_>>()?, second.map(narrow).collect::<Option<_>>()?))
    }

    /// Whether there is a conflict.
    fn feasibility(&self) -> Feasibility {
        omega::feasibility(self.problem.clone())
    }

    /// Walks the hierarchy of direction vectors below this set. Its feasibility, where it is not known yet, is decided
    /// only once constant distances no longer tell the way.
    pub fn refine_all(self, tried: &[&[Direction]], known: Option<Feasibility>, found: &mut Vec<Dependence>) {
        let level = self.directions.len();
        if let (Some(directions), Some(distance)) =
            (tried.get(level), self.distance[level..].first().copied().flatten())
        {
            let direction = direction_of(distance);
            if directions.contains(&direction) {
                let mut same = self;
                same.directions.push(direction);
                same.refine_all(tried, known, found);
            }
            return;
        }
        // With one direction to try, the refined set tells as much.
        if let (None, Some([direction])) = (known, tried.get(level)) {
            if let Some(refined) = self.refined(*direction) {
                refined.refine_all(tried, None, found);
            }
            return;
        }
        let feasibility = known.unwrap_or_else(|| self.feasibility());
        if feasibility == Feasibility::Infeasible {
            return;
        }
        let Some(directions) = tried.get(level) else {
            found.push(self.into_dependence(feasibility));
            return;
        };
        for direction in *directions {
            if let Some(refined) = self.refined(*direction) {
                refined.refine_all(tried, None, found);
            }
        }
    }

    /// This set with a direction for the next loop.
    pub fn refined(&self, direction: Direction) -> Option<Self> {
        let mut refined = self.clone();
        refined.directions.push(direction);
        if let Some(distance) = self.distance[self.directions.len()] {
            let agrees = direction == Direction::Any || direction == direction_of(distance);
            return agrees.then_some(refined);
        }
        let column = refined.directions.len();
        let sign = match direction {
            Direction::Less => 1,
            Direction::Greater => -1,
            Direction::Equal => {
                let mut row = vec![0; refined.problem.columns + 1];
                row[column] = 1;
                refined.problem.zero.push(row);
                return refined.front_tests();
            }
            Direction::Any => return Some(refined),
        };
        let mut row = vec![0; refined.problem.columns + 1];
        (row[0], row[column]) = (-1, sign);
        refined.problem.nonnegative.push(row);
        Some(refined)
    }

    fn into_dependence(self, feasibility: Feasibility) -> Dependence {
        let unrefined = self.distance[self.directions.len()..].iter();
        let inner = unrefined.map(|distance| distance.map_or(Direction::Any, direction_of));
        Dependence {
            directions: self.directions.iter().copied().chain(inner).collect(),
            distance: self.distance.iter().map(|d| d.and_then(|d| i64::try_from(d).ok())).collect(),
            certainty: match (feasibility, self.unanalysable) {
                (Feasibility::Unknown, _) => Certainty::LimitReached,
                (_, true) => Certainty::Unanalysable,
                (_, false) => Certainty::Proven,
            },
        }
    }
}

/// A problem with the condition that two subscripts, of which one has symbolic strides, are equal, in alternatives; `None` if what they are
/// is not known.
fn equal(layout: &Layout, problem: &Problem, first: &Subscript, second: &Subscript) -> Option<Vec<Problem>> {
    let found = || -> Result<_, GaveUp> {
        let sides = layout.form(first, Side::First)?.zip(layout.form(second, Side::Second)?);
        let Some((a, b)) = sides else { return Ok(None) };
        alternatives(problem, &a.plus(-1, &b)?)
    };
    let alternatives = found().ok().flatten()?;
    let with = |equations| {
        let mut narrowed = problem.clone();
        narrowed.zero.extend(equations);
        narrowed
    };
    Some(alternatives.into_iter().map(with).collect())
}

fn direction_of(distance: i128) -> Direction {
    Direction::of_distance(distance.signum() as i64)
}

/// The only column with a coefficient, if there is exactly one.
fn single_column(row: &[i128]) -> Option<usize> {
    let mut nonzero = (1..row.len()).filter(|at| row[*at] != 0);
    nonzero.next().filter(|_| nonzero.next().is_none())
}
