//! Regions: sets of elements of one array, a handful of disjoint sections (boxes with steps) over its index space.
//!
//! They say which elements a kernel touches and where elements are current: what moves between host, devices and buffers is their
//! difference. Mekong (Matz 2020, sections 4.5 and 4.6) keeps sorted intervals of linear addresses; boxes say the same for every order in
//! memory, need one where rows need many intervals, and do not change when an array is packed.
//!
//! A region either is the set that was asked for ([`Region::is_exact`]) or contains it: where more than [`MAX_SECTIONS`] sections would be
//! needed, some are replaced by their hull. So approximation is upwards only, through every operation. Therefore keep what is *stale*
//! somewhere rather than what is current there: too large a region costs transfers then, and never a result. What a copy has in fact moved
//! is [`Region::as_it_is`].

mod copies;
mod list;
mod section;
#[cfg(test)]
mod tests;
mod triplet;

pub use copies::{Copy, Costs, Layout, Transfer, Way};
pub use list::Sections;
pub use section::{MAX_RANK, Section};
pub use triplet::Triplet;
pub(crate) use triplet::gcd;

/// Most sections of a region.
pub const MAX_SECTIONS: usize = 8;

/// A set of elements of an array. Two are equal if their elements are, however they are cut into sections and whether or not they are exact.
#[derive(Debug, Clone)]
pub struct Region {
    sections: Sections,
    exact: bool,
}

impl Region {
    /// No elements.
    pub fn empty() -> Self {
        Self { sections: Sections::new(), exact: true }
    }

    /// All elements of an array with these sizes.
    ///
    /// # Panics
    /// With more than [`MAX_RANK`] sizes.
    pub fn whole(sizes: &[i64]) -> Self {
        let mut dims = [Triplet::ZERO; MAX_RANK];
        dims.iter_mut().zip(sizes).for_each(|(dim, size)| *dim = Triplet::range(0, *size));
        assert!(sizes.len() <= MAX_RANK, "an array has at most {MAX_RANK} dimensions");
        Section::new(&dims).into()
    }

    /// The elements with these subscripts.
    ///
    /// # Panics
    /// With more than [`MAX_RANK`] triplets.
    pub fn section(dims: &[Triplet]) -> Self {
        Section::new(dims).into()
    }

    /// The sections; no two have a common element, and none is empty.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Whether these are the elements that were asked for, and not more.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The same elements as a set that contains the one that was asked for.
    pub fn widened(mut self) -> Self {
        self.exact = false;
        self
    }

    /// The same elements as what is asked for from now on: what was copied or made current is all that the region says.
    pub fn as_it_is(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// How many elements.
    pub fn count(&self) -> i64 {
        self.sections.iter().map(Section::count).fold(0, i64::saturating_add)
    }

    /// Whether an element is in it; subscripts from zero.
    pub fn contains(&self, at: &[i64]) -> bool {
        self.sections.iter().any(|s| s.contains(at))
    }

    /// Whether all elements of another region are in it.
    pub fn covers(&self, other: &Self) -> bool {
        if let [one] = self.sections() {
            return other.sections.iter().all(|s| one.covers(s));
        }
        match other.count() {
            // More than can be counted: what is left must be nothing, and where that would need too many pieces the answer is no.
            i64::MAX => {
                let (rest, all) = remainder(other.sections(), self.sections());
                all && rest.is_empty()
            }
            count => self.common(other) == count,
        }
    }

    /// How many elements two regions have both: sections of one are disjoint, so the parts that they have in common are too.
    fn common(&self, other: &Self) -> i64 {
        let pairs = self.sections.iter().flat_map(|a| other.sections.iter().map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| a.intersection(b)).map(|s| s.count()).fold(0, i64::saturating_add)
    }

    /// Whether two regions have an element both.
    pub fn meets(&self, other: &Self) -> bool {
        self.sections.iter().any(|a| other.sections.iter().any(|b| a.intersection(b).is_some()))
    }

    /// The least section that covers it.
    pub fn hull(&self) -> Option<Section> {
        self.sections.iter().copied().reduce(|a, b| a.hull(&b))
    }

    /// The elements of both.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut sections = Sections::new();
        for a in self.sections.iter() {
            other.sections.iter().filter_map(|b| a.intersection(b)).for_each(|s| sections.push(s));
        }
        Self { sections, exact: self.exact && other.exact }.tidied()
    }

    /// The elements of either.
    pub fn union(&self, other: &Self) -> Self {
        let exact = self.exact && other.exact;
        if self.covers(other) {
            return Self { sections: self.sections.clone(), exact };
        }
        if other.covers(self) {
            return Self { sections: other.sections.clone(), exact };
        }
        if let ([a], [b]) = (self.sections(), other.sections())
            && let Some(joined) = a.joined(b)
            && a.intersection(b).is_none()
        {
            return Self { exact, ..joined.into() };
        }
        let mut union = Self { sections: self.sections.clone(), exact };
        for section in other.sections.iter() {
            let (rest, all) = remainder(&[*section], union.sections());
            if all {
                rest.iter().for_each(|s| union.sections.push(*s));
            } else {
                // Too many pieces: the hull of the section and of what it meets.
                union = Self { exact: false, ..union.absorbed(*section) };
            }
        }
        union.tidied()
    }

    /// The elements that are not in `other`; all of them where `other` may contain more than it should.
    pub fn difference(&self, other: &Self) -> Self {
        if !other.exact {
            return if self.meets(other) { self.clone().widened() } else { self.clone() };
        }
        let (sections, all) = remainder(self.sections(), other.sections());
        let result = Self { sections, exact: self.exact && all }.tidied();
        // Hulls of what is left may reach beyond what was there.
        if result.exact || self.covers(&result) { result } else { self.clone().widened() }
    }

    /// Joins sections that are one together, and makes a handful of too many.
    fn tidied(mut self) -> Self {
        self.join();
        while self.sections.len() > MAX_SECTIONS {
            self.exact = false;
            let (a, b) = self.cheapest();
            let (second, first) = (self.sections.swap_remove(b), self.sections.swap_remove(a));
            self = self.absorbed(first.hull(&second));
        }
        self
    }

    /// Adds a section; those that it meets become one with it, up to the hull of all of them.
    fn absorbed(mut self, mut section: Section) -> Self {
        while let Some(at) = self.sections.iter().position(|s| s.intersection(&section).is_some()) {
            section = section.hull(&self.sections.swap_remove(at));
        }
        self.sections.push(section);
        self.join();
        self
    }

    fn join(&mut self) {
        let mut a = 0;
        while a < self.sections.len() {
            let found =
                (a + 1..self.sections.len()).find_map(|b| Some((b, self.sections[a].joined(&self.sections[b])?)));
            match found {
                Some((b, joined)) => {
                    self.sections.set(a, joined);
                    self.sections.swap_remove(b);
                    // The new one may go with an earlier one.
                    a = 0;
                }
                None => a += 1,
            }
        }
    }

    /// The two sections whose hull has the fewest elements that are in neither, in order.
    fn cheapest(&self) -> (usize, usize) {
        let list = self.sections();
        let waste = |(a, b): &(usize, usize)| {
            list[*a].hull(&list[*b]).count().saturating_sub(list[*a].count()).saturating_sub(list[*b].count())
        };
        let pairs = (0..list.len()).flat_map(|a| (a + 1..list.len()).map(move |b| (a, b)));
        pairs.min_by_key(waste).unwrap_or((0, 1))
    }
}

/// What is left of sections without others, and whether elements of these stayed in.
fn remainder(sections: &[Section], without: &[Section]) -> (Sections, bool) {
    let mut rest = Sections::new();
    let mut all = true;
    let Some((first, more)) = without.split_first() else {
        sections.iter().for_each(|s| rest.push(*s));
        return (rest, all);
    };
    for piece in sections {
        all &= piece.difference(first, &mut rest);
    }
    for section in more {
        let mut next = Sections::new();
        for piece in rest.iter() {
            all &= piece.difference(section, &mut next);
        }
        rest = next;
        // Enough to see that it will not be a handful; what is left to take out stays in.
        if rest.len() > MANY {
            return (rest, false);
        }
    }
    (rest, all)
}

/// Sections beyond which a difference is not carried on.
const MANY: usize = 64;

impl From<Section> for Region {
    fn from(section: Section) -> Self {
        let mut sections = Sections::new();
        if !section.is_empty() {
            sections.push(section);
        }
        Self { sections, exact: true }
    }
}

impl PartialEq for Region {
    fn eq(&self, other: &Self) -> bool {
        self.count() == other.count() && self.covers(other) && other.covers(self)
    }
}

impl Eq for Region {}
