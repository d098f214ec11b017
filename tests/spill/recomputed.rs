//! Arrays that are computed again instead of copied to the host and back.

use std::sync::Arc;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::matlab;
use megha::rt::device::recomputed_wherever;
use megha_sim::{Config, Operation};
use ndarray::{Array2, ArrayD};

use super::failing::{assert_alike, assert_given_back, instant};
use super::programs::{Program, field};

matlab! {
    % What is made of x alone is idle while two kernels need all the memory.
    function s = idle(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        [m, n] = size(x);
        a = 2 * x(m:-1:1, :) + 1;
        p = a(m:-1:1, :) .* x;
        q = p(m:-1:1, :) + y;
        r = q(m:-1:1, :) .* y;
        s = r(m:-1:1, :) + a + x;
    end

    % The same in steps, where x changes behind the last use, and what is made of it is another array in each step.
    function [x, s] = steps(x, y, count)
        arguments
            x (m,n) double
            y (m,n) double
            count (1,1) double {mustBeInteger, mustBeNonnegative}
        end
        [m, n] = size(x);
        s = y;
        for t = 1:count
            a = 2 * x(m:-1:1, :) + t;
            p = a(m:-1:1, :) .* x;
            q = p(m:-1:1, :) + y;
            s = q(m:-1:1, :) .* s;
            x = s(m:-1:1, :) + a + x;
        end
    end

    % A kernel updates x in place before the array that was made of it is read.
    function [x, s] = updated(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        [m, n] = size(x);
        x = x(m:-1:1, :) - y;
        x(1:m, 2) = y(1:m, 1);
        a = 2 * x(m:-1:1, :) + 1;
        p = y(m:-1:1, :) .* a(m:-1:1, :);
        q = p(m:-1:1, :) + y;
        x(1:m, 1) = q(1:m, n);
        s = a + x + q;
    end

    % The host writes into x meanwhile.
    function [x, s] = written(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        [m, n] = size(x);
        x = x(m:-1:1, :) - y;
        x(1:m, 2) = y(1:m, 1);
        a = 2 * x(m:-1:1, :) + 1;
        p = y(m:-1:1, :) .* a(m:-1:1, :);
        q = p(m:-1:1, :) + y;
        x(1, 1) = 7;
        r = q(m:-1:1, :) + x;
        s = r(m:-1:1, :) + a;
    end

    % What the array is made of, which nothing can make again, ends before it is read.
    function [s, u] = freed(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        [m, n] = size(x);
        t = x(m:-1:1, :) - 1;
        t(1:m, 1) = y(1:m, n);
        a = t(m:-1:1, :) + 1;
        q = a(m:-1:1, :) .* y;
        v = q(m:-1:1, :) + y;
        r = v(m:-1:1, :) > t;
        u = y .* r(m:-1:1, :);
        s = u(m:-1:1, :) + a;
    end

    % Two arrays come of one kernel, and are read one after the other.
    function [s, u] = paired(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        [m, n] = size(x);
        a = x(m:-1:1, :) + y;
        b = x(m:-1:1, :) - y;
        q = y(m:-1:1, :) .* 2 + a(m:-1:1, :);
        v = q(m:-1:1, :) + y;
        u = v(m:-1:1, :) .* a(m:-1:1, :);
        s = b(m:-1:1, :) + u(m:-1:1, :) + x;
    end

    % Each array is made of the one before.
    function s = chained(x)
        arguments
            x (m,n) double
        end
        [m, n] = size(x);
        a = x(m:-1:1, :) + 1;
        b = a(m:-1:1, :) + 2;
        c = b(m:-1:1, :) + 3;
        d = c(m:-1:1, :) + 4;
        e = d(m:-1:1, :) .* x;
        f = e(m:-1:1, :) + d;
        s = f(m:-1:1, :) + a + b + c;
    end
}

const PROGRAMS: [Program; 7] = [
    Program { name: "idle", call: |n, _| Ok(vec![idle(field(n, n, 0), field(n, n, 1))?.into_dyn()]), kernel: 4 },
    Program { name: "steps", call: |n, count| Ok(both(steps(field(n, n, 0), field(n, n, 1), count)?)), kernel: 3 },
    Program { name: "updated", call: |n, _| Ok(both(updated(field(n, n, 0), field(n, n, 1))?)), kernel: 4 },
    Program { name: "written", call: |n, _| Ok(both(written(field(n, n, 0), field(n, n, 1))?)), kernel: 3 },
    Program { name: "freed", call: |n, _| Ok(both(freed(field(n, n, 0), field(n, n, 1))?)), kernel: 3 },
    Program { name: "paired", call: |n, _| Ok(both(paired(field(n, n, 0), field(n, n, 1))?)), kernel: 4 },
    Program { name: "chained", call: |n, _| Ok(vec![chained(field(n, n, 0))?.into_dyn()]), kernel: 5 },
];

/// Two results in order.
fn both((first, second): (Array2<f64>, Array2<f64>)) -> Vec<ArrayD<f64>> {
    vec![first.into_dyn(), second.into_dyn()]
}

fn program(name: &str) -> &'static Program {
    PROGRAMS.iter().find(|program| program.name == name).unwrap()
}

/// With memory for so many fields and a little.
fn small(mut config: Config, (fields, n): (u64, usize)) -> Config {
    config.memory = fields * super::field(n) + 1024;
    config
}

/// The standard device, one whose link is as fast as its memory, and one that computes slowly.
fn devices() -> [(&'static str, Config); 3] {
    let standard = SimDevice::standard();
    let (mut linked, mut slow) = (standard.clone(), standard.clone());
    (linked.model.copy_latency, linked.model.issue) = Default::default();
    (linked.model.to_device, linked.model.from_device) = (1e13, 1e13);
    slow.model.flops64 /= 1e4;
    [("standard", standard), ("fast link", linked), ("slow kernels", slow)]
}

/// What is dropped and computed again, and what moves: where that is cheaper than the link and nowhere else.
#[test]
fn cheap_arrays_are_computed_again() {
    let mut table =
        "program  device        fields  launches  up  down  spilled  written  again  not moved\n".to_owned();
    for (name, (device, config)) in ["idle", "steps"].into_iter().flat_map(|name| devices().map(|d| (name, d))) {
        for fields in [16, 4] {
            let device_of = Arc::new(SimDevice::new(small(config.clone(), (fields, 64))));
            let run = super::run(program(name), (64, 3.0), &device_of, Placement::Gpu);
            let (moved, spilled) = (run.moved, run.spilled);
            table += &format!(
                "{name:<9}{device:<14}{fields:>6}{:>10}{:>4}{:>6}{:>9}{:>9}{:>7}{:>11}\n",
                device_of.simulator().operations(Operation::Launch),
                moved.uploads,
                moved.downloads,
                spilled.arrays,
                spilled.written_back,
                spilled.recomputed.arrays,
                spilled.recomputed.bytes,
            );
        }
    }
    expect![[r#"
        program  device        fields  launches  up  down  spilled  written  again  not moved
        idle     standard          16         5   2     1        0        0      0          0
        idle     standard           4         6   2     1        1        0      1      65536
        idle     fast link         16         5   2     1        0        0      0          0
        idle     fast link          4         5   3     1        1        0      0          0
        idle     slow kernels      16         5   2     1        0        0      0          0
        idle     slow kernels       4         5   3     1        1        0      0          0
        steps    standard          16        15   3     2        0        0      0          0
        steps    standard           4        18   7     9       13   229376      3     196608
        steps    fast link         16        15   3     2        0        0      0          0
        steps    fast link          4        15  10    11       13   294912      0          0
        steps    slow kernels      16        15   3     2        0        0      0          0
        steps    slow kernels       4        15  10    11       13   294912      0          0
    "#]]
    .assert_eq(&table);
}

/// Where everything that can be is computed again, whatever comes between: by the host, by an update on the device, or because it ends, what an
/// array was made of changes, and results do not.
#[test]
fn what_arrays_are_made_of_may_change() {
    let mut again = Vec::new();
    for program in PROGRAMS.iter().chain(&super::PROGRAMS) {
        let mut count = 0;
        for quarters in 4 * program.kernel as u64..40 {
            for placement in [Placement::Gpu, Placement::Auto] {
                let mut config = instant().simulator().config().clone();
                config.memory = quarters * super::field(40) / 4 + 1024;
                for lot in [None, Some(quarters), Some(31 * quarters)] {
                    let device = SimDevice::new(config.clone());
                    let device = Arc::new(match lot {
                        Some(lot) => device.by_lot(lot),
                        None => device,
                    });
                    let run = || super::run(program, (40, 3.0), &device, placement);
                    count += recomputed_wherever(run).spilled.recomputed.arrays;
                }
            }
        }
        again.push(format!("{} {count}", program.name));
    }
    expect!["idle 12, steps 128, updated 28, written 44, freed 44, paired 29, chained 16, turns 0, example 35, temporaries 0, sums 0"].assert_eq(&again.join(", "));
}

/// Every operation fails in turn, and every second one behind it, alone or with the device.
#[test]
fn failures_lose_nothing_that_is_computed_again() {
    let mut failed = 0;
    for program in &PROGRAMS {
        let wanted = (program.call)(16, 2.0);
        let mut config = instant().simulator().config().clone();
        config.memory = program.kernel as u64 * super::field(16) + 1024;
        let healthy = Arc::new(SimDevice::new(config.clone()));
        let call = || recomputed_wherever(|| (program.call)(16, 2.0));
        with(healthy.clone(), Placement::Gpu, call).unwrap();
        for kind in [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize] {
            for nth in 1..=healthy.simulator().operations(kind) {
                let ways = [Placement::Gpu, Placement::Auto].into_iter().flat_map(|p| [(p, false), (p, true)]);
                for ((placement, fragile), second) in ways.flat_map(|way| [(way, 0), (way, 1), (way, 3)]) {
                    let what = format!("{}: {kind} {nth} and {second} behind, fragile: {fragile}", program.name);
                    let device = Arc::new(SimDevice::new(config.clone()));
                    if fragile {
                        device.make_fragile();
                    }
                    device.simulator().fail(kind, nth);
                    if second > 0 {
                        device.simulator().fail(kind, nth + second);
                    }
                    let got = with(device.clone(), placement, call);
                    assert_alike(&what, placement, &got, &wanted);
                    assert_eq!(device.mistakes(), [""; 0], "{what}");
                    assert_given_back(&what, &device);
                    failed += usize::from(got.is_err());
                }
            }
        }
    }
    assert!(failed > 100, "{failed} calls failed");
}
