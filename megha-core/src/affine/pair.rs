//! The dependence test for a pair of accesses (see the module header for the method and its sources).

use std::cell::OnceCell;

use super::access::{Access, AccessKind, Domain};
use super::conflicts::Conflicts;
use super::dependence::{Dependence, Direction};

/// Two accesses to one array, each in its iteration domain, under a number of common outer loops.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    pub(super) first_domain: &'a Domain,
    pub(super) first: &'a Access,
    pub(super) second_domain: &'a Domain,
    pub(super) second: &'a Access,
    pub(super) common: usize,
    /// What decides the questions, set up once for all of them.
    conflicts: OnceCell<Vec<Conflicts>>,
}

/// Whether conflicts between two accesses over one domain stay within an iteration: `Ok` when every pair of conflicting
/// iterations `(i, i')` has `i = i'`, or none conflicts; otherwise a dependence between different iterations.
///
/// This is the condition under which two kernels over that domain may be composed.
pub fn same_iteration_only(domain: &Domain, first: &Access, second: &Access) -> Result<(), Dependence> {
    let pair = Pair::within(domain, first, second);
    match (0..pair.common).find_map(|level| pair.carried_by(level)) {
        None => Ok(()),
        Some(found) => Err(found),
    }
}

/// The directions of a loop that carries.
const EITHER: [Direction; 2] = [Direction::Less, Direction::Greater];
/// The directions of a loop that is refined.
const ALL: [Direction; 3] = [Direction::Less, Direction::Equal, Direction::Greater];

impl<'a> Pair<'a> {
    /// Two accesses, each in its own domain, whose `common` outer loops are compared position by position; their
    /// variables may have different names. Loops further in belong to each access alone. There are at most as many
    /// common loops as either domain has.
    pub fn new(
        (first_domain, first): (&'a Domain, &'a Access),
        (second_domain, second): (&'a Domain, &'a Access),
        common: usize,
    ) -> Self {
        let common = common.min(first_domain.loops.len()).min(second_domain.loops.len());
        Self { first_domain, first, second_domain, second, common, conflicts: OnceCell::new() }
    }

    /// Two accesses in one domain, all of whose loops are common.
    pub fn within(domain: &'a Domain, first: &'a Access, second: &'a Access) -> Self {
        Self::new((domain, first), (domain, second), domain.loops.len())
    }

    /// The same accesses in exchanged roles.
    pub fn reversed(&self) -> Self {
        Self::new((self.second_domain, self.second), (self.first_domain, self.first), self.common)
    }

    /// How many loops are common.
    pub fn common_loops(&self) -> usize {
        self.common
    }

    /// All direction vectors for which conflicting iterations exist, in lexicographic order `<`, `=`, `>`. Empty means
    /// that the accesses are independent; so are two reads.
    pub fn dependences(&self) -> Vec<Dependence> {
        self.search(&vec![ALL.as_slice(); self.common])
    }

    /// A dependence carried by the common loop `level` (0 is the outermost): outer loops are in the same iteration, this
    /// one is not, and directions further in are left as `*`. `None` means that the loop is DOALL as far as these
    /// accesses are concerned, as it does for a level that does not exist.
    pub fn carried_by(&self, level: usize) -> Option<Dependence> {
        if level >= self.common {
            return None;
        }
        let mut tried = vec![[Direction::Equal].as_slice(); level];
        tried.push(&EITHER);
        self.search(&tried).into_iter().next()
    }

    /// As [`Pair::carried_by`], of dependences in which the second access comes first.
    pub fn carried_backwards(&self, level: usize) -> Option<Dependence> {
        let mut tried = vec![[Direction::Equal].as_slice(); level];
        tried.push(&[Direction::Greater]);
        self.search(&tried).into_iter().next()
    }

    /// A dependence in which the first access comes first, or both come in the same iteration of the common loop `level` and those around it.
    pub fn forwards(&self, level: usize) -> Option<Dependence> {
        let mut tried = vec![[Direction::Equal].as_slice(); level];
        tried.push(&[Direction::Less, Direction::Equal]);
        self.search(&tried).into_iter().next()
    }

    /// All direction vectors that begin with so many `=`.
    pub fn dependences_inside(&self, outer: usize) -> Vec<Dependence> {
        let mut tried = vec![[Direction::Equal].as_slice(); outer.min(self.common)];
        tried.resize(self.common, ALL.as_slice());
        self.search(&tried)
    }

    fn search(&self, tried: &[&[Direction]]) -> Vec<Dependence> {
        if self.first.kind == AccessKind::Read && self.second.kind == AccessKind::Read {
            return Vec::new();
        }
        let mut found = Vec::new();
        for conflicts in self.conflicts.get_or_init(|| Conflicts::deciding(self)) {
            conflicts.clone().refine_all(tried, None, &mut found);
        }
        // Alternatives of one pair may have dependences in common.
        found.sort_by(|a: &Dependence, b| a.directions.cmp(&b.directions));
        found.dedup();
        found
    }

    /// Two iterations with the directions of a dependence that touch the same element, as values of the common loop
    /// variables, near each other and with small parameters where possible; `None` if none is found within the limits.
    pub fn example(&self, dependence: &Dependence) -> Option<(Vec<i64>, Vec<i64>)> {
        Conflicts::new(self).into_iter().find_map(|conflicts| {
            let directions = dependence.directions.iter();
            directions.copied().try_fold(conflicts, |known, direction| known.refined(direction))?.example()
        })
    }

    /// Whether a dependence must be assumed where no subscript refutes it.
    pub(super) fn unanalysable(&self) -> bool {
        self.first.subscripts.len() != self.second.subscripts.len()
            || !self.first_domain.determines(self.first)
            || !self.second_domain.determines(self.second)
    }
}
