//! What the dependence test answers with.

use std::fmt;

/// How the common loop variable of the second access compares with that of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// `<`: the first access is in an earlier iteration of this loop.
    Less,
    /// `=`: both are in the same iteration.
    Equal,
    /// `>`: the first access is in a later iteration.
    Greater,
    /// `*`: not refined.
    Any,
}

impl Direction {
    /// The direction seen from the other access.
    pub fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            same => same,
        }
    }

    /// The direction of a distance.
    pub fn of_distance(distance: i64) -> Self {
        match distance {
            1.. => Self::Less,
            0 => Self::Equal,
            _ => Self::Greater,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Less => "<",
            Self::Equal => "=",
            Self::Greater => ">",
            Self::Any => "*",
        })
    }
}

/// How sure a dependence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// For some values of the parameters two such iterations exist.
    Proven,
    /// Assumed, because a subscript is unanalysable or the numbers of dimensions differ.
    Unanalysable,
    /// Assumed, because arithmetic overflowed or the work limit was reached.
    LimitReached,
}

/// Which access comes first when the loops run in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first access of the pair: the direction vector is lexicographically positive.
    FirstThenSecond,
    /// The second access: the vector is lexicographically negative.
    SecondThenFirst,
    /// They share the iteration of all common loops; the order of the statements decides.
    SameIteration,
    /// Not determined, as the first direction that is not `=` is `*`.
    Undetermined,
}

/// Conflicting pairs of iterations of the two accesses, all with the same directions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// One direction per common loop, outermost first.
    pub directions: Vec<Direction>,
    /// Per common loop the iteration of the second access minus that of the first, where the subscripts and directions
    /// make it one constant.
    pub distance: Vec<Option<i64>>,
    /// How sure it is.
    pub certainty: Certainty,
}

impl Dependence {
    /// The outermost loop whose iterations differ, which carries the dependence; `None` within one iteration.
    pub fn carrier(&self) -> Option<usize> {
        self.directions.iter().position(|d| *d != Direction::Equal)
    }

    /// Which access comes first.
    pub fn order(&self) -> Order {
        match self.carrier().map(|level| self.directions[level]) {
            None | Some(Direction::Equal) => Order::SameIteration,
            Some(Direction::Less) => Order::FirstThenSecond,
            Some(Direction::Greater) => Order::SecondThenFirst,
            Some(Direction::Any) => Order::Undetermined,
        }
    }

    /// The distance vector, if it is constant in every loop.
    pub fn distance_vector(&self) -> Option<Vec<i64>> {
        self.distance.iter().copied().collect()
    }

    /// The same dependence with the roles of the accesses exchanged. A distance of `i64::MIN`, which has no negative,
    /// is forgotten.
    pub fn reversed(&self) -> Self {
        Self {
            directions: self.directions.iter().map(|d| d.reversed()).collect(),
            distance: self.distance.iter().map(|d| d.and_then(i64::checked_neg)).collect(),
            certainty: self.certainty,
        }
    }
}

impl fmt::Display for Dependence {
    /// `distance (1, 0)` where all distances are constant, otherwise `direction (<, *)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance_vector() {
            Some(distances) => write!(f, "distance {}", tuple(&distances)),
            None => write!(f, "direction {}", tuple(&self.directions)),
        }
    }
}

/// `(a, b)`, or `a` alone.
pub(super) fn tuple(parts: &[impl fmt::Display]) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    if let [only] = parts.as_slice() { only.clone() } else { format!("({})", parts.join(", ")) }
}
