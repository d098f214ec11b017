//! What a call costs where there is next to no work: `y = a * x + y` of ten elements, compiled, with ndarray's operators and as a loop over
//! slices. Prints `NAME NANOSECONDS ALLOCATIONS` for each: the median of many turns, which the three take one after the other.

use std::alloc::System;
use std::hint::black_box;
use std::time::Instant;

use ndarray::{Array1, Array2};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

megha::matlab!(file "../m/saxpy.m", fn saxpy(a: f64, x: f64[n, 1], y: f64[n, 1]) -> (y: f64[n, 1]));

/// A way of doing it, with its name.
type Form<'a> = (&'a str, Box<dyn FnMut() + 'a>);

const CALLS: u32 = 1000;
const TURNS: usize = 201;

fn main() {
    let (x, y) = (Array1::from_elem(10, 0.5), Array1::from_elem(10, 0.25));
    let mut z = [0.25; 10];
    let mut into = Array2::default((0, 0));
    let mut forms: [Form; 4] = [
        ("megha", Box::new(|| drop(black_box(saxpy(black_box(2.0), &x, &y))))),
        (
            "megha-into",
            Box::new(|| {
                black_box(saxpy_into(black_box(2.0), &x, &y, &mut into)).expect("it has memory");
            }),
        ),
        ("ndarray", Box::new(|| drop(black_box(black_box(2.0) * &x + &y)))),
        (
            "slices",
            Box::new(|| {
                let a = black_box(2.0);
                for (z, x) in z.iter_mut().zip(&x) {
                    *z += a * x;
                }
                black_box(&mut z);
            }),
        ),
    ];
    let mut times = [(); 4].map(|()| Vec::new());
    for _ in 0..TURNS {
        for ((_, form), times) in forms.iter_mut().zip(&mut times) {
            let begun = Instant::now();
            (0..CALLS).for_each(|_| form());
            times.push(begun.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
        }
    }
    for ((name, mut form), mut times) in forms.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let region = Region::new(ALLOCATOR);
        form();
        println!("{name} {:.1} {}", times[TURNS / 2], region.change().allocations);
    }
}
