//! Results that must be equal to the bit: the reference interpreter's, those of any instruction set, and those of any number of threads.

use megha::rt::Level;
use megha_core::interp::Order;
use ndarray::{Array, ArrayD, IxDyn, ShapeBuilder};

use super::common::golden::Golden;
use super::lowered::lowered;
use super::octave::inputs;
use super::reference::{array, equal, interpret};
use super::{PROGRAMS, Program, views};

#[test]
fn compiled_code_is_the_reference_interpreter() {
    for program in &PROGRAMS {
        let outcome = lowered(program);
        let orders = [Order::Forward, Order::Reverse, Order::Shuffled(1)];
        let after = orders.map(|order| (format!("after the passes, {order:?}"), &outcome.module, order));
        let runs = [("before the passes".to_owned(), &outcome.lowered, Order::Forward)].into_iter().chain(after);
        let runs: Vec<_> = runs.collect();
        for golden in Golden::all(program.name) {
            let inputs = inputs(program, &golden);
            let views = views(&inputs);
            let compiled = (program.call)(&views).unwrap();
            for (when, module, order) in &runs {
                let interpreted = interpret(module, &views, *order, &mut std::io::sink()).unwrap();
                for ((name, compiled), interpreted) in program.outputs.iter().zip(&compiled).zip(&interpreted) {
                    let what = format!("{}: `{name}` {when}", golden.name);
                    assert_same(&what, compiled, &array(interpreted, compiled.ndim()));
                }
            }
        }
    }
}

/// Asserts that all elements are equal to the bit.
fn assert_same(what: &str, got: &ArrayD<f64>, want: &ArrayD<f64>) {
    assert!(equal(got, want), "{what}: {got:?}, not {want:?}");
}

/// Reproducible values in [low, high), columns first.
fn noise(sizes: &[usize], seed: u64, low: f64, high: f64) -> ArrayD<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    Array::from_shape_simple_fn(IxDyn(sizes).f(), || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

fn number(value: f64) -> ArrayD<f64> {
    ArrayD::from_elem(IxDyn(&[1, 1]), value)
}

/// Arguments for which the kernels are worth several threads.
fn large(program: &Program) -> Vec<ArrayD<f64>> {
    let column = |n, seed, low, high| noise(&[n, 1], seed, low, high);
    match program.name {
        "bscholes" => {
            let market = [(20.0, 200.0), (20.0, 200.0), (0.0, 0.06), (0.05, 0.65), (0.02, 3.0)];
            market.iter().zip(1..).map(|(&(low, high), seed)| column(20_011, seed, low, high)).collect()
        }
        "clos" => vec![noise(&[150, 150], 6, 0.0, 1.0).mapv(|x| if x < 0.01 { x } else { 0.0 })],
        "fdtd" => [0.5, 0.4, 0.3, 50.0, 41.0, 32.0, 2.0].map(number).into(),
        "filter_bank" => vec![column(30_001, 7, -1.0, 1.0), noise(&[7, 3], 8, -1.0, 1.0)],
        "matmul" => vec![noise(&[90, 130], 9, -1.0, 1.0), noise(&[130, 70], 10, -1.0, 1.0)],
        "nb3d" => {
            let [position, velocity] = [11, 12].map(|seed| noise(&[300, 3], seed, -1.0, 1.0));
            vec![position, velocity, column(300, 13, 0.5, 1.5), number(0.05), number(0.01), number(2.0)]
        }
        other => panic!("there are no arguments for `{other}`"),
    }
}

#[test]
fn instruction_sets_do_not_matter() {
    let levels = Level::available();
    for program in &PROGRAMS {
        for golden in Golden::all(program.name) {
            let inputs = inputs(program, &golden);
            let run = |level: &Level| {
                level.limit();
                (program.call)(&views(&inputs)).unwrap()
            };
            let mut results: Vec<_> = levels.iter().map(run).collect();
            let best = results.pop().expect("every machine has one");
            for (level, results) in levels.iter().zip(&results) {
                for ((name, got), want) in program.outputs.iter().zip(results).zip(&best) {
                    assert_same(&format!("{}: `{name}` with {level:?}", golden.name), got, want);
                }
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    for program in &PROGRAMS {
        let columns = large(program);
        let rows: Vec<_> = columns.iter().map(|a| a.as_standard_layout().into_owned()).collect();
        for arguments in [columns, rows] {
            let on = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let views = views(&arguments);
                    let results = (program.call)(&views).unwrap();
                    (results, megha::last_run())
                })
            };
            let (want, _) = on(1);
            for threads in [2, 4] {
                let (got, run) = on(threads);
                for ((name, got), want) in program.outputs.iter().zip(&got).zip(&want) {
                    assert_same(&format!("{}: `{name}` on {threads} threads", program.name), got, want);
                }
                let parallel = run.is_some_and(|run| run.threads == threads);
                assert!(parallel || !PARALLEL.contains(&program.name), "{} ran on one thread: {run:?}", program.name);
            }
        }
    }
}

/// The programs whose `large` arguments occupy all threads.
const PARALLEL: [&str; 4] = ["bscholes", "clos", "fdtd", "nb3d"];
