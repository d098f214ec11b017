//! Maps against the elements that their loops run over.

use super::*;
use crate::region::Region;
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

    fn size(&mut self, symbols: i64) -> SizeExpr {
        let symbol = self.below(symbols) as usize;
        match self.below(6) {
            0 => SizeExpr { terms: vec![(1, vec![symbol])] },
            1 => SizeExpr { terms: vec![(-1, vec![]), (1, vec![symbol])] },
            _ => SizeExpr::constant(self.below(6) - 1),
        }
    }

    /// A function of some of so many loops.
    fn linear(&mut self, loops: usize) -> Linear {
        let mut linear = Linear { constant: self.size(2).into(), factors: Vec::new() };
        for at in 0..loops {
            if self.below(3) == 0 {
                let factor = [1, 1, 1, -1, 2, 3, -2, 7][self.below(8) as usize];
                let factor = if self.below(8) == 0 {
                    SizeExpr { terms: vec![(factor, vec![0])] }
                } else {
                    SizeExpr::constant(factor)
                };
                linear.factors.push((at, factor));
            }
        }
        if self.below(8) == 0 {
            linear.constant.scalars.push((1 - 2 * self.below(2), 5));
        }
        linear
    }

    fn map(&mut self, domain: usize, rank: usize) -> AccessMap {
        let mut map =
            AccessMap { array: 0, access: Access::Read, must: true, loops: Vec::new(), subscripts: Vec::new() };
        for at in 0..self.below(3) as usize {
            let ends = 1 + (self.below(4) == 0) as usize;
            map.loops.push((0..ends).map(|_| self.linear(domain + at)).collect());
        }
        let subscripts = if self.below(4) == 0 { 1 } else { rank };
        map.subscripts = (0..subscripts).map(|_| Some(self.linear(domain + map.loops.len()))).collect();
        map
    }
}

/// The elements that a map touches, number by number; `None` if one is outside the array.
fn brute(map: &AccessMap, iterations: &[(i64, i64)], sizes: &[i64], known: &Known<'_>) -> Option<BTreeSet<Vec<i64>>> {
    fn value(linear: &Linear, at: &[i64], known: &Known<'_>) -> i64 {
        known.number(&linear.constant) + linear.factors.iter().map(|(l, f)| known.size(f) * at[*l]).sum::<i64>()
    }
    let mut points = vec![Vec::new()];
    for (low, high) in iterations {
        points = points.iter().flat_map(|at| (*low..*high).map(|k| [&at[..], &[k]].concat())).collect();
    }
    for ends in &map.loops {
        let trips = |at: &Vec<i64>| ends.iter().map(|end| value(end, at, known)).min().unwrap_or(0);
        points = points.iter().flat_map(|at| (0..trips(at)).map(|k| [&at[..], &[k]].concat())).collect();
    }
    let mut set = BTreeSet::new();
    for at in points {
        let mut subscripts: Vec<i64> = map.subscripts.iter().flatten().map(|s| value(s, &at, known)).collect();
        if subscripts.len() == 1 && sizes.len() > 1 {
            let mut rest = subscripts[0];
            let all = sizes.iter().product::<i64>();
            subscripts = sizes
                .iter()
                .map(|n| {
                    let digit = rest.rem_euclid(*n);
                    rest = rest.div_euclid(*n);
                    digit
                })
                .collect();
            (0..all).contains(&value(map.subscripts[0].as_ref()?, &at, known)).then_some(())?;
        }
        subscripts.iter().zip(sizes).all(|(s, n)| (0..*n).contains(s)).then_some(())?;
        set.insert(subscripts);
    }
    Some(set)
}

fn elements(region: &Region, sizes: &[i64]) -> BTreeSet<Vec<i64>> {
    let mut list = vec![Vec::new()];
    for size in sizes {
        list = list.iter().flat_map(|at| (0..*size).map(|k| [&at[..], &[k]].concat())).collect();
    }
    list.into_iter().filter(|at| region.contains(at)).collect()
}

/// The evaluated region is what the loops touch where it says so, and contains it else.
#[test]
fn regions_are_those_of_brute_force() {
    let mut numbers = Numbers(3);
    let (mut inside, mut exact) = (0, 0);
    while inside < 20_000 {
        let domain = numbers.below(4) as usize;
        let sizes: &[i64] = [&[30][..], &[9, 7], &[6, 5, 4]][numbers.below(3) as usize];
        let map = numbers.map(domain, sizes.len());
        let iterations: Vec<(i64, i64)> = (0..domain)
            .map(|_| {
                let low = numbers.below(3);
                (low, low + numbers.below(4))
            })
            .collect();
        let (n, m, scalar) = (numbers.below(5), numbers.below(3), numbers.below(5));
        let known = Known { symbol: &|s| [n, m][s], scalar: &|_| scalar };
        let Some(set) = brute(&map, &iterations, sizes, &known) else { continue };
        inside += 1;
        let region = map.evaluate(&iterations, sizes, &known);
        let got = elements(&region, sizes);
        assert_eq!(region.count(), got.len() as i64);
        if region.is_exact() {
            assert_eq!(got, set, "{map:?} {iterations:?} {n} {m} {scalar}");
            exact += 1;
        } else {
            assert!(got.is_superset(&set), "{map:?} {iterations:?} {n} {m} {scalar}: {region:?}");
        }
        assert_eq!(AccessMap::decode(&map.encode()).as_ref(), Some(&map));
        // What is not known of a map may make the region larger, and exact only where it does not matter.
        let mut less = map;
        match numbers.below(3) {
            0 => less.must = false,
            1 => less.loops.iter_mut().for_each(|ends| {
                if numbers.below(2) == 0 {
                    ends.clear()
                }
            }),
            _ => less.subscripts.iter_mut().for_each(|s| {
                if numbers.below(2) == 0 {
                    *s = None
                }
            }),
        }
        let more = less.evaluate(&iterations, sizes, &known);
        let got = elements(&more, sizes);
        assert!(if more.is_exact() { got == set } else { got.is_superset(&set) }, "{less:?} {iterations:?} {n} {m}");
    }
    assert!(exact > 15_000, "only {exact} of 20000 are exact");
}

/// A function of loops with whole factors.
fn linear(constant: i64, factors: &[(usize, i64)]) -> Linear {
    let factors = factors.iter().map(|(at, by)| (*at, SizeExpr::constant(*by))).collect();
    Linear { constant: SizeExpr::constant(constant).into(), factors }
}

fn map(loops: &[Linear], subscripts: &[Linear]) -> AccessMap {
    AccessMap {
        array: 0,
        access: Access::Read,
        must: true,
        loops: loops.iter().map(|l| vec![l.clone()]).collect(),
        subscripts: subscripts.iter().cloned().map(Some).collect(),
    }
}

fn show(map: &AccessMap, iterations: &[(i64, i64)], sizes: &[i64]) -> (String, bool) {
    let region = map.evaluate(iterations, sizes, &Known { symbol: &|_| 0, scalar: &|_| 0 });
    let text = |s: &crate::region::Section| {
        let dims = s.dims()[..sizes.len()].iter();
        dims.map(|t| format!("{}:{}:{}", t.start(), t.step(), t.last())).collect::<Vec<_>>().join(",")
    };
    (region.sections().iter().map(text).collect::<Vec<_>>().join(" "), region.is_exact())
}

#[test]
fn what_is_exact() {
    let sizes = [100, 100];
    let two = [(2, 10), (3, 8)];
    let exact = |text: &str| (text.to_owned(), true);
    let hull = |text: &str| (text.to_owned(), false);
    // A box, a transposed one, every second row.
    assert_eq!(show(&map(&[], &[linear(1, &[(0, 1)]), linear(0, &[(1, 1)])]), &two, &sizes), exact("3:1:10,3:1:7"));
    assert_eq!(show(&map(&[], &[linear(0, &[(1, 1)]), linear(0, &[(0, 2)])]), &two, &sizes), exact("3:1:7,4:2:18"));
    // Tiles: 8*i + k, k below 8. With k below 4 there are holes.
    let tile = |k| map(&[linear(k, &[])], &[linear(0, &[(0, 8), (2, 1)]), linear(5, &[])]);
    assert_eq!(show(&tile(8), &two, &sizes), exact("16:1:79,5:1:5"));
    assert_eq!(show(&tile(4), &two, &sizes), hull("16:1:75,5:1:5"));
    assert_eq!(show(&tile(4), &[(2, 3), (3, 8)], &sizes), exact("16:1:19,5:1:5"));
    // The diagonal is in no box, but each of its elements is one.
    let diagonal = map(&[], &[linear(0, &[(0, 1)]), linear(0, &[(0, 1)])]);
    assert_eq!(show(&diagonal, &two, &sizes), hull("2:1:9,2:1:9"));
    assert_eq!(show(&diagonal, &[(4, 5), (3, 8)], &sizes), exact("4:1:4,4:1:4"));
    // a[k, i] for k below i: a triangle; of a[k, 0] the longest run.
    let below = |column| map(&[linear(0, &[(0, 1)])], &[linear(0, &[(2, 1)]), column]);
    assert_eq!(show(&below(linear(0, &[(0, 1)])), &two, &sizes), hull("0:1:8,2:1:9"));
    assert_eq!(show(&below(linear(0, &[])), &two, &sizes), exact("0:1:8,0:1:0"));
    // a[i + k, 0] for k below 20 - i: the ends put in from the inside, it is at most 19.
    let rest = map(&[linear(20, &[(0, -1)])], &[linear(0, &[(0, 1), (2, 1)]), linear(0, &[])]);
    assert_eq!(show(&rest, &two, &sizes), hull("2:1:19,0:1:0"));
    // Elements counted columns first: a[100*j + i], and the neighbours of a vector over three columns.
    assert_eq!(show(&map(&[], &[linear(3, &[(0, 1), (1, 100)])]), &two, &sizes), exact("5:1:12,3:1:7"));
    let stretch = map(&[], &[linear(90, &[(0, 1)])]);
    assert_eq!(show(&stretch, &[(0, 200), (0, 1)], &sizes), exact("90:1:99,0:1:0 0:1:89,2:1:2 0:1:99,1:1:1"));
    // Nothing, and what is perhaps touched.
    assert_eq!(show(&diagonal, &[(4, 4), (3, 8)], &sizes), exact(""));
    let may = AccessMap { must: false, ..tile(8) };
    assert_eq!(show(&may, &two, &sizes), hull("16:1:79,5:1:5"));
    let data = AccessMap { subscripts: vec![Some(linear(0, &[(0, 1)])), None], ..tile(8) };
    assert_eq!(show(&data, &two, &sizes), hull("2:1:9,0:1:99"));
    // three times so much is 2 more than 2^64, so the fourth iteration touches the third element
    let third = 6_148_914_691_236_517_206;
    let wraps = map(&[], &[linear(0, &[(0, third)]), linear(0, &[])]);
    assert_eq!(show(&wraps, &[(0, 4), (3, 8)], &sizes), hull("0:1:99,0:1:0"));
    assert_eq!(show(&wraps, &[(3, 4), (3, 8)], &sizes), hull("0:1:99,0:1:0"));
}

#[test]
fn what_is_touched_anyway_stays_exact() {
    let known = Known { symbol: &|_| 0, scalar: &|_| 0 };
    let column = |from: i64, must| AccessMap { must, ..map(&[], &[linear(from, &[(0, 1)])]) };
    let region = |maps: &[AccessMap]| touched(maps, (0, Access::Read), &[(0, 10)], &[50], &known);
    let all = region(&[column(0, true), column(1, true), column(0, false)]);
    assert!(all.is_exact() && all.count() == 11);
    let more = region(&[column(0, true), column(1, false)]);
    assert!(!more.is_exact() && more.count() == 11);
    let other = AccessMap { access: Access::Write, ..column(30, true) };
    assert_eq!(region(&[column(0, true), other]).count(), 10);
}

#[test]
fn maps_in_words() {
    let names = Names {
        loops: &["i".into(), "j".into()],
        size: &|size| size.text(&["n".into(), "m".into()]),
        scalar: &|value| format!("%{value}"),
    };
    let texts: Vec<String> = AccessMap::examples().iter().map(|map| map.text(&names)).collect();
    assert_eq!(texts, ["[i - 1, t + m] for t below min(n, -i + m)", "[2*i + n*j - %7, :]", ""]);
}

impl AccessMap {
    /// Some of all kinds.
    pub(crate) fn examples() -> Vec<Self> {
        let sym = |s| SizeExpr { terms: vec![(1, vec![s])] };
        let of =
            |size, factors: &[(usize, SizeExpr)]| Linear { constant: Number::from(size), factors: factors.to_vec() };
        let one = SizeExpr::constant(1);
        let first = AccessMap {
            array: 2,
            access: Access::Read,
            must: true,
            loops: vec![vec![of(sym(0), &[]), of(sym(1), &[(0, SizeExpr::constant(-1))])]],
            subscripts: vec![Some(of(SizeExpr::constant(-1), &[(0, one.clone())])), Some(of(sym(1), &[(2, one)]))],
        };
        let mut data = of(SizeExpr::default(), &[(0, SizeExpr::constant(2)), (1, sym(0))]);
        data.constant.scalars.push((-1, 7));
        let second = AccessMap {
            array: 1,
            access: Access::Write,
            must: false,
            loops: vec![Vec::new()],
            subscripts: vec![Some(data), None],
        };
        let third =
            AccessMap { array: 0, access: Access::Accumulate, must: true, loops: Vec::new(), subscripts: Vec::new() };
        vec![first, second, third]
    }
}
