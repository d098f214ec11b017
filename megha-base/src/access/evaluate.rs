//! The region that an access touches in a box of iterations.
//!
//! Per dimension the progressions of its loops add up. Sorted by their steps, a sum of progressions is one again as long as each step is a
//! multiple of the sum so far and not beyond its end (else there are holes: the hull stands for it). Where the number of iterations of
//! a loop depends on other loops' numbers (triangles), the extremes are found by putting in the loops' ends from the innermost outwards.
//!
//! The result is exact where the access must happen, every dimension is such a sum, and no loop decides about two dimensions at
//! once; for this it does not matter which of its numbers a loop with one iteration has.

use super::{Access, AccessMap, Known, Linear, delinearise};
use crate::region::{MAX_RANK, Region, Triplet, gcd};

/// Most loops of a domain and around an access; beyond, an access may touch the whole array.
pub(super) const MAX_LOOPS: usize = 12;

/// A factor with which the number of an iteration, which has 31 bits, may leave 64 together with others.
const WRAPS: u64 = 1 << 31;

/// Loops as bits.
type Set = u32;

/// An affine function whose factors are known.
#[derive(Debug, Clone, Copy)]
struct Form {
    constant: i64,
    factors: [i64; MAX_LOOPS],
}

impl Form {
    fn of(linear: &Linear, known: &Known<'_>) -> Self {
        let mut form = Self { constant: known.number(&linear.constant), factors: [0; MAX_LOOPS] };
        for (at, factor) in &linear.factors {
            form.factors[*at] = known.size(factor);
        }
        form
    }

    /// Whether it may leave 64 bits and go on at their other end, as the program's numbers do.
    fn may_wrap(&self) -> bool {
        self.factors.iter().any(|by| by.unsigned_abs() >= WRAPS)
    }
}

/// A loop's numbers.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    /// From the first to the last, in each iteration of the loops around it; the number is put into forms where there is one only.
    Between(i64, i64),
    /// From zero to before the least of these functions of the loops around it, so many of which are in [`Ranges::ends`] from this place on.
    Below { ends: usize, len: usize },
    /// From zero on.
    Unknown,
}

/// The loops of an access.
struct Ranges {
    numbers: [Numbers; MAX_LOOPS],
    len: usize,
    ends: [Form; MAX_ENDS],
    ends_len: usize,
    /// For each loop, the loops that decide how far it runs, those that decide about these included.
    deciders: [Set; MAX_LOOPS],
}

/// Most ends of loops that depend on other loops.
const MAX_ENDS: usize = 4;

/// Why there are no ranges.
enum Nothing {
    /// Some loop has no iterations.
    Never,
    /// There are too many loops.
    TooMany,
}

impl Ranges {
    fn new() -> Self {
        Self {
            numbers: [Numbers::Unknown; MAX_LOOPS],
            len: 0,
            ends: [Form { constant: 0, factors: [0; MAX_LOOPS] }; MAX_ENDS],
            ends_len: 0,
            deciders: [0; MAX_LOOPS],
        }
    }

    fn enter(&mut self, map: &AccessMap, iterations: &[(i64, i64)], known: &Known<'_>) -> Result<(), Nothing> {
        if iterations.len() + map.loops.len() > MAX_LOOPS {
            return Err(Nothing::TooMany);
        }
        for (low, high) in iterations {
            if low >= high {
                return Err(Nothing::Never);
            }
            self.push(Numbers::Between(*low, high - 1), 0);
        }
        for ends in &map.loops {
            let (mut least, mut deciders) = (None::<i64>, 0);
            let first = self.ends_len;
            for end in ends {
                let form = Form::of(end, known);
                if form.may_wrap() {
                    return Err(Nothing::TooMany);
                }
                let form = self.fixed(form);
                match self.varying(&form) {
                    0 => least = Some(least.map_or(form.constant, |l| l.min(form.constant))),
                    _ if self.ends_len == MAX_ENDS => return Err(Nothing::TooMany),
                    by => {
                        deciders |= self.closed(by);
                        self.ends[self.ends_len] = form;
                        self.ends_len += 1;
                    }
                }
            }
            if least.is_some_and(|trips| trips <= 0) {
                return Err(Nothing::Never);
            }
            let len = self.ends_len - first;
            if len == 0 {
                self.push(least.map_or(Numbers::Unknown, |trips| Numbers::Between(0, trips - 1)), 0);
                continue;
            }
            if let Some(trips) = least {
                if self.ends_len == MAX_ENDS {
                    return Err(Nothing::TooMany);
                }
                self.ends[self.ends_len] = Form { constant: trips, factors: [0; MAX_LOOPS] };
                self.ends_len += 1;
            }
            let numbers = Numbers::Below { ends: first, len: self.ends_len - first };
            match self.most_trips(numbers) {
                Some(..=0) => return Err(Nothing::Never),
                Some(_) => self.push(numbers, deciders),
                None => self.push(Numbers::Unknown, 0),
            }
        }
        Ok(())
    }

    fn push(&mut self, numbers: Numbers, deciders: Set) {
        self.numbers[self.len] = numbers;
        self.deciders[self.len] = deciders;
        self.len += 1;
    }

    /// The function with the numbers of loops of one iteration put in.
    fn fixed(&self, mut form: Form) -> Form {
        for (at, numbers) in self.numbers[..self.len].iter().enumerate() {
            if let Numbers::Between(first, last) = numbers
                && first == last
                && form.factors[at] != 0
            {
                form.constant = form.constant.saturating_add(form.factors[at].saturating_mul(*first));
                form.factors[at] = 0;
            }
        }
        form
    }

    /// The loops that a function depends on.
    fn varying(&self, form: &Form) -> Set {
        (0..self.len).filter(|at| form.factors[*at] != 0).fold(0, |set, at| set | 1 << at)
    }

    /// These loops and those that decide about them.
    fn closed(&self, set: Set) -> Set {
        (0..self.len).filter(|at| set & 1 << at != 0).fold(set, |all, at| all | self.deciders[at])
    }

    /// How many iterations a loop has at most; `None` if that is not known.
    fn most_trips(&self, numbers: Numbers) -> Option<i64> {
        match numbers {
            Numbers::Between(first, last) => Some(last - first + 1),
            Numbers::Below { ends, len } => {
                self.ends[ends..ends + len].iter().filter_map(|end| self.extreme(*end, 1, self.len)).min()
            }
            Numbers::Unknown => None,
        }
    }

    /// The largest (with sign 1) or smallest (-1) value of a function of the first `depth` loops, or what is beyond; `None` if there is no such bound.
    fn extreme(&self, mut form: Form, sign: i64, depth: usize) -> Option<i64> {
        for at in (0..depth).rev() {
            let factor = form.factors[at];
            if factor == 0 {
                continue;
            }
            form.factors[at] = 0;
            let upwards = (factor > 0) == (sign > 0);
            let number = match (self.numbers[at], upwards) {
                (Numbers::Between(first, last), _) => {
                    if upwards {
                        last
                    } else {
                        first
                    }
                }
                (Numbers::Below { .. } | Numbers::Unknown, false) => 0,
                (Numbers::Unknown, true) => return None,
                (Numbers::Below { ends, len }, true) => {
                    // Each end is a bound, so the best of them is.
                    let each = self.ends[ends..ends + len].iter().filter_map(|end| {
                        let mut with = form;
                        with.constant = with.constant.saturating_add(factor.saturating_mul(end.constant - 1));
                        for (own, theirs) in with.factors.iter_mut().zip(&end.factors) {
                            *own = own.saturating_add(factor.saturating_mul(*theirs));
                        }
                        self.extreme(with, sign, at)
                    });
                    return if sign > 0 { each.min() } else { each.max() };
                }
            };
            form.constant = form.constant.saturating_add(factor.saturating_mul(number));
        }
        Some(form.constant)
    }

    /// The number of the loop's iterations if they are the same in all of the box, or if all that decides about it decides about nothing
    /// else, so that the longest run holds the others; `None` otherwise.
    fn trips(&self, at: usize) -> Option<i64> {
        match self.numbers[at] {
            Numbers::Between(first, last) => Some(last - first + 1),
            Numbers::Below { ends, len } => {
                // The least of several has its maximum where they have theirs only if one of them varies alone,
                // over loops that do not depend on each other.
                let several = self.ends[ends..ends + len].iter().filter(|end| self.varying(end) != 0).count() > 1;
                let free = |by: usize| matches!(self.numbers[by], Numbers::Between(..));
                let nested = (0..self.len).any(|by| self.deciders[at] & 1 << by != 0 && !free(by));
                if several || nested { None } else { self.most_trips(self.numbers[at]) }
            }
            Numbers::Unknown => None,
        }
    }
}

/// A sum of progressions, as far as it is one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum {
    pub triplet: Triplet,
    /// Whether all of the triplet's numbers occur.
    pub exact: bool,
}

/// `start` and the sums of multiples `0 .. count-1` of each step.
pub(super) fn sum(start: i64, terms: &mut [(i64, i64)]) -> Sum {
    terms.sort_unstable();
    let (mut step, mut count, mut exact) = (1, 1, true);
    for (by, times) in terms.iter().copied().filter(|(by, times)| *by != 0 && *times > 1) {
        if count == 1 {
            (step, count) = (by, times);
        } else if by % step == 0 && by / step <= count {
            count = count.saturating_add((by / step).saturating_mul(times - 1));
        } else {
            let last = step.saturating_mul(count - 1).saturating_add(by.saturating_mul(times - 1));
            step = gcd(step, by);
            count = last / step + 1;
            exact = false;
        }
    }
    Sum { triplet: Triplet::new(start, step, count), exact }
}

impl AccessMap {
    /// The elements that are touched by iterations from the first to before the second number along each loop of the domain, of an array of
    /// these sizes; [`Region::is_exact`] if all of them are.
    pub fn evaluate(&self, iterations: &[(i64, i64)], sizes: &[i64], known: &Known<'_>) -> Region {
        let array = Region::whole(sizes);
        let mut ranges = Ranges::new();
        match ranges.enter(self, iterations, known) {
            Ok(()) => {}
            Err(Nothing::Never) => return Region::empty(),
            Err(Nothing::TooMany) => return array.widened(),
        }
        let flat = self.subscripts.len() == 1 && sizes.len() > 1;
        let (touched, exact) = if flat { self.flat(&ranges, sizes, known) } else { self.boxed(&ranges, sizes, known) };
        // What is touched is within the array; a hull may reach beyond.
        let touched = if array.covers(&touched) { touched } else { touched.intersection(&array) };
        if self.must && exact { touched } else { touched.widened() }
    }

    /// One subscript for each dimension.
    fn boxed(&self, ranges: &Ranges, sizes: &[i64], known: &Known<'_>) -> (Region, bool) {
        let mut dims = [Triplet::ZERO; MAX_RANK];
        let (mut exact, mut used) = (true, 0);
        for (d, subscript) in self.subscripts.iter().enumerate() {
            let size = sizes.get(d).copied().unwrap_or(1);
            let Some(linear) = subscript else {
                dims[d] = Triplet::range(0, size);
                exact &= size == 1;
                continue;
            };
            let form = Form::of(linear, known);
            if form.may_wrap() {
                dims[d] = Triplet::range(0, size);
                exact = false;
                continue;
            }
            let form = ranges.fixed(form);
            let by = ranges.closed(ranges.varying(&form));
            exact &= used & by == 0;
            used |= by;
            let sum = along(ranges, &form, size);
            exact &= sum.exact;
            dims[d] = sum.triplet;
        }
        exact &= self.reached(ranges, used);
        (Region::section(&dims), exact)
    }

    /// Whether the loops around the access that no subscript moves with run at all, wherever the others are.
    fn reached(&self, ranges: &Ranges, mut used: Set) -> bool {
        for at in 0..ranges.len {
            if used & 1 << at != 0 {
                continue;
            }
            match ranges.numbers[at] {
                Numbers::Between(..) => {}
                Numbers::Unknown => return false,
                Numbers::Below { .. } => {
                    let by = ranges.deciders[at];
                    if used & by != 0 || ranges.trips(at).is_none() {
                        return false;
                    }
                    used |= by;
                }
            }
        }
        true
    }

    /// One subscript that counts elements columns first.
    fn flat(&self, ranges: &Ranges, sizes: &[i64], known: &Known<'_>) -> (Region, bool) {
        let Some(linear) = &self.subscripts[0] else {
            return (Region::whole(sizes), sizes.iter().product::<i64>() == 1);
        };
        let form = Form::of(linear, known);
        if form.may_wrap() {
            return (Region::whole(sizes), false);
        }
        let form = ranges.fixed(form);
        let by = ranges.closed(ranges.varying(&form));
        let reached = self.reached(ranges, by);
        if let Some((start, mut terms)) = progressions(ranges, &form) {
            let (region, exact) = delinearise::region(start, &mut terms[..ranges.len], sizes);
            return (region, exact && reached);
        }
        let all = sizes.iter().product::<i64>();
        let Sum { triplet, exact } = along(ranges, &form, all);
        let mut one = [(triplet.step(), triplet.count())];
        let (region, whole) = delinearise::region(triplet.start(), &mut one, sizes);
        (region, exact && whole && reached)
    }
}

/// The first value of a function and the progressions that add up to the others, if loops have the same numbers throughout.
fn progressions(ranges: &Ranges, form: &Form) -> Option<(i64, [(i64, i64); MAX_LOOPS])> {
    let (mut start, mut terms) = (form.constant, [(0, 1); MAX_LOOPS]);
    let by = ranges.varying(form);
    for at in (0..ranges.len).filter(|at| by & 1 << at != 0) {
        let factor = form.factors[at];
        let trips = ranges.trips(at)?;
        // What decides about a loop must not move the subscript too.
        if ranges.deciders[at] & by != 0 || shared(ranges, by, at) {
            return None;
        }
        let first = if let Numbers::Between(first, _) = ranges.numbers[at] { first } else { 0 };
        let least = if factor > 0 { first } else { first.saturating_add(trips - 1) };
        start = start.saturating_add(factor.saturating_mul(least));
        terms[at] = (factor.saturating_abs(), trips);
    }
    Some((start, terms))
}

/// Whether another of these loops is decided about by what decides about this one.
fn shared(ranges: &Ranges, set: Set, at: usize) -> bool {
    (0..ranges.len)
        .any(|other| other != at && set & 1 << other != 0 && ranges.deciders[other] & ranges.deciders[at] != 0)
}

/// The values of a function, or what bounds them, in a dimension of this size.
fn along(ranges: &Ranges, form: &Form, size: i64) -> Sum {
    if let Some((start, mut terms)) = progressions(ranges, form) {
        return sum(start, &mut terms[..ranges.len]);
    }
    let step = form.factors.iter().fold(0, |g, f| gcd(g, f.saturating_abs())).max(1);
    let least =
        ranges.extreme(*form, -1, ranges.len).unwrap_or(i64::MIN).max((form.constant % step + step) % step - step);
    let most = ranges.extreme(*form, 1, ranges.len).unwrap_or(i64::MAX).min(size - 1);
    // Values differ from the constant by multiples of the step.
    let first = least + (form.constant - least).rem_euclid(step);
    let count = if most < first { 0 } else { (most - first) / step + 1 };
    Sum { triplet: Triplet::new(first, step, count), exact: false }
}

/// The elements that accesses of one kind touch of an array, by all of its maps among these.
pub fn touched(
    maps: &[AccessMap],
    (array, access): (usize, Access),
    iterations: &[(i64, i64)],
    sizes: &[i64],
    known: &Known<'_>,
) -> Region {
    let mut sure = Region::empty();
    let mut perhaps = Vec::new();
    for map in maps.iter().filter(|map| map.array == array && map.access == access) {
        let region = map.evaluate(iterations, sizes, known);
        if region.is_exact() {
            sure = sure.union(&region);
        } else {
            perhaps.push(region);
        }
    }
    // What is touched anyway may also be reached where only some iterations do so.
    perhaps.iter().fold(sure, |all, region| if all.is_exact() && all.covers(region) { all } else { all.union(region) })
}
