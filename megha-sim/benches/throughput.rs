//! How many thread-instructions the simulator executes in a second, with and without checks: `cargo bench -p megha-sim`.

#![allow(missing_docs, reason = "the harness macros make an item without one")]

use megha_sim::{Arg, Checks, Config, Device, Launch, Ptr, Report, Stream};

const N: usize = 1 << 20;

struct Bench {
    name: &'static str,
    ptx: &'static str,
    entry: &'static str,
    launch: Launch,
    args: fn(&[Ptr]) -> Vec<Arg>,
}

fn main() {
    let n = N as u32;
    let benches = [
        Bench {
            name: "black-scholes",
            ptx: include_str!("kernels/black_scholes.ptx"),
            entry: "black_scholes",
            launch: Launch::linear(n / 256, 256),
            args: |p| vec![Arg::Ptr(p[0]), Arg::Ptr(p[1]), Arg::Ptr(p[2]), Arg::U32(N as u32)],
        },
        Bench {
            name: "reduction",
            ptx: include_str!("kernels/reduction.ptx"),
            entry: "sum",
            launch: Launch::linear(64, 256),
            args: |p| vec![Arg::Ptr(p[0]), Arg::Ptr(p[2]), Arg::U32(N as u32)],
        },
        Bench {
            name: "stencil",
            ptx: include_str!("kernels/stencil.ptx"),
            entry: "stencil",
            launch: Launch { grid: [32, 128, 1], block: [32, 8, 1], shared: 0 },
            args: |p| vec![Arg::Ptr(p[0]), Arg::Ptr(p[2]), Arg::U32(1024), Arg::U32(1024)],
        },
    ];
    println!("{:<16}{:>16}{:>14}{:>14}{:>16}", "", "instructions", "all checks", "no checks", "model");
    for bench in &benches {
        let rate = |checks| {
            let runs: Vec<(f64, Report)> = (0..3).map(|_| run(bench, checks)).collect();
            runs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("three runs")
        };
        let (checked, report) = rate(Checks::all());
        let (plain, _) = rate(Checks::none());
        let millions = |seconds| format!("{:.0} M/s", report.thread_instructions as f64 / seconds / 1e6);
        let (count, time) = (report.thread_instructions, format!("{:?}", report.time));
        println!("{:<16}{count:>16}{:>14}{:>14}{time:>16}", bench.name, millions(checked), millions(plain));
    }
}

fn run(bench: &Bench, checks: Checks) -> (f64, Report) {
    let device = Device::new(Config { checks, ..Config::default() });
    let module = device.load(bench.ptx).expect("the kernels are PTX");
    let values: Vec<u8> = (0..N).flat_map(|i| (80.0 + (i % 41) as f64).to_le_bytes()).collect();
    let pointers: Vec<Ptr> = (0..3).map(|_| device.alloc(N * 8).expect("there is memory")).collect();
    for pointer in &pointers[..2] {
        device.copy_in(Stream::DEFAULT, *pointer, &values).expect("it fits");
    }
    let launch = || device.launch(Stream::DEFAULT, &module, bench.entry, bench.launch, &(bench.args)(&pointers));
    launch().expect("the kernels are correct"); // makes what later launches keep
    let start = cpu_seconds();
    let report = launch();
    (cpu_seconds() - start, report.expect("the kernels are correct"))
}

/// The time that this thread has had a processor, which other load does not change.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this bench reads Linux's /proc");
    let nanoseconds: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).expect("the first word is a time");
    nanoseconds * 1e-9
}
