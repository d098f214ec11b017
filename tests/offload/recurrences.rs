//! Recurrences along both loops, of which several rows go together, and some of which they may not: all bits are those of the plain loops.

use super::{Lay, base, both, cut, cut_mut, lay};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use proptest::prelude::*;

both! {
    /// Nine neighbours in place: rows are two elements behind each other.
    pub fn seidel(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for _ in 0..2 {
            for i in 1..n - 1 {
                for j in 1..m - 1 {
                    c[[i, j]] = (c[[i - 1, j - 1]] + c[[i - 1, j]] + c[[i - 1, j + 1]] + c[[i, j - 1]] + c[[i, j]]
                        + c[[i, j + 1]] + c[[i + 1, j - 1]] + c[[i + 1, j]] + c[[i + 1, j + 1]]) / 9.0 + a[[i, j]];
                }
            }
        }
    }

    /// Four neighbours, and a factor of each row: one element behind.
    pub fn relaxed(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 1..n - 1 {
            let omega = 1.0 + a[[i, 0]] * 0.125;
            for j in 1..m - 1 {
                let mean = 0.25 * (c[[i - 1, j]] + c[[i + 1, j]] + c[[i, j - 1]] + c[[i, j + 1]]);
                c[[i, j]] += omega * (mean - c[[i, j]]);
            }
        }
    }

    /// A dynamic program, with a branch that stores.
    pub fn common(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 1..n {
            for j in 1..m {
                if a[[i, j]] > 0.5 {
                    c[[i, j]] = c[[i - 1, j - 1]] + 1.0;
                } else {
                    c[[i, j]] = c[[i - 1, j]].max(c[[i, j - 1]]);
                }
            }
        }
    }

    /// Backwards in both directions.
    pub fn backwards(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in (0..n - 1).rev() {
            for j in (0..m - 1).rev() {
                c[[i, j]] = 0.5 * (c[[i + 1, j]] - c[[i, j + 1]]) + a[[i, j]];
            }
        }
    }

    /// Three elements behind, and no farther.
    pub fn far(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 1..n {
            for j in 1..m - 2 {
                c[[i, j]] = 0.5 * (c[[i - 1, j + 2]] + c[[i, j - 1]]) + a[[i, j]];
            }
        }
    }

    /// The row before is needed whole.
    pub fn by_the_last(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 1..n {
            for j in 1..m {
                c[[i, j]] = 0.5 * (c[[i - 1, m - 1]] + c[[i, j - 1]]) + a[[i, j]];
            }
        }
    }

    /// A row turned round: what is needed is as far behind as the row is long.
    pub fn mirrored(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in 1..n {
            for j in 1..m {
                c[[i, j]] = 0.5 * (c[[i - 1, m - j]] + c[[i, j - 1]]) + a[[i, j]];
            }
        }
    }

    /// Two arrays that wait for each other.
    pub fn of_two(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        let mut e = Array2::<f64>::zeros((n, m));
        for i in 1..n {
            for j in 1..m {
                e[[i, j]] = (e[[i, j - 1]] - 0.5).max(c[[i, j - 1]] - 1.25);
                c[[i, j]] = (c[[i - 1, j - 1]] + a[[i, j]]).max(e[[i, j]]).max(0.0);
            }
        }
    }

    /// Every second row, along every third element.
    pub fn in_steps(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        for i in (2..n).step_by(2) {
            for j in (3..m).step_by(3) {
                c[[i, j]] = 0.5 * (c[[i - 2, j]] + c[[i, j - 3]]) + a[[i, j]];
            }
        }
    }

    /// Arrays that hand each other what they stored, one and two elements later, and an element that is stored twice.
    pub fn crossed(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        let mut e = Array2::<f64>::zeros((n, m));
        for i in 1..n {
            for j in 2..m {
                e[[i, j]] = c[[i, j - 1]];
                c[[i, j]] = e[[i, j - 1]] - c[[i - 1, j]];
                c[[i, j]] += e[[i, j - 2]] * a[[i, j]];
            }
        }
    }

    /// Whole numbers, and single precision, handed on beside each other.
    pub fn of_classes(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        let mut count = Array2::<i64>::zeros((n, m));
        let mut near = Array2::<f32>::zeros((n, m));
        for i in 1..n {
            for j in 2..m {
                count[[i, j]] = count[[i, j - 1]].max(count[[i, j - 2]]) / 2 - count[[i - 1, j]] / 2 + j as i64;
                near[[i, j]] = near[[i, j - 1]].min(near[[i - 1, j]]) + a[[i, j]] as f32;
                c[[i, j]] = count[[i, j]] as f64 + f64::from(near[[i, j]]);
            }
        }
    }

    /// The least cost of a way through counts, which are never NaN, and costs, which may be; some steps are free.
    pub fn least(a: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
        let (n, m) = c.dim();
        let mut way = Array2::<f64>::zeros((n, m));
        for i in 1..n {
            for j in 1..m {
                let mut step = way[[i - 1, j - 1]];
                if a[[i, j]] > 0.5 {
                    step = way[[i - 1, j - 1]] + 1.0;
                }
                way[[i, j]] = step.min(way[[i, j - 1]] + 1.0).min(way[[i - 1, j]] + 0.5);
                c[[i, j]] = way[[i, j]].min(c[[i, j - 1]]).max(-0.0);
            }
        }
    }
}

type Sweep = fn(ArrayView2<f64>, ArrayViewMut2<f64>);

const ALL: [(&str, Sweep, Sweep); 12] = [
    ("seidel", plain::seidel, fast::seidel),
    ("relaxed", plain::relaxed, fast::relaxed),
    ("common", plain::common, fast::common),
    ("backwards", plain::backwards, fast::backwards),
    ("far", plain::far, fast::far),
    ("by_the_last", plain::by_the_last, fast::by_the_last),
    ("mirrored", plain::mirrored, fast::mirrored),
    ("of_two", plain::of_two, fast::of_two),
    ("in_steps", plain::in_steps, fast::in_steps),
    ("crossed", plain::crossed, fast::crossed),
    ("of_classes", plain::of_classes, fast::of_classes),
    ("least", plain::least, fast::least),
];

/// Elements, some of which are no numbers.
fn strange(n: usize, m: usize, lay: Lay, seed: u64) -> Array2<f64> {
    let mut x = base(n, m, lay, seed);
    if seed.is_multiple_of(3) {
        x.iter_mut().step_by(7).zip([f64::NAN, -0.0, f64::INFINITY].into_iter().cycle()).for_each(|(x, y)| *x = y);
    }
    x
}

/// The bits of what a sweep makes; which NaN an operation gives is open.
fn swept(f: Sweep, n: usize, m: usize, lay: Lay, seed: u64) -> Array2<u64> {
    let (a, mut c) = (strange(n, m, lay, seed), strange(n, m, lay, seed + 1));
    f(cut(&a, lay), cut_mut(&mut c, lay));
    c.map(|x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_place(n in 2..40usize, m in 2..40usize, lay in lay(), seed in 0..100u64) {
        for (name, plain, fast) in ALL {
            prop_assert_eq!(swept(plain, n, m, lay, seed), swept(fast, n, m, lay, seed), "{} of {} by {}", name, n, m);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rows that are cut into strips, on any number of threads.
    #[test]
    fn in_strips(n in 2..90usize, m in 1000..4500usize, turned in any::<bool>(), lay in lay(), seed in 0..100u64) {
        let (n, m) = if turned { (m, n) } else { (n, m) };
        for (name, plain, fast) in ALL {
            let expected = swept(plain, n, m, lay, seed);
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| swept(fast, n, m, lay, seed));
                prop_assert!(expected == found, "{} of {} by {} on {}", name, n, m, threads);
            }
            prop_assert!(expected == swept(fast, n, m, lay, seed), "{} of {} by {}", name, n, m);
        }
    }
}

/// Of a wide recurrence strips of rows run on several threads, one behind the other: the trace says so.
#[test]
fn wide_recurrences_run_as_a_pipeline() {
    let file = std::env::temp_dir().join(format!("megha-recurrence-{}.json", std::process::id()));
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "recurrences::wide", "--include-ignored"])
        .env("MEGHA_TRACE", &file)
        .env("MEGHA_DEVICE", "cpu")
        .env("RAYON_NUM_THREADS", "2")
        .status();
    assert!(run.unwrap().success());
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let pipeline = text.lines().find(|line| line.contains("\"pipeline\""));
    assert!(pipeline.is_some_and(|line| line.contains("\"threads\":2")), "{pipeline:?}");
}

#[test]
#[ignore = "the test before runs it in a process of its own"]
fn wide() {
    let (n, m) = (1200, 1300);
    let a = Array2::from_shape_fn((n, m), |(i, j)| ((i * 31 + j * 17) % 64) as f64 / 64.0);
    let [mut want, mut found] = [Array2::zeros((n, m)), Array2::zeros((n, m))];
    plain::common(a.view(), want.view_mut());
    fast::common(a.view(), found.view_mut());
    assert_eq!(want, found);
}
