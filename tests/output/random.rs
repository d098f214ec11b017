//! Random numbers: distributions, seeds, and the same numbers everywhere.

use std::sync::{Mutex, PoisonError};

use megha::rt::random::seed;

use super::{interpreted, number};

megha::matlab!(file "dice.m");

/// The stream of random numbers belongs to the process, so the tests that seed it take turns.
static STREAM: Mutex<()> = Mutex::new(());

fn alone<T>(f: impl FnOnce() -> T) -> T {
    let _turn = STREAM.lock().unwrap_or_else(PoisonError::into_inner);
    f()
}

#[test]
fn the_numbers_depend_on_the_seed_alone() {
    alone(|| {
        seed(7);
        let first = dice(50.0).unwrap();
        let second = dice(50.0).unwrap();
        seed(7);
        assert_eq!(dice(50.0).unwrap(), first);
        assert_ne!(second, first);
        // Enough elements for several threads, and for one.
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let of = |threads| {
            seed(3);
            pool(threads).install(|| dice(700.0)).unwrap()
        };
        assert_eq!(of(1), of(4));
    });
}

#[test]
fn the_interpreter_draws_the_same_numbers() {
    let compiled = alone(|| {
        seed(0);
        dice(12.0).unwrap()
    });
    for (_, results) in interpreted("dice.m", &[number(12.0)]) {
        let results = results.unwrap();
        let (u, z, d, order, hits, last) = &compiled;
        for (array, result) in [u, z, d, order].into_iter().zip(&results) {
            assert_eq!(array.clone().into_dyn(), *result);
        }
        assert_eq!([number(*hits), number(*last)], results[4..]);
    }
}

/// Mean and variance.
fn moments<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> (f64, f64) {
    let numbers: Vec<f64> = numbers.into_iter().copied().collect();
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    (mean, numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

#[test]
fn distributions() {
    let (u, z, d, order, ..) = alone(|| {
        seed(1);
        dice(300.0).unwrap()
    });
    let (mean, variance) = moments(&u);
    assert!(u.iter().all(|x| *x > 0.0 && *x < 1.0));
    assert!((mean - 0.5).abs() < 0.01 && (variance - 1.0 / 12.0).abs() < 0.003, "{mean} {variance}");
    let (mean, variance) = moments(&z);
    assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    let beyond = z.iter().filter(|x| x.abs() > 1.959_964).count() as f64 / z.len() as f64;
    assert!((beyond - 0.05).abs() < 0.005, "{beyond}");
    let counts = (-2..=3).map(|face| d.iter().filter(|x| **x == f64::from(face)).count()).collect::<Vec<_>>();
    assert_eq!(counts.iter().sum::<usize>(), d.len());
    assert!(counts.iter().all(|n| (*n as f64 - d.len() as f64 / 6.0).abs() < 0.02 * d.len() as f64), "{counts:?}");
    let mut sorted: Vec<f64> = order.iter().copied().collect();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(sorted, (1..=300).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn programs_seed_themselves() {
    alone(|| {
        let first = seeded(5.0).unwrap();
        assert_eq!(seeded(5.0).unwrap(), first);
        assert_ne!(seeded(6.0).unwrap(), first);
        // The program compares the numbers of one seed itself: rand('seed'), randn('state') and rng.
        assert_eq!(first.1, 1.0);
    });
}

#[test]
fn clocks_go_on() {
    let (elapsed, parts, days) = alone(|| clocks().unwrap());
    assert!((0.0..60.0).contains(&elapsed), "{elapsed}");
    assert!(parts[[0, 0]] > 2000.0 && (1.0..=12.0).contains(&parts[[0, 1]]), "{parts}");
    assert!(days > 730_000.0, "{days}");
}
