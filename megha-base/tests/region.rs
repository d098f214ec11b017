//! Regions against isl; `region_islpy.py` made the file and describes it.

use megha_base::region::{Region, Triplet};

fn region(field: &str) -> Region {
    let number = |text: &str| text.parse().expect("an integer");
    let triplet = |text: &str| {
        let parts: Vec<i64> = text.split(':').map(number).collect();
        Triplet::new(parts[0], parts[1], parts[2])
    };
    let section = |text: &str| Region::section(&text.split(' ').map(triplet).collect::<Vec<_>>());
    field.split(',').map(section).fold(Region::empty(), |all, section| all.union(&section))
}

#[test]
fn agrees_with_isl() {
    let (mut lines, mut exact) = (0, 0);
    for line in include_str!("region_islpy.txt").lines() {
        let fields: Vec<&str> = line.split(';').collect();
        let [rank, a, b, counts @ .., covers, extremes] = &fields[..] else { panic!("{line}") };
        let (rank, a, b): (usize, Region, Region) = (rank.parse().expect("a rank"), region(a), region(b));
        let difference = a.difference(&b);
        let all = [&a, &b, &a.union(&b), &a.intersection(&b), &difference];
        for (region, count) in all.iter().zip(counts) {
            let count: i64 = count.parse().expect("a count");
            match region.is_exact() {
                true => assert_eq!(region.count(), count, "{line}"),
                false => assert!(region.count() > count, "{line}"),
            }
            exact += usize::from(region.is_exact());
        }
        lines += 1;
        if !(a.is_exact() && b.is_exact()) {
            continue;
        }
        assert_eq!(a.covers(&b), *covers == "yes", "{line}");
        if !difference.is_exact() {
            continue;
        }
        let hull = difference.hull().map_or("-".to_owned(), |hull| {
            let ends = hull.dims()[..rank].iter().map(|t| format!("{} {}", t.start(), t.last()));
            ends.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(hull, *extremes, "{line}");
    }
    assert_eq!(lines, 400);
    assert!(exact > 1900, "{exact} of 2000");
}
