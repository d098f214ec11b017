//! Regions against plain sets of elements.

use super::*;
use std::collections::BTreeSet;

/// A generator of small numbers (SplitMix64, Steele, Lea and Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as i64
    }

    /// Some numbers from zero to before `size`.
    fn triplet(&mut self, size: i64) -> Triplet {
        let start = self.below(size);
        let step = 1 + self.below(4) * self.below(2);
        let most = (size - 1 - start) / step + 1;
        Triplet::new(start, step, self.below(most + 1))
    }

    fn section(&mut self, sizes: &[i64]) -> Section {
        let dims: Vec<Triplet> = sizes.iter().map(|n| self.triplet(*n)).collect();
        Section::new(&dims)
    }
}

type Set = BTreeSet<Vec<i64>>;

/// All subscripts of an array.
fn all(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut list = vec![Vec::new()];
    for size in sizes {
        list = list.iter().flat_map(|at| (0..*size).map(|k| [&at[..], &[k]].concat())).collect();
    }
    list
}

fn elements(region: &Region, sizes: &[i64]) -> Set {
    all(sizes).into_iter().filter(|at| region.contains(at)).collect()
}

/// Sections are disjoint and not empty, the count is right; and the elements are the wanted ones if the region says so, else contain them.
fn check(region: &Region, wanted: &Set, sizes: &[i64], what: &str) {
    let got = elements(region, sizes);
    assert_eq!(region.count(), got.len() as i64, "{what}: sections overlap or leave the array: {region:?}");
    assert_eq!(region.is_empty(), got.is_empty(), "{what}");
    assert!(region.sections().iter().all(|s| !s.is_empty()) && region.sections().len() <= MAX_SECTIONS, "{what}");
    match region.is_exact() {
        true => assert_eq!(&got, wanted, "{what}: {region:?}"),
        false => assert!(got.is_superset(wanted), "{what}: {region:?}"),
    }
}

const SHAPES: [&[i64]; 5] = [&[13], &[40], &[7, 6], &[4, 3, 5], &[3, 2, 3, 2]];

/// Random regions with the sets that they stand for, made by unions and differences.
fn regions(seed: u64) -> (Vec<i64>, Vec<(Region, Set)>) {
    let mut numbers = Numbers(seed);
    let sizes = SHAPES[numbers.below(SHAPES.len() as i64) as usize].to_vec();
    let mut list = Vec::new();
    for _ in 0..2 {
        let (mut region, mut set) = (Region::empty(), Set::new());
        for _ in 0..numbers.below(4) {
            let section = Region::from(numbers.section(&sizes));
            let own = elements(&section, &sizes);
            if numbers.below(3) > 0 {
                (region, set) = (region.union(&section), &set | &own);
            } else {
                (region, set) = (region.difference(&section), &set - &own);
            }
            check(&region, &set, &sizes, "made");
        }
        list.push((region, set));
    }
    (sizes, list)
}

#[test]
fn operations_are_those_of_sets() {
    let mut exact = 0;
    for seed in 0..20_000 {
        let (sizes, list) = regions(seed);
        let [(a, in_a), (b, in_b)] = &list[..] else { unreachable!() };
        for (result, wanted, what) in [
            (a.union(b), in_a | in_b, "union"),
            (a.intersection(b), in_a & in_b, "intersection"),
            (a.difference(b), in_a - in_b, "difference"),
        ] {
            check(&result, &wanted, &sizes, what);
            exact += usize::from(result.is_exact());
        }
        // What follows is about the elements that are there.
        let (own, other) = (elements(a, &sizes), elements(b, &sizes));
        assert_eq!(a.covers(b), own.is_superset(&other));
        assert_eq!(a.meets(b), !own.is_disjoint(&other));
        assert_eq!(a == b, own == other, "{a:?} {b:?}");
        assert_eq!(*a, a.union(&a.intersection(b)), "{a:?} {b:?}");
        if let Some(hull) = a.hull() {
            assert!(a.sections().iter().all(|s| hull.covers(s)));
        }
        // With what is there taken for what was asked, nothing is lost in a round trip.
        let (a, b) = (a.clone().as_it_is(), b.clone().as_it_is());
        check(&a.difference(&b), &(&own - &other), &sizes, "difference as it is");
    }
    assert!(exact > 58_000, "only {exact} of 60000 results are exact");
}

#[test]
fn triplets() {
    let mut numbers = Numbers(1);
    for _ in 0..20_000 {
        let (a, b) = (numbers.triplet(60).shifted(-30), numbers.triplet(60).shifted(-30));
        let list = |t: &Triplet| (-40..100).filter(|n| t.contains(*n)).collect::<BTreeSet<i64>>();
        let (in_a, in_b) = (list(&a), list(&b));
        assert_eq!(a.count(), in_a.len() as i64);
        assert_eq!(list(&a.intersection(&b)), &in_a & &in_b, "{a:?} {b:?}");
        assert_eq!(a.covers(&b), in_a.is_superset(&in_b), "{a:?} {b:?}");
        assert_eq!(a == b, in_a == in_b);
        let (pieces, all) = a.difference(&b);
        let rest: Vec<i64> = pieces.iter().flat_map(&list).collect();
        assert!(all && rest.len() == (&in_a - &in_b).len(), "{a:?} {b:?}");
        assert_eq!(rest.into_iter().collect::<BTreeSet<i64>>(), &in_a - &in_b);
        let hull = a.hull(&b);
        assert!(hull.covers(&a) && hull.covers(&b));
        // Nothing smaller covers both: the first and the last number are theirs, and a larger step would leave one out.
        let both = &in_a | &in_b;
        let gaps = both.iter().fold(0, |g, n| gcd(g, n - both.iter().next().unwrap()));
        assert_eq!(hull.count(), both.last().map_or(0, |last| (last - hull.start()) / gaps.max(1) + 1));
    }
}

#[test]
fn long_steps() {
    let huge = |start, step, count| Triplet::new(start, step, count);
    // Common multiple beyond 64 bits: they meet in one number.
    let (a, b) = ((1 << 40) - 1, (1 << 41) + 1);
    assert_eq!(huge(5, a, 1000).intersection(&huge(5, b, 1000)), huge(5, 1, 1));
    assert_eq!(huge(5, a, 1000).intersection(&huge(6 + a, b, 3)), Triplet::EMPTY);
    // Every ninth number taken out leaves more pieces than are kept apart.
    let (all, ninth) = (Region::section(&[Triplet::range(0, 90)]), Region::section(&[huge(4, 9, 10)]));
    let rest = all.difference(&ninth);
    assert!(!rest.is_exact() && all.covers(&rest) && rest.covers(&Region::section(&[Triplet::range(0, 4)])));
    // Every fourth leaves three.
    let fourth = Region::section(&[huge(1, 4, 22)]);
    let rest = all.difference(&fourth);
    assert!(
        rest.is_exact()
            && rest.count() == 68
            && rest.union(&fourth) == all
            && rest.union(&fourth).sections().len() == 1
    );
}

#[test]
fn few_sections_need_no_heap() {
    let mut list = Sections::new();
    let section = |k| Section::new(&[Triplet::range(k, k + 1)]);
    let numbers = |list: &Sections| list.iter().map(|s| s.dims()[0].start()).collect::<Vec<i64>>();
    (0..4).for_each(|k| list.push(section(2 * k)));
    assert_eq!(numbers(&list), [0, 2, 4, 6]);
    assert_eq!(list.swap_remove(1), section(2));
    assert_eq!(list.swap_remove(0), section(0));
    assert_eq!(numbers(&list), [4, 6]);
    list.set(0, section(1));
    list.push(section(9));
    assert_eq!(numbers(&list), [1, 6, 9]);
    assert_eq!((list.swap_remove(2), list.swap_remove(1), list.swap_remove(0)), (section(9), section(6), section(1)));
    assert!(list.is_empty());
}

/// Copies move each element of a region once, to where it belongs, and nothing else.
#[test]
fn copies_move_the_region() {
    for seed in 0..4000 {
        let (sizes, list) = regions(seed);
        let (region, _) = &list[0];
        let layouts = [
            Layout::columns_first(&sizes, 4),
            Layout::rows_first(&sizes, 4),
            // with a gap behind each row
            Layout { base: 12, ..Layout::columns_first(&sizes.iter().map(|n| n + 1).collect::<Vec<_>>(), 4) },
        ];
        for (from, to) in layouts.iter().flat_map(|a| layouts.iter().map(move |b| (a, b))) {
            let mut moved: Vec<(i64, i64)> = Vec::new();
            for copy in region.copies(from, to) {
                assert!(copy.bytes % 4 == 0);
                let row = |r: i64| (0..copy.bytes / 4).map(move |k| 4 * k).map(move |k| (r, k));
                for (r, k) in (0..copy.rows).flat_map(row) {
                    moved.push((copy.from + r * copy.from_pitch + k, copy.to + r * copy.to_pitch + k));
                }
            }
            let mut wanted: Vec<(i64, i64)> =
                elements(region, &sizes).iter().map(|at| (from.at(at), to.at(at))).collect();
            moved.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(moved, wanted, "{region:?} {from:?} {to:?}");
        }
        let in_runs: i64 = region.runs(&layouts[0]).map(|(_, bytes)| bytes).sum();
        assert_eq!(in_runs, 4 * region.count());
    }
}

#[test]
fn few_copies() {
    let range = Triplet::range;
    let sizes = [100, 50, 8];
    let (columns, rows) = (Layout::columns_first(&sizes, 8), Layout::rows_first(&sizes, 8));
    let list = |dims: &[Triplet], layout: &Layout| Section::new(dims).copies(layout, layout).collect::<Vec<Copy>>();
    let one = |at, bytes| Copy { from: at, to: at, bytes, rows: 1, from_pitch: 0, to_pitch: 0 };
    // All of an array, and whole columns, are one run.
    assert_eq!(list(&[range(0, 100), range(0, 50), range(0, 8)], &columns), [one(0, 320_000)]);
    assert_eq!(list(&[range(0, 100), range(5, 9), range(2, 3)], &columns), [one(84_000, 3200)]);
    // Rows of each column are one strided copy, also over several pages.
    let halo = [range(99, 100), range(0, 50), range(0, 8)];
    let strided = Copy { from: 792, to: 792, bytes: 8, rows: 400, from_pitch: 800, to_pitch: 800 };
    assert_eq!(list(&halo, &columns), [strided]);
    assert_eq!(list(&halo, &rows), [one(99 * 3200, 3200)]);
    // A box within needs one for each page: the longer of the two loops is within a copy.
    let inner = list(&[range(1, 99), range(1, 49), range(1, 7)], &columns);
    assert_eq!((inner.len(), inner[0].rows, inner[0].bytes), (6, 48, 784));
    // Into a packed buffer, pitches differ.
    let packed = Layout::columns_first(&[1, 50, 8], 8).from(&[99, 0, 0]);
    let out: Vec<Copy> = Section::new(&halo).copies(&columns, &packed).collect();
    assert_eq!(out, [Copy { from: 792, to: 0, bytes: 8, rows: 400, from_pitch: 800, to_pitch: 8 }]);
}

#[test]
fn the_cheapest_way() {
    let sizes = [1000, 1000];
    let layout = Layout::columns_first(&sizes, 8);
    let everything = Region::whole(&sizes);
    let way = |dims: [Triplet; 2], costs: Costs, spare: &Region| {
        Section::new(&dims).way((&layout, &layout), &sizes, &costs, spare).0
    };
    let link = Costs { copy: 10_000.0, row: 20.0, byte: 0.1 };
    let range = Triplet::range;
    // A row: strided; where rows cost as much as copies, all columns at once, if that does no harm.
    let row = [range(7, 8), range(0, 1000)];
    assert_eq!(way(row, link, &everything), Way::Strided);
    let dear = Costs { row: 10_000.0, ..link };
    assert_eq!(way(row, dear, &everything), Way::Hull(Section::new(&[range(0, 1000), range(0, 1000)])));
    assert_eq!(way(row, dear, &Region::section(&row)), Way::Runs);
    // Nearly all of each column: the rest comes with them.
    let most = [range(1, 999), range(10, 20)];
    assert_eq!(way(most, link, &everything), Way::Hull(Section::new(&[range(0, 1000), range(10, 20)])));
    // One column is one run whatever it costs.
    assert_eq!(way([range(3, 900), range(5, 6)], dear, &everything), Way::Strided);
    // Rows dearer than copies: run by run.
    let runs = Costs { copy: 1.0, row: 5.0, byte: 1.0 };
    assert_eq!(way([range(0, 10), range(0, 3)], runs, &Region::empty()), Way::Runs);
}

/// Whatever a transfer costs least by, it moves what was asked for, what it says, and else only what is spare.
#[test]
fn transfers_move_what_they_say() {
    let mut numbers = Numbers(11);
    let (mut more, mut rows) = (0, 0);
    for round in 0..3000 {
        let sizes: Vec<i64> = (0..1 + numbers.below(3)).map(|_| 1 + numbers.below(7)).collect();
        let layout = [Layout::columns_first, Layout::rows_first][numbers.below(2) as usize](&sizes, 2);
        let mut region = Region::empty();
        for _ in 0..1 + numbers.below(3) {
            region = region.union(&numbers.section(&sizes).into());
        }
        let spare = [Region::whole(&sizes), region.clone(), region.union(&numbers.section(&sizes).into())]
            [numbers.below(3) as usize]
            .clone()
            .as_it_is();
        let cost = |most: i64, numbers: &mut Numbers| numbers.below(most) as f64;
        let costs = Costs { copy: cost(40, &mut numbers), row: cost(20, &mut numbers), byte: 1.0 };
        let transfer = region.transfer((&layout, &layout), &sizes, &costs, &spare);
        let mut bytes = vec![false; 2 * sizes.iter().product::<i64>() as usize];
        for copy in &transfer.copies {
            assert_eq!((copy.from, copy.from_pitch), (copy.to, copy.to_pitch));
            rows += i32::from(copy.rows > 1);
            for row in 0..copy.rows {
                let first = (copy.from + row * copy.from_pitch) as usize;
                bytes[first..first + copy.bytes as usize].fill(true);
            }
        }
        assert!(transfer.moved.is_exact() && transfer.moved.covers(&region), "{round}");
        let mut at = vec![0; sizes.len()];
        loop {
            let first = layout.at(&at) as usize;
            assert_eq!(bytes[first], bytes[first + 1], "{round}");
            assert!(bytes[first] || !transfer.moved.contains(&at), "{round}: {at:?} is said to move");
            assert!(!bytes[first] || region.contains(&at) || spare.contains(&at), "{round}: {at:?} moves");
            more += i32::from(bytes[first] && !region.contains(&at));
            let Some(d) = (0..sizes.len()).find(|d| at[*d] + 1 < sizes[*d]) else { break };
            at[..d].fill(0);
            at[d] += 1;
        }
    }
    assert!(more > 1000 && rows > 300, "{more} {rows}");
}

/// Counts and subscripts that 64 bits do not hold lose no element.
#[test]
fn the_largest_regions_lose_nothing() {
    let w = 1 << 40;
    let part = |from: i64| Region::section(&[Triplet::range(from * w, (from + 1) * w), Triplet::range(0, w)]);
    let [a, b] = [2, 5].map(|from| part(0).union(&part(from)));
    assert!(a != b && !a.covers(&b) && a == a.union(&part(2)));
    let both = a.union(&b);
    assert!(both.covers(&a) && both.covers(&b) && both.contains(&[5 * w, 0]) && both.is_exact());
    let all = Triplet::range(i64::MIN, i64::MAX);
    assert!(all.contains(5) && all.contains(-5) && all.covers(&Triplet::range(-10, i64::MAX)));
    for far in [i64::MIN, i64::MAX] {
        assert_eq!(Triplet::new(0, 1, 5).shifted(far), Triplet::EMPTY);
        assert_eq!(Triplet::new(far, 1, 1), Triplet::EMPTY);
    }
    let stepped = Triplet::new(i64::MIN + 1, 3, i64::MAX);
    assert!(stepped.start() > -(1 << 62) && stepped.start() < 4 - (1 << 62) && stepped.contains(stepped.last()));
    assert!((stepped.start() - (i64::MIN + 1)) % 3 == 0 && stepped.last() < 1 << 62);
    assert_eq!(Triplet::new(1, 1 << 62, 3), Triplet::new(1, 1, 1));
    assert!(!stepped.intersection(&Triplet::new(7, 5, 5)).is_empty());
    assert!(stepped.hull(&Triplet::new((1 << 62) - 1, 1, 1)).covers(&stepped));
}
