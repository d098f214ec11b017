//! Kernels that are larger than the device: they go through it part by part.

use std::sync::Arc;

use expect_test::expect;
use megha::device::sim::SimDevice;
use megha::device::{Placement, with};
use megha::matlab;
use megha_sim::{Engine, Operation};
use ndarray::{Array2, ArrayD};

use super::failing::{assert_alike, assert_given_back, instant};
use super::programs::field;
use super::reference::equal;

matlab! {
    function z = points(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        z = 3 * x + exp(y) ./ (1 + x .^ 2);
    end

    % Neighbours on both sides, and borders that stay.
    function u = stencil(u, w)
        arguments
            u (m,n) double
            w (m,n) double
        end
        [m, n] = size(u);
        v = u;
        v(2:m-1, 2:n-1) = 0.25 * (u(1:m-2, 2:n-1) + u(3:m, 2:n-1) + u(2:m-1, 1:n-2) + u(2:m-1, 3:n)) + w(2:m-1, 2:n-1);
        u = v;
    end

    function s = total(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        s = sum(sum(x .* y));
    end

    function [s, c] = along(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        s = sum(x .* y, 1);
        c = sum(x + y, 2);
    end

    % One vector for all columns, and one for all rows.
    function z = outer(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        z = x .* y(:, 1) + y(1, :);
    end

    function z = transposed(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        z = transpose(x) + transpose(y);
    end

    % Some elements are wrong: the first of them is said to be.
    function z = tested(x, y)
        arguments
            x (m,n) double
            y (m,n) double
        end
        z = sqrt(x) + y;
    end

    % The first row and column are read in all parts, what is stored in each is its own; then all of it is read.
    function [a, s] = updated(a, b)
        arguments
            a (m,n) double
            b (m,n) double
        end
        for j = 2:size(a, 2)
            for i = 2:size(a, 1)
                a(i, j) = a(i, j) - a(i, 1) * a(1, j) + b(i, j);
            end
        end
        s = max(max(a));
    end
}

type Results = megha::Result<Vec<ArrayD<f64>>>;

/// A program of one kernel, or few, on two fields.
struct Program {
    name: &'static str,
    call: fn(&Array2<f64>, &Array2<f64>) -> Results,
}

fn one(array: megha::Result<Array2<f64>>) -> Results {
    Ok(vec![array?.into_dyn()])
}

const PROGRAMS: [Program; 7] = [
    Program { name: "points", call: |x, y| one(points(x, y)) },
    Program { name: "stencil", call: |x, y| one(stencil(x, y)) },
    Program { name: "total", call: |x, y| Ok(vec![ndarray::arr0(total(x, y)?).into_dyn()]) },
    Program {
        name: "along",
        call: |x, y| {
            let (s, c) = along(x, y)?;
            Ok(vec![s.into_dyn(), c.into_dyn()])
        },
    },
    Program { name: "outer", call: |x, y| one(outer(x, y)) },
    Program { name: "transposed", call: |x, y| one(transposed(x, y)) },
    Program { name: "tested", call: |x, y| one(tested(x, y)) },
];

/// Fields in either order of memory.
fn fields(n: usize, columns_first: bool) -> [Array2<f64>; 2] {
    [0, 1].map(|seed| {
        let field = field(n, n + 3, seed);
        if columns_first { field.t().as_standard_layout().into_owned().reversed_axes() } else { field }
    })
}

fn small(memory: u64) -> Arc<SimDevice> {
    let mut config = SimDevice::standard();
    config.memory = memory;
    Arc::new(SimDevice::new(config))
}

/// From a half to a sixteenth of one field: every kernel whose arrays can be cut runs on the device all the same, and moves each element once.
#[test]
fn kernels_go_through_in_parts() {
    let n = 72;
    let bytes = (n * (n + 3) * 8) as u64;
    let mut table =
        "program    order    memory  kernels  on CPU  parts  copies     up    down   naive  overlap\n".to_owned();
    for (program, columns_first) in PROGRAMS.iter().flat_map(|program| [(program, true), (program, false)]) {
        let [x, y] = fields(n, columns_first);
        let wanted = (program.call)(&x, &y);
        for parts in [2, 16] {
            let memory = bytes / parts + 4096;
            let device = small(memory);
            let got = with(device.clone(), Placement::Gpu, || (program.call)(&x, &y));
            let what = format!("{} {columns_first} {parts}", program.name);
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert_given_back(&what, &device);
            let run = megha::last_run().unwrap();
            assert!(run.device_peak <= memory, "{what}: {run}");
            match (&got, &wanted) {
                (Ok(got), Ok(wanted)) => assert!(got.iter().zip(wanted).all(|(a, b)| equal(a, b)), "{what}"),
                (got, wanted) => assert_eq!(got, wanted, "{what}"),
            }
            let order = if columns_first { "columns" } else { "rows" };
            table += &format!(
                "{:<11}{order:<9}{memory:>6}{:>9}{:>8}{:>7}{:>8}{:>7}{:>8}{:>8}{:>9}\n",
                program.name,
                run.device_kernels,
                run.kernels,
                run.spilled.boxes,
                run.moved.uploads + run.moved.downloads,
                run.moved.bytes_up,
                run.moved.bytes_down,
                run.moved.naive,
                overlap(&device)
            );
        }
    }
    expect![[r#"
        program    order    memory  kernels  on CPU  parts  copies     up    down   naive  overlap
        points     columns   25696        1       0     19      57  86400   43200  129600       18
        points     columns    6796        0       1      0       0      0       0       0        0
        points     rows      25696        1       0     18      54  86400   43200  129600       17
        points     rows       6796        0       1      0       0      0       0       0        0
        stencil    columns   25696        1       0     19      76 148032   42048  172800       18
        stencil    columns    6796        0       1      0       0      0       0       0        0
        stencil    rows      25696        1       0     24      96 154800   42000  172800       23
        stencil    rows       6796        0       1      0       0      0       0       0        0
        total      columns   25696        2       0     11      23  86400       8   87608       10
        total      columns    6796        2       0     75     151  86400       8   87608       74
        total      rows      25696        1       1      0       2    600       8     608        0
        total      rows       6796        1       1      0       2    600       8     608        0
        along      columns   25696        1       1     19      58  86400   43800  130200       18
        along      columns    6796        0       2      0       0      0       0       0        0
        along      rows      25696        1       1      6       7  43200     576   43776        5
        along      rows       6796        1       1     36      37  43200     576   43776       35
        outer      columns   25696        3       0     23      60  89880   44376  175152       20
        outer      columns    6796        3       0    104     284  89880   44376  175152      101
        outer      rows      25696        3       0     22      57  89976   44376  175152       19
        outer      rows       6796        3       0    112     297  89976   44376  175152      109
        transposed columns   25696        0       1      0       0      0       0       0        0
        transposed columns    6796        0       1      0       0      0       0       0        0
        transposed rows      25696        0       1      0       0      0       0       0        0
        transposed rows       6796        0       1      0       0      0       0       0        0
        tested     columns   25696        1       0     19      58  86400   43201  129601       19
        tested     columns    6796        0       1      0       0      0       0       0        0
        tested     rows      25696        1       0     18      55  86400   43201  129601       18
        tested     rows       6796        0       1      0       0      0       0       0        0
    "#]]
    .assert_eq(&table);
}

/// With a quarter of the memory of all arrays, where the link is the limit: at least nine tenths of the time it takes are those of the bytes that have to cross it, each once.
#[test]
fn the_link_is_the_limit() {
    let rate = 1e8;
    let mut table = "program    order    parts      up    down  of link\n".to_owned();
    let mut idle = Vec::new();
    for (program, columns_first) in PROGRAMS.iter().flat_map(|program| [(program, true), (program, false)]) {
        let [x, y] = fields(200, columns_first);
        let run = |memory: Option<u64>| {
            let mut config = instant().simulator().config().clone();
            (config.model.to_device, config.model.from_device) = (rate, rate);
            config.memory = memory.unwrap_or(config.memory);
            let device = Arc::new(SimDevice::new(config));
            let results = with(device.clone(), Placement::Gpu, || (program.call)(&x, &y));
            (results, megha::last_run().unwrap(), device.simulator().now())
        };
        let (wanted, whole, _) = run(None);
        let (got, run, time) = run(Some(whole.device_peak / 4));
        assert_alike(program.name, Placement::Gpu, &got, &wanted);
        // what cannot be cut, or has a kernel that cannot, is the CPU's as far as that goes
        if run.kernels > 0 {
            continue;
        }
        let bytes = whole.moved.bytes_up.max(whole.moved.bytes_down);
        let of_link = bytes as f64 / rate / time.as_secs_f64();
        let order = if columns_first { "columns" } else { "rows" };
        if of_link < 0.9 {
            idle.push((program.name, order));
        }
        table += &format!(
            "{:<11}{order:<9}{:>5}{:>8}{:>8}{of_link:>9.2}\n",
            program.name, run.spilled.boxes, run.moved.bytes_up, run.moved.bytes_down
        );
    }
    expect![[r#"
        program    order    parts      up    down  of link
        points     columns     13  649600  324800     0.96
        points     rows        13  649600  324800     0.96
        stencil    columns     13 1006400  321600     0.63
        stencil    rows        14 1010128  321552     0.62
        total      columns     13  649600       8     1.00
        outer      columns     18  659224  328024     0.93
        outer      rows        18  659320  328024     0.93
        tested     columns     13  649600  324801     0.96
        tested     rows        13  649600  324801     0.96
    "#]]
    .assert_eq(&table);
    // a copy of which the kernel stores all but the borders is sent too, where with room for all it is made on the device
    assert_eq!(idle, [("stencil", "columns"), ("stencil", "rows")]);
}

/// An update of what all parts read a row and a column of, and a reduction of what it stored.
#[test]
fn updates_go_through_in_parts() {
    let n = 48;
    let bytes = (n * (n + 3) * 8) as u64;
    let mut parts = 0;
    for columns_first in [true, false] {
        let [x, y] = fields(n, columns_first);
        let (wanted, largest) = updated(&x, &y).unwrap();
        for tenths in 10..24 {
            let device = small(bytes * tenths / 10 + 2048);
            let (got, s) = with(device.clone(), Placement::Gpu, || updated(&x, &y)).unwrap();
            parts += megha::last_run().unwrap().spilled.boxes;
            assert!(equal(&got.into_dyn(), &wanted.clone().into_dyn()) && s == largest, "{columns_first} {tenths}");
            assert_eq!(device.mistakes(), [""; 0], "{columns_first} {tenths}");
        }
    }
    assert!(parts > 20, "{parts} parts");
}

/// Devices without memory, and arrays without elements or with one.
#[test]
fn nothing_is_too_small() {
    for (memory, n) in [0, 1, 256, 4096].into_iter().flat_map(|memory| [(memory, 0), (memory, 1), (memory, 9)]) {
        for (program, columns_first) in PROGRAMS.iter().flat_map(|program| [(program, true), (program, false)]) {
            let x = Array2::from_shape_fn((n, n), |(i, j)| (3 * i + j) as f64);
            let x = if columns_first { x.reversed_axes() } else { x };
            let wanted = (program.call)(&x, &x);
            let device = small(memory);
            let got = with(device.clone(), Placement::Gpu, || (program.call)(&x, &x));
            let what = format!("{} {columns_first} {memory} {n}", program.name);
            assert_alike(&what, Placement::Auto, &got, &wanted);
            assert_eq!(device.mistakes(), [""; 0], "{what}");
            assert_given_back(&what, &device);
        }
    }
}

/// How many kernels run while something is copied to the device.
fn overlap(device: &SimDevice) -> usize {
    let timeline = device.simulator().timeline();
    let of = |engine| timeline.iter().filter(move |span| span.engine == engine);
    let meets = |a: &megha_sim::Span, b: &megha_sim::Span| a.start < b.end && b.start < a.end;
    of(Engine::Compute).filter(|kernel| of(Engine::In).any(|copy| meets(kernel, copy))).count()
}

/// Every operation fails once while a kernel goes through: the results are right, or the device is said to have failed, and nothing is left behind.
#[test]
fn failures_in_the_middle_change_nothing() {
    let [x, y] = fields(14, true);
    // buffers for three parts of three arrays, and a little
    let (memory, mut parts) = (9 * 256 + 448, 0);
    let device = || {
        let mut config = instant().simulator().config().clone();
        config.memory = memory;
        Arc::new(SimDevice::new(config))
    };
    for program in &PROGRAMS {
        let wanted = (program.call)(&x, &y);
        let healthy = device();
        let _ = with(healthy.clone(), Placement::Gpu, || (program.call)(&x, &y));
        parts += megha::last_run().unwrap().spilled.boxes;
        for kind in [Operation::Allocate, Operation::Copy, Operation::Load, Operation::Launch, Operation::Synchronize] {
            for nth in 1..=healthy.simulator().operations(kind) {
                for (placement, fragile) in [(Placement::Gpu, false), (Placement::Gpu, true), (Placement::Auto, false)]
                {
                    let what = format!("{}: {kind} {nth}, fragile: {fragile}", program.name);
                    let device = device();
                    if fragile {
                        device.make_fragile();
                    }
                    device.simulator().fail(kind, nth);
                    let got = with(device.clone(), placement, || (program.call)(&x, &y));
                    assert_alike(&what, placement, &got, &wanted);
                    assert_eq!(device.mistakes(), [""; 0], "{what}");
                    assert_given_back(&what, &device);
                }
            }
        }
    }
    assert!(parts > 30, "{parts} parts");
}
