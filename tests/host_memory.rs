//! Machines with less memory than a call needs: an error with the bytes and the place, before anything is computed of the statement. In a process of its
//! own, since the limit is that of all arrays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::{ErrorKind, memory};
use ndarray::{Array2, ArrayViewMut2};

megha::matlab! {
    function [a, b] = chain(x)
        arguments
            x (n,m) double
        end
        t = exp(x(end:-1:1, :));
        [s, k] = sort(t, 2);
        a = t + s(end:-1:1, :);
        b = a .* k;
    end

    function y = product(x)
        arguments
            x (n,n) double
        end
        y = x * x + inv(x);
    end

    function s = blank(n)
        arguments
            n (1,1) double {mustBeInteger}
        end
        x = zeros(n, 1);
        for i = 2:2:n
            x(i) = x(i) + x(i - 1) + 1;
        end
        s = sum(x);
    end
}

#[megha::offload]
fn scaled(mut a: ArrayViewMut2<f64>) -> megha::Result<()> {
    let (n, m) = a.dim();
    let mut t = Array2::<f64>::zeros((n, m));
    for i in 0..n {
        for j in 0..m {
            t[[i, j]] = a[[i, j]] + a[[n - 1 - i, j]];
        }
    }
    for i in 0..n {
        for j in 0..m {
            a[[i, j]] = t[[i, j]] * 0.5;
        }
    }
    Ok(())
}

#[megha::offload]
fn scaled_or_panic(mut a: ArrayViewMut2<f64>) {
    let (n, m) = a.dim();
    let mut t = Array2::<f64>::zeros((n, m));
    for i in 0..n {
        for j in 0..m {
            t[[i, j]] = a[[i, j]] + a[[n - 1 - i, j]];
        }
    }
    for i in 0..n {
        for j in 0..m {
            a[[i, j]] = t[[i, j]] * 0.5;
        }
    }
}

/// The limit is that of the process.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs with so many bytes for arrays.
fn within<R>(bytes: Option<u64>, run: impl FnOnce() -> R) -> R {
    memory::set_limit(bytes);
    let result = run();
    memory::set_limit(None);
    result
}

fn numbers(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * 13) % 17) as f64 / 4.0 + if i == j { 9.0 } else { 0.0 })
}

/// With whatever memory, a call is right or says what was lacking; it never takes more than there is, and leaves nothing.
fn with_any<R: PartialEq + std::fmt::Debug>(name: &str, call: impl Fn() -> megha::Result<R>) {
    let before = memory::current();
    memory::reset_peak();
    let expected = call().unwrap();
    let most = (memory::peak() - before) as u64;
    let mut errors = 0;
    for part in 0..=16 {
        memory::reset_peak();
        let there = most * part / 16;
        match within(Some(there), &call) {
            Ok(result) => assert_eq!(result, expected, "{name} with {part} sixteenths"),
            Err(error) => {
                errors += 1;
                let ErrorKind::OutOfMemory { bytes, available, .. } = error.kind() else { panic!("{name}: {error}") };
                let left = available.expect("a limit says what is left");
                assert!(left <= there && *bytes > left, "{name} with {there} bytes: {error}");
                let says = format!("it takes {bytes} bytes, and there are {left}");
                assert!(error.to_string().contains(&says) && !error.site().text.is_empty(), "{name}: {error}");
            }
        }
        // blocks of less than 32 KiB are not refused
        assert!(memory::peak() <= before + there as usize + (1 << 17), "{name}: {} of {there}", memory::peak());
        assert_eq!(memory::current(), before, "{name}");
    }
    assert!(errors > 4, "{name}: {errors} errors");
    assert_eq!(call().unwrap(), expected, "{name} afterwards");
}

#[test]
fn a_small_machine_gives_errors() {
    let _alone = ALONE.lock();
    let x = numbers(200);
    with_any("chain", || chain(&x));
    with_any("product", || product(&x));
    let device = Arc::new(SimDevice::new(SimDevice::standard()));
    with_any("chain on a device", || with(device.clone(), Placement::Gpu, || chain(&x)));
    assert_eq!((device.mistakes(), device.simulator().memory().used), (Vec::new(), 0));
    with_any("blank", || blank(50_000.0));
    with_any("offloaded", || {
        let mut a = x.clone();
        scaled(a.view_mut()).map(|()| a)
    });
}

/// Threads that ask at one time do not get together what there is for one of them.
#[test]
fn threads_share_what_there_is() {
    let _alone = ALONE.lock();
    let before = memory::current();
    memory::reset_peak();
    // an array has 400,000 bytes
    let calls = || (0..300).filter(|_| blank(50_000.0).is_ok()).count();
    let right: usize = within(Some(before as u64 + 1_000_000), || {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(calls)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        })
    });
    assert!(right > 0 && memory::peak() <= before + 1_000_000, "{} of {before} and 1000000", memory::peak());
    assert_eq!(memory::current(), before);
}

/// The place is that of the statement, and what the caller lent stays as it was.
#[test]
fn the_place_is_named() {
    let _alone = ALONE.lock();
    let x = numbers(100);
    let error = within(Some(100_000), || chain(&x)).unwrap_err();
    assert_eq!(
        error.to_string().lines().next().unwrap(),
        "there is no memory for an array of 100-by-100 elements: it takes 80000 bytes, and there are 18080"
    );
    let site = error.site();
    assert!(site.path.ends_with("host_memory.rs") && site.line > 0, "{error}");
    let mut a = x.clone();
    assert!(within(Some(1 << 10), || scaled(a.view_mut())).is_err());
    assert_eq!(a, x);
    let panicked = within(Some(1 << 10), || catch_unwind(AssertUnwindSafe(|| scaled_or_panic(a.view_mut()))));
    let message = *panicked.unwrap_err().downcast::<String>().expect("a message");
    assert!(message.contains("there is no memory") && message.contains("80000 bytes"), "{message}");
    assert_eq!(a, x);
}

/// The machine as it is: what Linux would promise and not have.
#[test]
#[cfg(target_os = "linux")]
fn more_than_the_machine_has() {
    let _alone = ALONE.lock();
    let text = std::fs::read_to_string("/proc/meminfo").unwrap();
    let of = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
        line.split_ascii_whitespace().next().unwrap().parse::<f64>().unwrap() * 1024.0
    };
    let there = of("MemAvailable:") + of("SwapFree:");
    for part in [1.2, 3.0, 1000.0] {
        let error = blank((there / 8.0 * part).floor()).unwrap_err();
        let ErrorKind::OutOfMemory { bytes, available: Some(available), .. } = error.kind() else { panic!("{error}") };
        assert!(bytes > available, "{error}");
    }
}

const CHILD: &str = "MEGHA_TEST_CHILD";

#[test]
fn the_environment_names_a_limit() {
    if std::env::var_os(CHILD).is_some() {
        let outcome = chain(numbers(100)).map(drop).map_err(|error| error.to_string());
        println!("outcome: {}", outcome.err().unwrap_or_default().lines().next().unwrap_or("right"));
        return;
    }
    for (limit, wanted) in
        [("100K", "outcome: there is no memory"), ("1G", "outcome: right"), ("much", "outcome: right")]
    {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "the_environment_names_a_limit", "--nocapture"]);
        let output = command.env("MEGHA_MEMORY", limit).env(CHILD, "1").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(out.contains(wanted), "{limit}: {out} {err}");
        let said = err.contains("MEGHA_MEMORY is `much`, which is no number of bytes");
        assert_eq!(said, limit == "much", "{limit}: {err}");
    }
}
