//! A dependence in words.

use super::access::{Access, AccessKind, Domain, Subscript};
use super::dependence::{Certainty, Dependence, Direction, Order, tuple};
use super::expr::{LinExpr, Var};
use super::pair::Pair;
use super::polynomial::Polynomial;
use std::fmt;

/// What the array and the variables are called.
pub struct Names<'a> {
    /// The array.
    pub array: &'a str,
    /// A variable.
    pub var: &'a dyn Fn(Var) -> String,
}

/// A dependence in words; the access that is executed first, where that is known, comes first. Its `Display` is one
/// sentence without a full stop:
/// `iteration (i, j) writes A(i + 1, j), iteration (i + 1, j) reads it: distance (1, 0)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The iteration of the earlier access, one expression per common loop.
    pub source_iteration: Vec<String>,
    /// Whether the earlier access reads or writes.
    pub source_kind: AccessKind,
    /// The element of the earlier access, as `A(i + 1, j)`.
    pub source_element: String,
    /// The iteration of the later access; a variable whose distance varies has a prime.
    pub sink_iteration: Vec<String>,
    /// Whether the later access reads or writes.
    pub sink_kind: AccessKind,
    /// The element of the later access in terms of its own iteration.
    pub sink_element: String,
    /// What is known of primed variables, as `i' > i`.
    pub conditions: Vec<String>,
    /// The dependence, its direction from the earlier to the later access.
    pub dependence: Dependence,
    /// Two such iterations in numbers, given where the distance varies and the dependence is proven.
    pub example: Option<(Vec<i64>, Vec<i64>)>,
}

impl Pair<'_> {
    /// Puts one of this pair's dependences into words.
    pub fn explain(&self, dependence: &Dependence, names: &Names) -> Explanation {
        if dependence.order() == Order::SecondThenFirst {
            return self.reversed().explain(&dependence.reversed(), names);
        }
        let sink = Sink { pair: self, dependence, names };
        let own_name = |var: Var| (names.var)(var);
        let varies = dependence.distance_vector().is_none() && dependence.certainty == Certainty::Proven;
        Explanation {
            source_iteration: self.first_domain.loops[..self.common].iter().map(|l| own_name(l.var)).collect(),
            source_kind: self.first.kind,
            source_element: element(names.array, self.first, |sum| sum.display_with(&own_name)),
            sink_iteration: (0..self.common).map(|level| sink.iteration(level)).collect(),
            sink_kind: self.second.kind,
            sink_element: element(names.array, self.second, |sum| sink.subscript(sum)),
            conditions: (0..self.common).filter_map(|level| sink.condition(level)).collect(),
            dependence: dependence.clone(),
            example: if varies { self.example(dependence) } else { None },
        }
    }
}

/// `A(i, j)`; what is not affine is a question mark.
fn element(array: &str, access: &Access, text: impl Fn(&Polynomial) -> String) -> String {
    let subscripts: Vec<String> = access
        .subscripts
        .iter()
        .map(|s| match s {
            Subscript::Affine(expr) => text(&Polynomial::from(expr)),
            Subscript::Strided(sum) => text(sum),
            Subscript::Unanalysable => "?".into(),
        })
        .collect();
    format!("{array}({})", subscripts.join(", "))
}

/// Writes the second access in terms of the first one's iteration.
struct Sink<'a> {
    pair: &'a Pair<'a>,
    dependence: &'a Dependence,
    names: &'a Names<'a>,
}

impl Sink<'_> {
    /// The name that the first access's domain gives a common loop.
    fn common_name(&self, level: usize) -> String {
        (self.names.var)(self.pair.first_domain.loops[level].var)
    }

    /// `i`, `i + 1` or `i'`.
    fn iteration(&self, level: usize) -> String {
        let name = self.common_name(level);
        match self.dependence.distance[level] {
            Some(0) => name,
            Some(distance) if distance < 0 => format!("{name} - {}", distance.unsigned_abs()),
            Some(distance) => format!("{name} + {distance}"),
            None => format!("{name}'"),
        }
    }

    /// `i' > i`, where the distance varies in a known direction.
    fn condition(&self, level: usize) -> Option<String> {
        let name = self.common_name(level);
        match (self.dependence.distance[level], self.dependence.directions[level]) {
            (None, Direction::Less) => Some(format!("{name}' > {name}")),
            (None, Direction::Greater) => Some(format!("{name}' < {name}")),
            (None, Direction::Equal) => Some(format!("{name}' = {name}")),
            (None, Direction::Any) | (Some(_), _) => None,
        }
    }

    /// A subscript with constant distances added to the common loop variables, and primes on all that differ.
    fn subscript(&self, sum: &Polynomial) -> String {
        let loops = &self.pair.second_domain.loops;
        let shifted = loops[..self.pair.common].iter().enumerate().try_fold(sum.clone(), |sum, (level, l)| {
            let moved = LinExpr::var(l.var).checked_offset(self.dependence.distance[level].unwrap_or(0))?;
            sum.substitute(l.var, &Polynomial::from(&moved))
        });
        let name = |var: Var| match loops.iter().position(|l| l.var == var) {
            None => (self.names.var)(var),
            Some(level) if level >= self.pair.common => self.private_name(self.pair.first_domain, var),
            Some(level) if self.dependence.distance[level].is_some() => self.common_name(level),
            Some(level) => format!("{}'", self.common_name(level)),
        };
        shifted.map_or_else(|| "?".into(), |sum| sum.display_with(&name))
    }

    /// The name of a loop of the second access alone: primed if the first access has a loop of that name.
    fn private_name(&self, first: &Domain, var: Var) -> String {
        let prime = if first.loops.iter().any(|l| l.var == var) { "'" } else { "" };
        (self.names.var)(var) + prime
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let may = if self.dependence.certainty == Certainty::Proven { "" } else { "may " };
        let verb = |kind: AccessKind| match (kind, may) {
            (AccessKind::Read, "") => "reads",
            (AccessKind::Read, _) => "read",
            (AccessKind::Write, "") => "writes",
            (AccessKind::Write, _) => "write",
        };
        let same = self.source_element == self.sink_element && self.dependence.certainty != Certainty::Unanalysable;
        let object = if same { "it" } else { &self.sink_element };
        let (first, then) = (verb(self.source_kind), verb(self.sink_kind));
        let element = &self.source_element;
        if self.source_iteration.is_empty() {
            write!(f, "one statement {may}{first} {element}, the other {may}{then} {object}")?;
        } else if self.source_iteration == self.sink_iteration {
            write!(f, "iteration {} {may}{first} {element} and {may}{then} {object}", tuple(&self.source_iteration))?;
        } else {
            let with = if self.conditions.is_empty() { "" } else { " with " };
            let (source, sink) = (tuple(&self.source_iteration), tuple(&self.sink_iteration));
            let conditions = self.conditions.join(", ");
            write!(
                f,
                "iteration {source} {may}{first} {element}, iteration {sink}{with}{conditions} {may}{then} {object}"
            )?;
        }
        if !self.source_iteration.is_empty() {
            write!(f, ": {}", self.dependence)?;
        }
        if let Some((source, sink)) = &self.example {
            write!(f, ", for example {} and {}", tuple(source), tuple(sink))?;
        }
        f.write_str(match self.dependence.certainty {
            Certainty::Proven => "",
            Certainty::Unanalysable => " (assumed, because not all subscripts can be analysed)",
            Certainty::LimitReached => " (assumed, because the exact test reached its limits)",
        })
    }
}
