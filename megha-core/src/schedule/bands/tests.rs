//! Shifts against a count of all pairs of rows, and loops that run in bands or do not.

use super::*;
use megha_base::cuts::Cuts;

/// The order in which rows run for bands of this width: by band, then in the program's order.
fn order_holds(launches: &[&[Touch]], (slope, offsets): (u32, &[u32]), (rows, steps): (i64, i64), width: i64) -> bool {
    let instances =
        || (0..steps).flat_map(|t| (0..launches.len()).flat_map(move |k| (0..rows).map(move |r| (t, k, r))));
    let band = |(t, k, r): (i64, usize, i64)| (r + i64::from(slope) * t + i64::from(offsets[k])).div_euclid(width);
    instances().all(|first| {
        instances().filter(|second| (second.0, second.1) > (first.0, first.1)).all(|second| {
            let meets = launches[first.1].iter().any(|a| {
                let same = |b: &Touch| a.array == b.array && first.2 + a.at == second.2 + b.at;
                launches[second.1].iter().any(|b| same(b) && (a.write || b.write))
            });
            !meets || band(first) <= band(second)
        })
    })
}

fn random(cuts: &mut Cuts) -> Vec<Vec<Touch>> {
    let launches = 1 + cuts.below(4);
    let mut touch = |write| Touch { array: cuts.below(3) as usize, at: cuts.below(5) as i64 - 2, write };
    let mut one = |reads: u64| (0..=reads).map(|number| touch(number == 0)).collect::<Vec<_>>();
    (0..launches).map(|number| one(1 + number % 3)).collect()
}

#[test]
fn what_depends_on_a_row_comes_behind_it() {
    let (mut found, mut shifted) = (0, 0);
    for seed in 0..400 {
        let launches = random(&mut Cuts::new(seed));
        let launches: Vec<&[Touch]> = launches.iter().map(|l| &l[..]).collect();
        let Some((slope, offsets)) = shifts(&launches) else { continue };
        found += 1;
        for width in 1..4 {
            assert!(order_holds(&launches, (slope, &offsets), (7, 4), width), "{launches:?}: {slope} {offsets:?}");
        }
        // No smaller slope does with the same offsets, nor do smaller offsets.
        let less = slope.checked_sub(1).map(|slope| (slope, offsets.clone()));
        let at = offsets.iter().position(|offset| *offset > 0);
        let lower = at.map(|at| (slope, offsets.iter().enumerate().map(|(k, o)| o - u32::from(k == at)).collect()));
        for (slope, offsets) in less.into_iter().chain(lower) {
            shifted += 1;
            assert!(!order_holds(&launches, (slope, &offsets), (14, 5), 1), "{launches:?}: {slope} {offsets:?}");
        }
    }
    assert!(found > 300 && shifted > 300, "{found} {shifted}");
}
